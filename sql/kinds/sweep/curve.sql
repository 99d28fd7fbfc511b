{# The points of the curve that are kept: the best point, the first and the last point, the marked points, and every n-th
   of the other points, where n is so large that at most 10,000 of these are kept. At
   a marked point, the accepted rows are those that satisfy a condition (marked_sums.sql). #}
{# Variables: the fields of KeptPoints in plan/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import agree %}
{% from "kinds/sweep/points.sql" import at_points %}
{% set slices = sweep.slices %}
WITH
{% for mark in marks %}
{{ ("marked_" ~ mark) | name }} AS (FROM {{ marked }} WHERE mark = {{ mark | text }}),
{% endfor %}
{{ at_points(sweep, marks, columns) }},
lengths AS (
    SELECT {{ slices.keys | comma_ended }}breakdown, max(rank) AS length
    FROM {{ sweep.running }}
    GROUP BY ALL
),
placed AS (
    SELECT at_points.* EXCLUDE (mark), coalesce(length, 0) AS length,
        coalesce(mark, CASE
            WHEN rank = coalesce(chosen.best_rank, -1) THEN 'best' END) AS mark
    FROM at_points
    LEFT JOIN lengths ON {{ agree(slices, "lengths", "at_points") }}
    LEFT JOIN {{ chosen }} AS chosen ON {{ agree(slices, "chosen", "at_points") }}
)
SELECT {{ slices.by | comma_ended }}slice, rank, threshold, mark,
{% for name in all_columns %}
    {{ name | name }}::DOUBLE AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM placed
WHERE mark IS NOT NULL OR rank IN (0, 1, length) OR rank % ceil(length / {{ points }})::BIGINT = 0
ORDER BY breakdown, slice_order(slice), slice::VARCHAR, {{ slices.by | comma_ended }}rank NULLS LAST, mark

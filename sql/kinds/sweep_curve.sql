{# The points of the curve that are kept: the best point, the first and the last point, the marked points, and every n-th
   of the other points, where n is so large that at most 10,000 of these are kept. At a marked point, the accepted rows are those that satisfy a
   condition, such as decision = 'YES', and not those above a threshold. #}
{# Context: as for sweep_points.sql, and rows, where, columns and marks (SQL by name), points (the largest number of
   points), chosen (the table of sweep.sql), best (the component), all_columns (the names of the components, then of the
   columns). #}
{% import "kinds/slices.sql" as slices with context %}
{% import "kinds/sweep_points.sql" as sweep with context %}
WITH
{% for mark, condition in marks.items() %}
{{ ("marked_" ~ mark) | name }} AS (
{% for each in breakdowns %}
    SELECT {{ by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ slices.key_columns(each.columns, []) }}
{% for name, sql in statistics.items() %}
        {{ sql }} AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM {{ rows }} AS counted_rows
    WHERE ({{ condition }}){% if where %} AND ({{ where }}){% endif %}

    GROUP BY ALL
    {{ "UNION ALL" if not loop.last }}
{% endfor %}
),
{% endfor %}
{{ sweep.at_points(marks.keys(), columns) }},
lengths AS (
    SELECT {{ (by + (slice_columns | list)) | unique | list | comma_ended }}breakdown, max(rank) AS length
    FROM {{ running }}
    GROUP BY ALL
),
placed AS (
    SELECT at_points.* EXCLUDE (mark), coalesce(length, 0) AS length,
        coalesce(mark, CASE
            WHEN rank = coalesce(chosen.best_rank, -1) THEN 'best' END) AS mark
    FROM at_points
    LEFT JOIN lengths ON {{ slices.agree("lengths", "at_points", []) }}
    LEFT JOIN {{ chosen }} AS chosen ON {{ slices.agree("chosen", "at_points", []) }}
)
SELECT {{ by | comma_ended }}slice, rank, threshold, mark,
{% for name in all_columns %}
    {{ name | name }}::DOUBLE AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM placed
WHERE mark IS NOT NULL OR rank IN (0, 1, length) OR rank % ceil(length / {{ points }})::BIGINT = 0
ORDER BY breakdown, slice::VARCHAR, {{ by | comma_ended }}rank NULLS LAST, mark

{# The running sums of the statistics from the highest score to the lowest: one row for each distinct score of a slice
   (of a unit, if each unit has its own threshold), with the sums over all rows with this score or a higher score.

   The naive way filters the rows again at each threshold θ, by score ≥ θ. Because statistics are additive, the sum at θ
   is the sum at the next higher threshold plus the rows with the score θ, so that one pass is enough. With the scores
   0.9 (hit), 0.8 (false alarm) and 0.5 (hit), the running numbers are 1, 1, 2 hits and 0, 1, 1 false alarms. Rows
   without a score are in no sum. tests/unit/test_sweep.py compares the two ways. #}
{# Variables: the fields of RunningSums in compiler/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import key_columns %}
{% for breakdown in slices.breakdowns %}
{% set keys = (slices.by + breakdown.columns + slices.kept) | unique | list %}
SELECT {{ slices.by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
        threshold,
        row_number() OVER down AS rank,
{% for name in statistics %}
        coalesce(sum({{ name | name }}) OVER down, 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM (
    SELECT {{ keys | comma_ended }}ranked_score({{ score }}) AS threshold,
{% for name, sql in statistics.items() %}
        {{ sql }} AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM {{ rows }} AS counted_rows
    WHERE ({{ score }}) IS NOT NULL{% if where %} AND ({{ where }}){% endif %}

    GROUP BY ALL
)
WINDOW down AS ({% if keys %}PARTITION BY {{ keys | names }} {% endif %}ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING)
{{ "UNION ALL" if not loop.last }}
{% endfor %}

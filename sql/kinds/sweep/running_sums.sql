{# The running sums of the statistics from the highest score to the lowest: one row for each distinct score of a slice
   (of a unit, if each unit has its own threshold), with the sums over all rows with this score or a higher score.

   The naive way filters the rows again at each threshold θ, by score ≥ θ. Because statistics are additive, the sum at θ
   is the sum at the next higher threshold plus the rows with the score θ, so that one pass is enough. With the scores
   0.9 (hit), 0.8 (false alarm) and 0.5 (hit), the running numbers are 1, 1, 2 hits and 0, 1, 1 false alarms. Rows
   without a score are in no sum. tests/unit/test_sweep.py compares the two ways. #}
{# Variables: the fields of RunningSums in plan/kinds/sweep.py. #}
{% for breakdown in slices.breakdowns %}
{% set keys = (slices.by + breakdown.columns + slices.kept) | unique | list %}
SELECT {% for column in slices.keys %}{{ column | name }}, {% endfor %}breakdown, threshold,
        row_number() OVER down AS rank,
{% for name in statistics %}
        coalesce(sum({{ name | name }}) OVER down, 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ scores }}
{% if slices.breakdowns | length > 1 %}
WHERE breakdown = {{ loop.index0 }}
{% endif %}
WINDOW down AS ({% if keys %}PARTITION BY {{ keys | names }} {% endif %}ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING)
{{ "UNION ALL" if not loop.last }}
{% endfor %}

{# The best point of the curve in each slice (or unit): the threshold at which the component named by `best` is largest or
   smallest, with all components at this threshold.

   The naive way tries each threshold θ in turn: accept the rows with score ≥ θ, add up their statistics, compute the
   components. Here the sums at all thresholds are already known (running_sums.sql), and the components are computed once for
   each threshold. Components within `tie` (1e-12) of the best value are ties, and the lowest of their thresholds is taken. The
   point that accepts no row is above all thresholds, so that it is taken only if there is no tie.
   tests/unit/test_sweep.py compares the result with the naive way. #}
{# Variables: the fields of Best in plan/kinds/sweep.py. #}
{# `best` can be one of the columns `hidden`, which are not components. With `crossing`, the threshold is the one of the
   best point, where two rates are nearest, and components are interpolated between the two points around the
   crossing. #}
{% from "kinds/shared/slices.sql" import agree %}
{% from "kinds/shared/components.sql" import joined_given, noted %}
{% from "kinds/sweep/points.sql" import at_points %}
{% from "kinds/sweep/crossing.sql" import crossed %}
{% set slices, statistics = sweep.slices, sweep.statistics %}
WITH {{ at_points(sweep, [], hidden) }},
optimum AS (
    SELECT {{ slices.keys | comma_ended }}breakdown, {{ better }}(nullif({{ best | name }}::DOUBLE, 'nan'::DOUBLE)) AS best
    FROM at_points
    GROUP BY ALL
),
{{ "nearest" if crossing else "chosen" }} AS (
    SELECT at_points.*
    FROM at_points JOIN optimum ON {{ agree(slices, "at_points", "optimum") }}
    WHERE at_points.{{ best | name }}::DOUBLE = optimum.best
        OR at_points.{{ best | name }}::DOUBLE {{ "> optimum.best -" if better == "max" else "< optimum.best +" }} {{ tie }}
    QUALIFY row_number() OVER (PARTITION BY {% for column in slices.keys %}at_points.{{ column | name }}, {% endfor %}at_points.breakdown ORDER BY threshold ASC NULLS LAST) = 1
){{ "," if crossing }}
{% if crossing %}
{{ crossed(sweep, crossing) }},
chosen AS (
    SELECT nearest.* REPLACE (
{% for name in sweep.components %}
        if(crossed.breakdown IS NULL, nearest.{{ name | name }}, crossed.{{ name | name }}) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    )
    FROM nearest LEFT JOIN crossed ON {{ agree(slices, "crossed", "nearest") }}
)
{% endif %}
SELECT {% for column in slices.keys %}sums.{{ column | name }}, {% endfor %}sums.scope, sums.slice, sums.breakdown,
{% for name in sweep.components %}
    chosen.{{ name | name }},
{% endfor %}
    {{ "finite(chosen.threshold)" if slices.mean else "chosen.threshold" }} AS threshold, chosen.rank AS best_rank,
    CASE WHEN chosen.rank = 0 THEN 'reject all' END AS remark,
{% if slices.mean %}
{% for name in statistics %}
    chosen.accepted.{{ name | name }} AS {{ name | name }},
{% endfor %}
{% endif %}
{% set zeros %}
CASE WHEN chosen.rank IS NULL THEN 'at every threshold'
         ELSE nullif(concat_ws(', '{% for name in statistics %}, CASE WHEN chosen.accepted.{{ name | name }} = 0 THEN '{{ name }} = 0' END{% endfor %}), '')
    END
{%- endset %}
    {{ noted(notes, zeros) }} AS note
FROM sums{{ " " ~ joined_given(sweep.given) if notes }} LEFT JOIN chosen ON {{ agree(slices, "chosen", "sums") }}

{# The sums of the components of the units of each block, and the number of units in which each component is defined. The
   threshold of a unit does not depend on other units, so that each resample has the same best thresholds. An infinite
   component makes the sum infinite. A row without a block stands for a slice that may have no units. #}
{# Variables: the fields of BlockMeans in compiler/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import key_columns, label %}
{% for breakdown in slices.breakdowns %}
{% set keys %}
{{ slices.by | comma_ended }}
    {{ label(slices, breakdown.columns) }} AS slice,
    {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
{% endset %}
SELECT {{ keys }}
    unit_block,
{% for name in components %}
    coalesce(sum({{ name | name }}::DOUBLE) FILTER (WHERE NOT isfinite({{ name | name }}::DOUBLE)), exact_sum(finite({{ name | name }}::DOUBLE))::DOUBLE, 0)
        AS {{ name | name }},
    count({{ name | name }})::DOUBLE AS {{ (name ~ "_defined") | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ breakdown.units }} AS units
WHERE breakdown = {{ loop.index0 }}
GROUP BY ALL
{% if slices.scopes is not none and not breakdown.columns %}
UNION ALL
SELECT {{ keys }}
    NULL AS unit_block,
{% for name in components %}
    0 AS {{ name | name }}, 0 AS {{ (name ~ "_defined") | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ slices.scopes }}
{% endif %}
{{ "UNION ALL" if not loop.last }}
{% endfor %}

{# Sums over the units of each block in each slice. A block has the units that a resample draws together, such as all
   units of one speaker. A row without a block represents a slice that may have no units. #}
{# Variables: the fields of SumsOfBlocks in plan/kinds/context.py. #}
{% from "kinds/shared/slices.sql" import grouped, key_columns, label %}
{% for breakdown in slices.breakdowns %}
{% set keys %}
{{ slices.by | comma_ended }}
    {{ label(slices, breakdown.columns) }} AS slice,
    {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
{% endset %}
SELECT {{ keys }}
    unit_block,
{% for name, sql in sums.items() %}
    ({{ sql }})::DOUBLE AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ breakdown.units }} AS units
{{ ("WHERE " ~ grouped(slices, breakdown)) if grouped(slices, breakdown) }}
GROUP BY ALL
{% if slices.scopes is not none and not breakdown.columns %}
UNION ALL
SELECT {{ keys }}
    NULL AS unit_block,
{% for name in sums %}
    0 AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ slices.scopes }}
{% endif %}
{{ "UNION ALL" if not loop.last }}
{% endfor %}

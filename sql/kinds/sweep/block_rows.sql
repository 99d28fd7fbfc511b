{# The statistics of the rows at each point, for each block and slice. A point is a score, or a mark of a curve, whose rows
   satisfy a condition. running_sums.sql adds up the rows of scores, which here are not yet added up over blocks: each
   resample takes blocks with other weights, and has running sums and a best threshold of its own. #}
{# Variables: the fields of BlockRows in compiler/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import key_columns %}
{% for point, condition in points %}
{% for breakdown in slices.breakdowns %}
SELECT {{ slices.by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
        unit_block, {{ point }},
{% for name, sql in statistics.items() %}
        coalesce({{ sql }}, 0)::DOUBLE AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ rows }} AS counted_rows
WHERE ({{ condition }}){% if where %} AND ({{ where }}){% endif %}

GROUP BY ALL
{{ "UNION ALL" if not loop.last }}
{% endfor %}
{{ "UNION ALL" if not loop.last }}
{% endfor %}

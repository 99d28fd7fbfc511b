{# The statistics at each score, for each block and slice: what running_sums.sql adds up, not yet added up over blocks.
   Each resample takes blocks with other weights, and has running sums and a best threshold of its own. #}
{# Variables: the fields of BlockRows in compiler/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import key_columns %}
{% for breakdown in slices.breakdowns %}
SELECT {{ slices.by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
        unit_block, ranked_score({{ score }}) AS threshold,
{% for name, sql in statistics.items() %}
        coalesce({{ sql }}, 0)::DOUBLE AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ rows }} AS counted_rows
WHERE ({{ score }}) IS NOT NULL{% if where %} AND ({{ where }}){% endif %}

GROUP BY ALL
{{ "UNION ALL" if not loop.last }}
{% endfor %}

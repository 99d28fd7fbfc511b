{# The scores of the metric: components computed from components of other metrics, which are joined by slice and fold. A
   metric without slices has the same value in every slice of the first metric. #}
{# Context: first and others (alias, table, whether the metric has slices), by (scope columns), components. #}
SELECT {% for column in by %}{{ first.alias }}.{{ column | name }}, {% endfor %}{{ first.alias }}.scope, {{ first.alias }}.slice, {{ first.alias }}.breakdown,
{% for name, sql in components.items() %}
    {{ sql }} AS {{ name | name }},
{% endfor %}
    nullif(concat_ws('; '{% for each in [first] + others %}, {{ each.alias }}.note{% endfor %}), '') AS note
FROM {{ first.table | name }} AS {{ first.alias }}
{% for other in others %}
LEFT JOIN {{ other.table | name }} AS {{ other.alias }}
    ON {{ other.alias }}.{{ "slice" if other.sliced else "scope" }} = {{ first.alias }}.{{ "slice" if other.sliced else "scope" }}
{%- for column in by %} AND {{ other.alias }}.{{ column | name }} IS NOT DISTINCT FROM {{ first.alias }}.{{ column | name }}{% endfor %}

{% endfor %}

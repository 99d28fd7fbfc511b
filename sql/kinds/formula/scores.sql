{# The scores of the metric: components computed from components of other metrics, which are joined by slice and fold. A
   metric without slices has the same value in every slice of the first metric. #}
{# Variables: the fields of FormulaScores in plan/kinds/formula.py. #}
SELECT {% for column in by %}{{ first.name }}.{{ column | name }}, {% endfor %}{{ first.name }}.scope, {{ first.name }}.slice, {{ first.name }}.breakdown,
{% for name, sql in components.items() %}
    {{ sql }} AS {{ name | name }},
{% endfor %}
    nullif(concat_ws('; '{% for operand in (first,) + others %}, {{ operand.name }}.note{% endfor %}), '') AS note
FROM {{ first.table }} AS {{ first.name }}
{% for other in others %}
LEFT JOIN {{ other.table }} AS {{ other.name }}
    ON {{ other.name }}.{{ "slice" if other.sliced else "scope" }} = {{ first.name }}.{{ "slice" if other.sliced else "scope" }}
{%- for column in by %} AND {{ other.name }}.{{ column | name }} IS NOT DISTINCT FROM {{ first.name }}.{{ column | name }}{% endfor %}

{% endfor %}

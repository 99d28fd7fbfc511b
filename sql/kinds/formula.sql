{# Kind `formula`: components over the components of other metrics, joined by fold and slice.
   Context: first and others (short name, table, whether it has standing slices), by_fold, components. #}
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

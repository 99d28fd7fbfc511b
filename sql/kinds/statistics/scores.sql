{# The scores of the metric: the sums of the statistics over the units, for all rows together and for each slice, and the
   components computed from these sums. With then = mean, the components are first computed for each unit and then
   averaged over the units. The components `of_slice` have one value for all units of a slice. #}
{# Variables: the fields of StatisticsScores in plan/kinds/statistics.py. #}
{% from "kinds/shared/slices.sql" import means, sums %}
{% from "kinds/shared/components.sql" import computed, joined_given, noted %}
WITH sums AS (
{{ sums(slices, statistics) }}
)
{% if slices.mean %}
, of_units AS (
    SELECT sums.*,
{{ computed(components) | indent(4, true) }}
{% if of_slice %}
{{ computed(of_slice) | indent(4, true) }}
{% endif %}
{% if remarks %}
    {{ noted(remarks, "NULL") }} AS remark
{% endif %}
    FROM sums
{{ joined_given(given) | indent(4, true) }}
)
{{ means(slices, components, "of_units", (of_slice | list) + (["remark"] if remarks else [])) }}
{% else %}
SELECT {% for column in slices.by %}sums.{{ column | name }}, {% endfor %}scope, slice, breakdown,
{{ computed(components) }}
{% if of_slice %}
{{ computed(of_slice) }}
{% endif %}
{% if remarks %}
    {{ noted(remarks, "NULL") }} AS remark,
{% endif %}
{% set zeros %}nullif(concat_ws(', '{% for name in statistics %}, CASE WHEN sums.{{ name | name }} = 0 THEN '{{ name }} = 0' END{% endfor %}), ''){% endset %}
    {{ noted(notes, zeros) }} AS note
FROM sums
{{ joined_given(given) }}
{% endif %}

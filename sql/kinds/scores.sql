{# The scores of the metric: the sums of the statistics over the units, for all rows together and for each slice, and the
   components computed from these sums. With then = mean, the components are first computed for each unit and then
   averaged over the units. #}
{# Context: as for slices.sql. #}
{% import "kinds/slices.sql" as slices with context %}
{% set kept = given_keys | map("last") | select("in", unit) | list if mean else [] %}
WITH sums AS (
{{ slices.sums(kept) }}
)
{% if mean %}
, of_units AS (
    SELECT sums.*,
{{ slices.computed() | indent(4, true) }}
    FROM sums
{{ slices.joined_given() | indent(4, true) }}
)
{{ slices.means("of_units") }}
{% else %}
SELECT {% for column in by %}sums.{{ column | name }}, {% endfor %}scope, slice, breakdown,
{{ slices.computed() }}
{% set zeros %}nullif(concat_ws(', '{% for name in statistics %}, CASE WHEN sums.{{ name | name }} = 0 THEN '{{ name }} = 0' END{% endfor %}), ''){% endset %}
    {{ slices.noted(zeros) }} AS note
FROM sums
{{ slices.joined_given() }}
{% endif %}

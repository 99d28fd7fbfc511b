{# Kind `statistics` and its short forms: sums over units, overall and per standing slice, and the components over them.
   Context: that of slices.sql, which see. #}
{% import "kinds/slices.sql" as slices with context %}
{% set kept = given_keys | map("last") | select("in", unit) | list if mean else [] %}
WITH sums AS (
{{ slices.sums(kept) }}
)
{% if mean %}
, of_units AS (
    SELECT sums.*,
{{ slices.computed() }}
    FROM sums
{{ slices.joined_given() }}
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

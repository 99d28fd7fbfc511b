{# Every kind but `formula`: sums over units, overall and per standing slice, and the components over them.
   Context: units, by (scope columns), label_columns (those that label a slice: all but the fold),
   varied (the fixed part of the slice), breakdowns (column lists, the first empty), statistics (names),
   components, given (a relation or none), given_values, given_keys, mean (components per unit first), unit. #}
{% macro slice_of(columns) %}
json_object({% for key, value in varied %}{{ key | text }}, {{ value }}, {% endfor %}
{%- for column, key in label_columns %}{{ key | text }}, {{ column | name }}, {% endfor %}
{%- for column in columns %}{{ column | text }}, {{ column | name }}{{ ", " if not loop.last }}{% endfor %})
{%- endmacro %}
{% macro joined_given(of) %}
{% if given is not none %}
LEFT JOIN (SELECT {{ given_keys | comma_ended }}{{ given_values | names }} FROM {{ given }}) AS given
    ON true
{%- for key in given_keys %} AND given.{{ key | name }} IS NOT DISTINCT FROM {{ of }}.{{ key | name }}{% endfor %}

{% endif %}
{% endmacro %}
{% macro computed() %}
{% for name, sql in components.items() %}
    {{ sql }} AS {{ name | name }},
{% endfor %}
{% endmacro %}
{% if mean %}
WITH of_units AS (
    SELECT units.*,
{{ computed() }}
    FROM {{ units }} AS units
    {{ joined_given("units") }}
)
{% for columns in breakdowns %}
SELECT {{ by | comma_ended }}
    {{ slice_of([]) }} AS scope,
    {{ slice_of(columns) }} AS slice,
    {{ loop.index0 }} AS breakdown,
{% for name in components %}
    exact_mean({{ name | name }}) AS {{ name | name }},
{% endfor %}
    CASE WHEN count(*) = 0 THEN 'no units'
         WHEN {% for name in components %}count({{ name | name }}) < count(*){{ " OR " if not loop.last }}{% endfor %}

         THEN concat('defined in '
{%- for name in components %}, count({{ name | name }}), ' ({{ name }}){{ ", " if not loop.last }}'{% endfor %}, ' of ', count(*), ' units')
    END AS note
FROM of_units
GROUP BY ALL
{{ "UNION ALL" if not loop.last }}
{% endfor %}
{% else %}
WITH sums AS (
{% for columns in breakdowns %}
    SELECT {{ by | comma_ended }}
        {{ slice_of([]) }} AS scope,
        {{ slice_of(columns) }} AS slice,
        {{ loop.index0 }} AS breakdown,
{% for column in slice_columns %}
        {{ (column | name) if column in columns else "NULL" }} AS {{ column | name }},
{% endfor %}
{% for name in statistics %}
        coalesce(sum({{ name | name }}), 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM {{ units }}
    GROUP BY ALL
    {{ "UNION ALL" if not loop.last }}
{% endfor %}
)
SELECT {% for column in by %}sums.{{ column | name }}, {% endfor %}scope, slice, breakdown,
{{ computed() }}
    nullif(concat_ws(', '{% for name in statistics %}, CASE WHEN sums.{{ name | name }} = 0 THEN '{{ name }} = 0' END{% endfor %}), '') AS note
FROM sums
{{ joined_given("sums") }}
{% endif %}

{# Macros about the components of a metric: the components as columns, the values of another relation that they read, the
   values that a mean over folds has, and the reason why components are undefined. #}
{# The components as columns: SQL by name. A component can use the components before it. #}
{% macro computed(components) %}
{% for name, sql in components.items() %}
    {{ sql }} AS {{ name | name }},
{% endfor %}
{% endmacro %}
{# The join of the rows of `sums` with the values that the metric reads from a relation: `given` is a Given of
   compiler/kinds/context.py, or none. #}
{% macro joined_given(given) %}
{% if given is not none %}
LEFT JOIN (SELECT {{ given.keys | map("first") | list | comma_ended }}{{ given.columns | names }} FROM {{ given.relation }}) AS given
    ON {% for theirs, ours in given.keys %}given.{{ theirs | name }} IS NOT DISTINCT FROM sums.{{ ours | name }}{{ " AND " if not loop.last }}{% else %}true{% endfor %}

{% endif %}
{% endmacro %}
{# The reason why components are undefined: the first note of the metric whose condition holds or, if none holds,
   `otherwise`. #}
{% macro noted(notes, otherwise) %}
{% if notes %}CASE {% for note in notes %}WHEN {{ note.sql }} THEN {{ note.says | text }} {% endfor %}ELSE {{ otherwise }} END{% else %}{{ otherwise }}{% endif %}
{%- endmacro %}
{# Whether all components of a fold are defined, except those that are `remarked`. With `jointly`, no component counts in a
   fold in which this does not hold. #}
{% macro all_defined(components, remarked) %}
{% for name in components %}{{ "(remark IS NOT NULL OR " if name in remarked }}finite({{ name | name }}::DOUBLE) IS NOT NULL{{ ")" if name in remarked }}{{ " AND " if not loop.last }}{% endfor %}
{% endmacro %}

{# Macros about the components of a metric: the components as columns, the values of another relation that they read, the
   values that a mean over folds has, and the reason why components are undefined. #}
{# The components as columns: SQL by name. A component can use the components before it. #}
{% macro computed(components) %}
{% for name, sql in components.items() %}
    {{ sql }} AS {{ name | name }},
{% endfor %}
{% endmacro %}
{# The join of the rows of `sums` with the values that the metric reads from a relation: `given` is a Given of
   plan/kinds/context.py, or none. A relation with two rows for one slice (or one unit, with a mean over units) ends
   the run: a join with both would give each component twice, or one of two values. #}
{% macro joined_given(given) %}
{% if given is not none %}
LEFT JOIN (
    SELECT {{ given.keys | map("first") | list | comma_ended }}{% for name in given.columns %}any_value({{ name | name }}) AS {{ name | name }}{{ ", " if not loop.last }}{% endfor %}

    FROM {{ given.relation }} AS row_
{% if given.keys %}
    GROUP BY {{ given.keys | map("first") | list | names }}
{% endif %}
    HAVING if(count(*) > 1, error(concat('relation {{ given.name }}: `given` reads {{ "one row per " ~ (given.keys | map("first") | join(" and ")) if given.keys else "a single row" }}, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
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

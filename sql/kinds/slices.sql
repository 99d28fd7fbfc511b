{# Macros for all kinds: the label of a slice, the sums over the units of each slice, the join with given values, the
   components computed from these, and the means of components over units. Imported with context. #}
{# Context: by (scope columns), label_columns (the scope columns that label a slice: all except the fold), varied (the
   fixed part of the label), breakdowns (each with its columns and units; the first has no columns), slice_columns,
   statistics (names), components, notes, given (a relation, or none), given_values, given_keys (pairs of a column of
   `given` and a column of the metric), overall (whether there is a row over all slices), mean (whether components are
   first computed for each unit), unit, scopes (a table of the values of the scope, or none). #}
{# The label of a slice, as JSON. If there is no row over all slices, columns that are NULL are left out of the label,
   because a label without columns then cannot be mistaken for the label of all rows. #}
{% macro slice_of(columns) %}
{{ "json_merge_patch('{}', " if columns and not overall }}json_object({% for key, value in varied %}{{ key | text }}, {{ value }}{{ ", " if not loop.last or label_columns or columns }}{% endfor %}
{%- for column, key in label_columns %}{{ key | text }}, {{ column | name }}{{ ", " if not loop.last or columns }}{% endfor %}
{%- for column in columns %}{{ column | text }}, {{ column | name }}{{ ", " if not loop.last }}{% endfor %}){{ ")" if columns and not overall }}
{%- endmacro %}
{# The components as columns. A component can use the components before it. #}
{% macro computed() %}
{% for name, sql in components.items() %}
    {{ sql }} AS {{ name | name }},
{% endfor %}
{% endmacro %}
{# The reason why components are undefined: the first note of the metric whose condition holds or, if none holds,
   `otherwise`. #}
{% macro noted(otherwise) %}
{% if notes %}CASE {% for each in notes %}WHEN {{ each.sql }} THEN {{ each.says | text }} {% endfor %}ELSE {{ otherwise }} END{% else %}{{ otherwise }}{% endif %}
{%- endmacro %}
{% macro joined_given() %}
{% if given is not none %}
LEFT JOIN (SELECT {{ given_keys | map("first") | list | comma_ended }}{{ given_values | names }} FROM {{ given }}) AS given
    ON {% for theirs, ours in given_keys %}given.{{ theirs | name }} IS NOT DISTINCT FROM sums.{{ ours | name }}{{ " AND " if not loop.last }}{% else %}true{% endfor %}

{% endif %}
{% endmacro %}
{# The key columns of the rows, without the number of the breakdown. #}
{% macro keys_of(kept) %}{{ (by + (slice_columns | list) + kept) | unique | list | comma_ended }}{% endmacro %}
{# The key columns of one breakdown. Columns of other breakdowns are NULL. #}
{% macro key_columns(columns, kept) %}
{% for column in (slice_columns | list + kept) | unique %}
        {{ (column | name) if column in columns or column in kept else "NULL" }} AS {{ column | name }},
{% endfor %}
{% endmacro %}
{# The join condition: two tables agree in the key columns and in the breakdown. #}
{% macro agree(one, other, kept) -%}
{{ one }}.breakdown = {{ other }}.breakdown
{%- for column in (by + (slice_columns | list) + kept) | unique %} AND {{ one }}.{{ column | name }} IS NOT DISTINCT FROM {{ other }}.{{ column | name }}{% endfor %}
{%- endmacro %}
{# The sums of the statistics in each slice or, if components are first computed for each unit, in each unit of each
   slice. `kept` are columns of the unit to keep. #}
{% macro sums(kept) %}
{% for each in breakdowns %}
    SELECT {{ by | comma_ended }}
        {{ slice_of([]) }} AS scope,
        {{ slice_of(each.columns) }} AS slice,
        {{ loop.index0 }} AS breakdown,
{{ key_columns(each.columns, kept) }}
{% for name in statistics %}
        coalesce(sum({{ name | name }}), 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM {% if scopes is none or each.columns or mean %}{{ each.units }}{% else %}(FROM {{ each.units }} UNION ALL BY NAME FROM {{ scopes }}){% endif %}

{% set groups = (by + each.columns | list + unit) | unique | list %}
    {{ "GROUP BY ALL" if not mean else ("GROUP BY " ~ (groups | names) if groups else "") }}
    {{ "UNION ALL" if not loop.last }}
{% endfor %}
{% endmacro %}
{# The mean of each component over the units of `table`, in each slice. An infinite component makes the mean infinite.
   #}
{% macro means(table) %}
{% for each in breakdowns %}
SELECT {{ by | comma_ended }}
    {{ slice_of([]) }} AS scope,
    {{ slice_of(each.columns) }} AS slice,
    {{ loop.index0 }} AS breakdown,
{% for name in components %}
    coalesce(sum({{ name | name }}) FILTER (WHERE NOT isfinite({{ name | name }}::DOUBLE)), exact_mean(finite({{ name | name }}::DOUBLE)))
        AS {{ name | name }},
{% endfor %}
    CASE WHEN count(breakdown) = 0 THEN 'no units'
         WHEN {% for name in components %}count({{ name | name }}) < count(breakdown){{ " OR " if not loop.last }}{% endfor %}

         THEN concat('defined in '
{%- for name in components %}, count({{ name | name }}), ' ({{ name }}){{ ", " if not loop.last }}'{% endfor %}, ' of ', count(breakdown), ' units')
    END AS note
FROM (
    FROM {{ table }} WHERE breakdown = {{ loop.index0 }}
{% if scopes is not none and not each.columns %}
    UNION ALL BY NAME FROM {{ scopes }}
{% endif %}
) AS units_of_breakdown
GROUP BY ALL
{{ "UNION ALL" if not loop.last }}
{% endfor %}
{% endmacro %}

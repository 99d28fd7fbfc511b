{# Macros about the slices of a metric: the label of a slice, the sums over the units of each slice, and the means of
   components over units. #}
{# `slices` is a Slices of plan/kinds/context.py, `statistics` and `components` are SQL by name. #}
{# The label of a slice, as JSON. If there is no row over all slices, columns that are NULL are left out of the label,
   because a label without columns then cannot be mistaken for the label of all rows. #}
{% macro label(slices, columns) %}
{{ "json_merge_patch('{}', " if columns and not slices.overall }}json_object({% for key, value in slices.varied %}{{ key | text }}, {{ value }}{{ ", " if not loop.last or slices.label_columns or columns }}{% endfor %}
{%- for column, key in slices.label_columns %}{{ key | text }}, {{ column | name }}{{ ", " if not loop.last or columns }}{% endfor %}
{%- for column in columns %}{{ column | text }}, {{ column | name }}{{ ", " if not loop.last }}{% endfor %}){{ ")" if columns and not slices.overall }}
{%- endmacro %}
{# The key columns of one breakdown, without the columns of the scope. Columns of other breakdowns are NULL. #}
{% macro key_columns(slices, breakdown) %}
{% for column in (slices.columns + slices.kept) | unique %}
        {{ (column | name) if column in breakdown.columns or column in slices.kept else "NULL" }} AS {{ column | name }},
{% endfor %}
{% endmacro %}
{# The condition for the rows of a breakdown: a row without a value in any of its columns is in no group. '' if all rows are
   in it. Without a score over all rows, every row is in a group. #}
{% macro grouped(slices, breakdown) -%}
{% if breakdown.columns and slices.overall %}NOT ({% for column in breakdown.columns %}{{ column | name }} IS NULL{{ " AND " if not loop.last }}{% endfor %}){% endif %}
{%- endmacro %}
{# The join condition: two tables agree in the key columns and in the breakdown. #}
{% macro agree(slices, one, other) -%}
{{ one }}.breakdown = {{ other }}.breakdown
{%- for column in slices.keys %} AND {{ one }}.{{ column | name }} IS NOT DISTINCT FROM {{ other }}.{{ column | name }}{% endfor %}
{%- endmacro %}
{# The sums of the statistics in each slice or, if components are first computed for each unit, in each unit of each
   slice. #}
{% macro sums(slices, statistics) %}
{% for breakdown in slices.breakdowns %}
    SELECT {{ slices.by | comma_ended }}
        {{ label(slices, []) }} AS scope,
        {{ label(slices, breakdown.columns) }} AS slice,
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
{% for name in statistics %}
        coalesce(sum({{ name | name }}), 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM {% if slices.scopes is none or breakdown.columns or slices.mean %}{{ breakdown.units }}{% else %}(FROM {{ breakdown.units }} UNION ALL BY NAME FROM {{ slices.scopes }}){% endif %}

    {{ ("WHERE " ~ grouped(slices, breakdown)) if grouped(slices, breakdown) }}
{% set groups = (slices.by + breakdown.columns + slices.unit) | unique | list %}
    {{ "GROUP BY ALL" if not slices.mean else ("GROUP BY " ~ (groups | names) if groups else "") }}
    {{ "UNION ALL" if not loop.last }}
{% endfor %}
{% endmacro %}
{# The statistics of `rows`, grouped by slice and by `columns`, which is SQL such as "score AS threshold". Only rows that meet
   all `conditions` count. A condition that is none is ignored. The caller writes the SQL of each statistic. #}
{% macro statistics_by(slices, columns, statistics, rows, conditions) %}
{% for breakdown in slices.breakdowns %}
{% set given = (conditions + [grouped(slices, breakdown)]) | select | list %}
SELECT {{ slices.by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
        {{ columns }},
{% for name, sql in statistics.items() %}
        {{ caller(sql) }} AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ rows }} AS counted_rows
WHERE {{ given[0] if given | length == 1 else "(" ~ given | join(") AND (") ~ ")" }}
GROUP BY ALL
{{ "UNION ALL" if not loop.last }}
{% endfor %}
{% endmacro %}
{# The mean of each component over the units of `table`, in each slice. An infinite component makes the mean infinite. The
   columns `of_slice` have the same value in all units of a slice, and keep it. #}
{% macro means(slices, components, table, of_slice=()) %}
{% for breakdown in slices.breakdowns %}
SELECT {{ slices.by | comma_ended }}
    {{ label(slices, []) }} AS scope,
    {{ label(slices, breakdown.columns) }} AS slice,
    {{ loop.index0 }} AS breakdown,
{% for name in components %}
    coalesce(sum({{ name | name }}) FILTER (WHERE NOT isfinite({{ name | name }}::DOUBLE)), exact_mean(finite({{ name | name }}::DOUBLE)))
        AS {{ name | name }},
{% endfor %}
{% for name in of_slice %}
    max({{ name | name }}) AS {{ name | name }},
{% endfor %}
    CASE WHEN count(breakdown) = 0 THEN 'no units'
         WHEN {% for name in components %}count({{ name | name }}) < count(breakdown){{ " OR " if not loop.last }}{% endfor %}

         THEN concat('defined in '
{%- for name in components %}, count({{ name | name }}), ' ({{ name }}){{ ", " if not loop.last }}'{% endfor %}, ' of ', count(breakdown), ' units')
    END AS note
FROM (
    FROM {{ table }} WHERE breakdown = {{ loop.index0 }}
{% if slices.scopes is not none and not breakdown.columns %}
    UNION ALL BY NAME FROM {{ slices.scopes }}
{% endif %}
) AS units_of_breakdown
GROUP BY ALL
{{ "UNION ALL" if not loop.last }}
{% endfor %}
{% endmacro %}

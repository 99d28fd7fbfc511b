{# All points of the curve: each threshold with the components at this threshold. The point that accepts no row has rank 0
   and no threshold. #}
{# Macros, imported with context: as for slices.sql, and running (the table of sweep_sums.sql), kept, reject_all. #}
{% import "kinds/slices.sql" as slices with context %}
{% macro point(rank, threshold, mark, accepted) %}
    SELECT {% for column in (by + (slice_columns | list) + kept) | unique %}sums.{{ column | name }}, {% endfor %}

        sums.slice, sums.breakdown, {{ rank }} AS rank, {{ threshold }} AS threshold, {{ mark }} AS mark,
        { {%- for name in statistics %}{{ name | name }}: sums.{{ name | name }}{{ ", " if not loop.last }}{% endfor %} } AS total,
{% for name in given_values %}
        given.{{ name | name }},
{% endfor %}
{% for name in statistics %}
        {{ "coalesce(" ~ accepted ~ "." ~ (name | name) ~ ", 0)" if accepted else "0" }} AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM sums
{{ slices.joined_given() | indent(4, true) }}
{% endmacro %}
{# The CTEs sums (one row for each slice or unit), points (the sums at each threshold) and at_points (the components at
   each threshold). `marks` are the names of the marked points, whose sums are in the CTEs `marked_…`. `columns` are
   further columns, as SQL by name. #}
{% macro at_points(marks, columns) %}
sums AS (
{{ slices.sums(kept) }}
),
points AS NOT MATERIALIZED (
{{ point("coalesce(running.rank, 0)", "running.threshold", "NULL::VARCHAR", "running") }}
    {{ "" if reject_all else "LEFT " }}JOIN {{ running }} AS running ON {{ slices.agree("running", "sums", kept) }}
{% if reject_all %}
    UNION ALL
{{ point("0", "NULL", "NULL", "") }}
{% endif %}
{% for mark in marks %}
    UNION ALL
{{ point("NULL", "NULL", mark | text, "marked") }}
    LEFT JOIN {{ ("marked_" ~ mark) | name }} AS marked ON {{ slices.agree("marked", "sums", kept) }}
{% endfor %}
),
at_points AS NOT MATERIALIZED (
    SELECT {{ (by + (slice_columns | list) + kept) | unique | list | comma_ended }}slice, breakdown, rank, threshold, mark,
{{ slices.computed() | indent(4, true) }}
{% for name, sql in columns.items() %}
        {{ sql }} AS {{ name | name }},
{% endfor %}
        { {%- for name in statistics %}{{ name | name }}: points.{{ name | name }}{{ ", " if not loop.last }}{% endfor %} } AS accepted
    FROM points
)
{% endmacro %}

{# All points of the curve: each threshold with the components at this threshold. The point that accepts no row has rank 0
   and no threshold. #}
{# `sweep` is a Sweep of plan/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import agree, sums %}
{% from "kinds/shared/components.sql" import computed, joined_given %}
{% macro point(sweep, rank, threshold, mark, accepted) %}
    SELECT {% for column in sweep.slices.keys %}sums.{{ column | name }}, {% endfor %}

        sums.slice, sums.breakdown, {{ rank }} AS rank, {{ threshold }} AS threshold, {{ mark }} AS mark,
        { {%- for name in sweep.statistics %}{{ name | name }}: sums.{{ name | name }}{{ ", " if not loop.last }}{% endfor %} } AS total,
{% for name in (sweep.given.columns if sweep.given else ()) %}
        given.{{ name | name }},
{% endfor %}
{% for name in sweep.statistics %}
        {{ "coalesce(" ~ accepted ~ "." ~ (name | name) ~ ", 0)" if accepted else "0" }} AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM sums
{{ joined_given(sweep.given) | indent(4, true) }}
{% endmacro %}
{# The CTEs sums (one row for each slice or unit), points (the sums at each threshold) and at_points (the components at
   each threshold). `marks` are the names of the marked points, whose sums are in the CTEs `marked_…`. `columns` are
   further columns, as SQL by name. #}
{% macro at_points(sweep, marks, columns) %}
sums AS (
{{ sums(sweep.slices, sweep.statistics) }}
),
points AS NOT MATERIALIZED (
{{ point(sweep, "coalesce(running.rank, 0)", "running.threshold", "NULL::VARCHAR", "running") }}
    {{ "" if sweep.reject_all else "LEFT " }}JOIN {{ sweep.running }} AS running ON {{ agree(sweep.slices, "running", "sums") }}
{% if sweep.reject_all %}
    UNION ALL
{{ point(sweep, "0", "NULL", "NULL", "") }}
{% endif %}
{% for mark in marks %}
    UNION ALL
{{ point(sweep, "NULL", "NULL", mark | text, "marked") }}
    LEFT JOIN {{ ("marked_" ~ mark) | name }} AS marked ON {{ agree(sweep.slices, "marked", "sums") }}
{% endfor %}
),
at_points AS NOT MATERIALIZED (
    SELECT {{ sweep.slices.keys | comma_ended }}slice, breakdown, rank, threshold, mark,
{{ computed(sweep.components) | indent(4, true) }}
{% for name, sql in columns.items() %}
        {{ sql }} AS {{ name | name }},
{% endfor %}
        { {%- for name in sweep.statistics %}{{ name | name }}: points.{{ name | name }}{{ ", " if not loop.last }}{% endfor %} } AS accepted
    FROM points
)
{% endmacro %}

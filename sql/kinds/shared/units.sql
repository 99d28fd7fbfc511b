{# The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics of a slice
   are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0. #}
{# Variables: the fields of StatisticsPerUnit in plan/kinds/context.py. #}
{% macro counted() %}
SELECT {{ keys | comma_ended }}
{% for name, sql in statistics.items() %}
    {{ sql }} AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ rows }} AS counted_rows
{% if where %}
WHERE {{ where }}
{% endif %}
GROUP BY ALL
{% endmacro %}
{% if units is none %}
{{ counted() }}
{% else %}
WITH counted AS (
{{ counted() | indent(4, true) }}
)
SELECT {% for key in keys %}all_units.{{ key | name }}, {% endfor %}

{% for name in statistics %}
    coalesce({{ name | name }}, 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM (
    FROM (SELECT DISTINCT {{ units_keys | names }} FROM {{ units }})
{% if other_keys %}
    CROSS JOIN (
        SELECT DISTINCT {{ other_keys | names }} FROM counted
{% for table in listed %}
        UNION
        SELECT {{ other_keys | names }} FROM {{ table }} WHERE {% for key in other_keys %}{{ key | name }} IS NOT NULL{{ " AND " if not loop.last }}{% endfor %}

{% endfor %}
    )
{% endif %}
) AS all_units
LEFT JOIN counted ON {% for key in keys %}counted.{{ key | name }} IS NOT DISTINCT FROM all_units.{{ key | name }}{{ " AND " if not loop.last }}{% else %}true{% endfor %}

{% endif %}

{# The sums of the statistics at the marked points of a curve. At a marked point, the accepted rows are those that satisfy a
   condition, such as decision = 'YES', and not those above a threshold. #}
{# Variables: the fields of MarkedSums in compiler/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import key_columns %}
{% for mark, condition in marks.items() %}
{% for breakdown in slices.breakdowns %}
SELECT {{ slices.by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
        {{ mark | text }} AS mark,
{% for name, sql in statistics.items() %}
        {{ sql }} AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
FROM {{ rows }} AS counted_rows
WHERE ({{ condition }}){% if where %} AND ({{ where }}){% endif %}

GROUP BY ALL
{{ "UNION ALL" if not loop.last }}
{% endfor %}
{{ "UNION ALL" if not loop.last }}
{% endfor %}

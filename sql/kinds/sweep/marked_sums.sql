{# The sums of the statistics at the marked points of a curve. At a marked point, the accepted rows are those that satisfy a
   condition, such as decision = 'YES', and not those above a threshold. #}
{# Variables: the fields of MarkedSums in plan/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import statistics_by %}
{% for mark, condition in marks.items() %}
{% call(sql) statistics_by(slices, (mark | text) ~ " AS mark", statistics, rows, [condition, where]) %}{{ sql }}{% endcall %}
{{ "UNION ALL" if not loop.last }}
{% endfor %}

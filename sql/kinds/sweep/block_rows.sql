{# The statistics of the rows at each point, for each block and slice. A point is a score, or a mark of a curve, whose rows
   satisfy a condition. running_sums.sql adds up the rows of scores, which here are not yet added up over blocks: each
   resample takes blocks with other weights, and has running sums and a best threshold of its own. #}
{# Variables: the fields of BlockRows in plan/kinds/sweep.py. #}
{% from "kinds/shared/slices.sql" import statistics_by %}
{% for point, condition in points %}
{% call(sql) statistics_by(slices, "unit_block, " ~ point, statistics, rows, [condition, where]) %}coalesce({{ sql }}, 0)::DOUBLE{% endcall %}
{{ "UNION ALL" if not loop.last }}
{% endfor %}

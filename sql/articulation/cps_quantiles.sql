{# The `quantile` (99.9 %) of velocity and of jerk of each synthesis, the first and third differences of its control
   parameters over time. The quantile is over all frames and parameters together, interpolated between the two nearest
   values. Four frames are needed for one third difference. #}
{% macro quantile_of_list(list) %}
list_aggregate({{ "list_transform(" ~ list ~ ", lambda x: abs(x))" if quantile_of.value == "absolute" else list }}, 'quantile_cont', {{ quantile }})
{%- endmacro %}
SELECT submission, task, token, shape, fault, len(third) > 0 AS enough_frames,
    {{ quantile_of_list("first") }} AS velocity,
    {{ quantile_of_list("third") }} AS jerk
FROM {{ rows }}

{# The `quantile` (99.9 %) of the velocities and of the jerks of each synthesis. Velocities are the first differences of its
   control parameters between frames, and jerks the third differences. The quantile is over all frames and parameters
   together, with linear interpolation. A third difference needs four frames. #}
{% macro quantile_of_list(list) %}
list_aggregate({{ "list_transform(" ~ list ~ ", lambda x: abs(x))" if quantile_of.value == "absolute" else list }}, 'quantile_cont', {{ quantile }})
{%- endmacro %}
SELECT submission, task, token, shape, fault, len(third) > 0 AS enough_frames,
    {{ quantile_of_list("first") }} AS velocity,
    {{ quantile_of_list("third") }} AS jerk
FROM {{ rows }}

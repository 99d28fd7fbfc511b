{# A high quantile of velocity and of jerk, over all frames and parameters of a token together. #}
{% macro quantile_of_list(list) %}
list_aggregate({{ "list_transform(" ~ list ~ ", lambda x: abs(x))" if quantile_of.value == "absolute" else list }}, 'quantile_cont', {{ quantile }})
{%- endmacro %}
SELECT submission, task, token, shape, fault, len(third) > 0 AS enough_frames,
    {{ quantile_of_list("first") }} AS velocity,
    {{ quantile_of_list("third") }} AS jerk
FROM {{ rows }}

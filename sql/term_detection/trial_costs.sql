{# What the scores of trials cost when they are taken for log likelihood ratios: bits of a true and of a false trial. #}
{% macro bits(x) -%}
(greatest({{ x }}, 0) + ln(1 + exp(-abs({{ x }})))) / ln(2e0)
{%- endmacro %}
SELECT trial_.*, if(true_trials = 0, 0, {{ bits("-(score + logit(p_tar))") }}) AS true_bits,
    if(false_trials = 0, 0, {{ bits("score + logit(p_tar)") }}) AS false_bits
FROM {{ trial_scores }} AS trial_, (SELECT p_tar FROM {{ operating_point }})

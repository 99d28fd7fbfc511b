{# The error of the sensors of each token, beside the baseline's: the sum of both, of the three axes together or each. #}
{% import "articulation/errors.jinja" as errors with context %}
WITH sensors AS (
    SELECT submission, task, token, compared,
        {{ "rmse" if ema_form.value == "program" else "list_sum(channel_rmse) / 6" }} AS error,
        {{ errors.said("compared", "'reference_' || compared") }} AS left_out,
        {{ errors.matter() }} AS matter
    FROM {{ ema_rmse }}
), measured AS (
    SELECT submission, task, token, if(count(error) = 2, sum(error), NULL) AS error,
        arg_min(left_out, compared) FILTER (WHERE matter = first_matter) AS left_out, any_value(first_matter) AS matter
    FROM (SELECT *, min(matter) OVER (PARTITION BY submission, task, token) AS first_matter FROM sensors)
    GROUP BY ALL
)
{{ errors.beside_baseline("ema", "measured", baseline_ema, true) }}

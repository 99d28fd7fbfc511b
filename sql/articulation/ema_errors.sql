{# The error of the sensors of each token, beside the baseline's: the sum of both, of the three axes together or each.
   #}
{% import "articulation/errors.jinja" as errors with context %}
{# A single frame is not resampled: only channels may be held against all of the other side. #}
{% set same_length = "split_part(shape, ' ', 1) = split_part(reference_shape, ' ', 1)" %}
WITH sensors AS (
    SELECT submission, task, token, compared,
        {{ "rmse" if ema_form.value == "program" else "list_avg(channel_rmse) / 2" }} AS error,
        {{ errors.said("compared", "'reference_' || compared") }} AS left_out,
        {{ errors.matter() }} AS matter
    FROM (
        SELECT * REPLACE (
            comparable AND {{ same_length }} AS comparable,
            if({{ same_length }}, rmse, NULL) AS rmse,
            if({{ same_length }}, channel_rmse, NULL) AS channel_rmse)
        FROM {{ ema_rmse }}
    )
), measured AS (
    SELECT submission, task, token, if(count(error) = 2, sum(error), NULL) AS error,
        arg_min(left_out, compared) FILTER (WHERE matter = first_matter) AS left_out, any_value(first_matter) AS matter
    -- In the order of their names: what no reference is there for is no fault, and what is refused comes before the rest.
    FROM (SELECT *, min(matter) OVER (PARTITION BY submission, task, token) AS first_matter FROM sensors)
    GROUP BY ALL
)
{{ errors.beside_baseline("ema", "measured", baseline_ema, true) }}

{# The error of each token in ema, with the error of the baseline for the same token. With ema_form = program, as in
   articubench, the error is the sum of the RMSE of the sensors TT and TB, each over frames and the three axes together.
   Otherwise it is the mean of the six RMSEs of one axis of one sensor. #}
{% import "articulation/errors.jinja" as errors with context %}
{# Sequences of different lengths are resampled before, but a single frame cannot be. Such a pair is not comparable,
   even with `broadcast`; a single channel then still is. #}
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
    -- Of the reasons of the two sensors the first in alphabetical order is reported: 'no reference', which is no fault,
    -- then 'not comparable', which refuses the run, then 'unusable'.
    FROM (SELECT *, min(matter) OVER (PARTITION BY submission, task, token) AS first_matter FROM sensors)
    GROUP BY ALL
)
{{ errors.beside_baseline("ema", "measured", baseline_ema, true) }}

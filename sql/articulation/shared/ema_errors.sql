{# The error of each token in ema, with the error of the baseline for the same token. With ema_form = program, as in
   articubench, the error is the RMSE of sensor TT plus the RMSE of sensor TB, each over all frames and axes together.
   Otherwise it is the mean of six RMSEs, one for each axis of each sensor. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{# Sequences of different lengths have been resampled, but a single frame cannot be resampled. Such a pair of sequences is
   not comparable, even with `broadcast`; a single channel is comparable with `broadcast`. #}
{% set same_length = "split_part(shape, ' ', 1) = split_part(reference_shape, ' ', 1)" %}
WITH sensors AS (
    SELECT submission, task, token, compared,
        {{ "rmse" if ema_form.value == "program" else "list_avg(channel_rmse) / 2" }} AS error,
        {{ errors.reason("compared", "'reference_' || compared") }} AS left_out,
        {{ errors.problem() }} AS problem
    FROM (
        SELECT * REPLACE (
            comparable AND {{ same_length }} AS comparable,
            if({{ same_length }}, rmse, NULL) AS rmse,
            if({{ same_length }}, channel_rmse, NULL) AS channel_rmse)
        FROM {{ ema_rmse }}
    )
), measured AS (
    SELECT submission, task, token, if(count(error) = 2, sum(error), NULL) AS error,
        arg_min(left_out, compared) FILTER (WHERE problem = first_problem) AS left_out, any_value(first_problem) AS problem
    -- If both sensors have a problem, the first in alphabetical order is reported: 'no reference', which is no error, then
    -- 'not comparable', which ends the run, then 'unusable'.
    FROM (SELECT *, min(problem) OVER (PARTITION BY submission, task, token) AS first_problem FROM sensors)
    GROUP BY ALL
)
{{ errors.with_baseline("ema", "measured", baseline_ema, true) }}

{# The error of the loudness of each token, beside the baseline's. #}
{% import "articulation/errors.jinja" as errors with context %}
WITH measured AS (
    SELECT submission, task, token, rmse AS error, {{ errors.said("'loudness'", "'target_loudness'") }} AS left_out,
        {{ errors.matter() }} AS matter
    FROM {{ acoustic_rmse }}
    WHERE compared = 'mean_log_mel'
)
{{ errors.beside_baseline("loudness", "measured", baseline_loudness, true) }}

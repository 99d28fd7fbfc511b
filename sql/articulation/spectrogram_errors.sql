{# The error of the spectrogram of each token, beside the baseline's. #}
{% import "articulation/errors.jinja" as errors with context %}
WITH measured AS (
    SELECT submission, task, token, rmse AS error, {{ errors.said("'log_mel'", "'target_log_mel'") }} AS left_out,
        {{ errors.matter() }} AS matter
    FROM {{ acoustic_rmse }}
    WHERE compared = 'log_mel'
)
{{ errors.beside_baseline("spectrogram", "measured", baseline_spectrogram, true) }}

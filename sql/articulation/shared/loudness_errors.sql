{# The error of the loudness of each token, beside the baseline's. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{{ errors.of_sequence("loudness", acoustic_rmse, "mean_log_mel", "loudness", "target_loudness", baseline_loudness) }}

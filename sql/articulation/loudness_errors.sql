{# The error of each token in loudness, the RMSE between the loudness (mean log-mel of each frame) of synthesis and
   target, with the error of the baseline for the same token. #}
{% import "articulation/errors.jinja" as errors with context %}
{{ errors.of_sequence("loudness", acoustic_rmse, "mean_log_mel", "loudness", "target_loudness", baseline_loudness) }}

{# The error of each token in loudness, with the error of the baseline for the same token. The error is the RMSE between
   the loudness of synthesis and target; loudness is the mean of the log-mel spectrum of each frame. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{{ errors.of_sequence("loudness", acoustic_rmse, "mean_log_mel", "loudness", "target_loudness", baseline_loudness) }}

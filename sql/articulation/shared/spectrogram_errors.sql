{# The error of the spectrogram of each token, beside the baseline's. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{{ errors.of_sequence("spectrogram", acoustic_rmse, "log_mel", "log_mel", "target_log_mel", baseline_spectrogram) }}

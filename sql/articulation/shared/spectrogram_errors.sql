{# The error of each token in spectrogram, with the error of the baseline for the same token. The error is the RMSE
   between the log-mel spectrograms of synthesis and target. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{{ errors.of_sequence("spectrogram", acoustic_rmse, "log_mel", "log_mel", "target_log_mel", baseline_spectrogram) }}

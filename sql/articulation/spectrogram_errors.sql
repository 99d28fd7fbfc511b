{# The error of each token in spectrogram, the RMSE between the log-mel spectrograms of synthesis and target, with the
   error of the baseline for the same token. #}
{% import "articulation/errors.jinja" as errors with context %}
{{ errors.of_sequence("spectrogram", acoustic_rmse, "log_mel", "log_mel", "target_log_mel", baseline_spectrogram) }}

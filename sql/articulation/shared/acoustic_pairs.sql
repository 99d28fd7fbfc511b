{# The sequences that the functions log_mel, channel_means and rmse read: the log-mel spectrogram and the loudness of
   each synthesis and of the target recording. Where they are missing, the functions compute spectrograms from signals
   and loudness from spectrograms. #}
{% import "articulation/shared/syntheses.jinja" as syntheses with context %}
SELECT submission, task, token,
    log_mel, signal, rate, loudness AS mean_log_mel,
    target_log_mel AS reference_log_mel, target_signal AS reference_signal, target_rate AS reference_rate,
    target_loudness AS reference_mean_log_mel
FROM (
    {{ syntheses.rows(["log_mel", "signal", "rate", "loudness"]) | indent }}
)
JOIN {{ tokens }} USING (token)

{# Spectrogram and loudness beside those of the target, or the signals that they are made of. #}
{% import "articulation/produced.jinja" as made with context %}
SELECT submission, task, token,
    log_mel, signal, rate, loudness AS mean_log_mel,
    target_log_mel AS reference_log_mel, target_signal AS reference_signal, target_rate AS reference_rate,
    target_loudness AS reference_mean_log_mel
FROM (
    {{ made.produced(["log_mel", "signal", "rate", "loudness"]) | indent }}
)
JOIN {{ tokens }} USING (token)

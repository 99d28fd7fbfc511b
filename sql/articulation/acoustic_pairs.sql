{# Spectrogram and loudness beside those of the target. #}
{% import "articulation/produced.jinja" as made with context %}
SELECT submission, task, token, log_mel, target_log_mel AS reference_log_mel,
    coalesce(loudness, list_transform(log_mel, lambda frame: list_avg(frame))) AS loudness,
    coalesce(target_loudness, list_transform(target_log_mel, lambda frame: list_avg(frame))) AS reference_loudness
FROM (
    {{ made.produced(["log_mel", "loudness"]) }}
)
JOIN {{ tokens }} USING (token)

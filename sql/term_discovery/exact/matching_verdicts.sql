{# Evidence: each transcription in phone labels, with what it labels in the sets that matching compares. #}
{% import "term_discovery/transcriptions.jinja" as transcriptions %}
WITH labelled AS (
{{ transcriptions.in_labels(matching_types, scope, phone_codes) }}
)
SELECT {{ scope }}coalesce(transcription, '') AS transcription, length(text) AS length, * EXCLUDE ({{ scope }}text, transcription)
FROM {{ matching_types }}
LEFT JOIN labelled USING ({{ scope }}text)

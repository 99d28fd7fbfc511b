{# Evidence: each transcription in phone labels, with what it labels in the sets that grouping compares. #}
{% import "term_discovery/transcriptions.jinja" as transcriptions %}
WITH labelled AS (
{{ transcriptions.in_labels(grouping_types, scope, phone_codes) }}
)
SELECT {{ scope }}coalesce(transcription, '') AS transcription, length(text) AS length, * EXCLUDE ({{ scope }}text, transcription)
FROM {{ grouping_types }}
LEFT JOIN labelled USING ({{ scope }}text)

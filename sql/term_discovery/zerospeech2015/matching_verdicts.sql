{# Evidence: each transcription in phone labels, with what it labels in the sets that matching compares. #}
{% import "term_discovery/shared/transcriptions.jinja" as transcriptions %}
WITH labelled AS (
{{ transcriptions.in_labels(matching_types, scope, phone_codes) }}
),
of_both AS (
    SELECT {{ scope }}text, count(*) AS both_spans
    FROM {{ matching_spans }}
    JOIN {{ disc_spans }} USING ({{ scope }}file, phone, size)
    WHERE in_both
    GROUP BY ALL
)
SELECT {{ scope }}coalesce(transcription, '') AS transcription, length(text) AS length, found_spans, gold_spans,
    coalesce(both_spans, 0) AS both_spans, found_ends, gold_ends, both_ends
FROM {{ matching_types }}
LEFT JOIN labelled USING ({{ scope }}text)
LEFT JOIN of_both USING ({{ scope }}text)

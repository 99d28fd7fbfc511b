{# Evidence: the transcriptions of sub-spans, in phone labels, each with the numbers of spans and of ends of pairs with
   the transcription in P_disc* (found), in P_all (gold) and in both. #}
{% import "term_discovery/shared/phone_labels.jinja" as phone_labels with context %}
WITH labelled AS (
{{ phone_labels.in_labels(matching_types) | indent(4, true) }}
),
of_both AS (
    SELECT left(codes, size::INTEGER) AS text, count(*) AS both_spans
    FROM {{ matching_spans }}
    JOIN {{ phone_runs }} USING (file, phone)
    WHERE in_both
    GROUP BY ALL
)
SELECT coalesce(transcription, '') AS transcription, length(text) AS length, found_spans, gold_spans,
    coalesce(both_spans, 0) AS both_spans, found_ends, gold_ends, both_ends
FROM {{ matching_types }}
LEFT JOIN labelled USING (text)
LEFT JOIN of_both USING (text)

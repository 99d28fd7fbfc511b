{# Evidence: the transcriptions of fragments, in phone labels, each with the numbers of fragments and of ends of pairs
   with the transcription in P_clus (found), in P_goldclus (gold) and in both. #}
{% import "term_discovery/shared/phone_labels.jinja" as phone_labels with context %}
WITH labelled AS (
{{ phone_labels.in_labels(grouping_types) | indent(4, true) }}
),
of_both AS (
    SELECT text, count(*) AS both_spans FROM {{ grouping_fragments }} WHERE "both" > 0 GROUP BY ALL
)
SELECT coalesce(transcription, '') AS transcription, length(text) AS length, found_spans, gold_spans,
    coalesce(both_spans, 0) AS both_spans, found_ends, gold_ends, both_ends
FROM {{ grouping_types }}
LEFT JOIN labelled USING (text)
LEFT JOIN of_both USING (text)

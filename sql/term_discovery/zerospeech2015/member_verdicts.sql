{# Evidence: the members of clusters, each with its transcription and the verdicts of the metrics; times are in seconds.
   With speakers = within, the verdicts are NULL for a member that is in no pair of one speaker, because it is not
   scored. #}
{% import "term_discovery/shared/phone_labels.jinja" as phone_labels with context %}
{% import "term_discovery/zerospeech2015/nearest_boundaries.jinja" as boundaries with context %}
{% set fragment = 'file, onset, "offset"' %}
WITH labelled AS (
{{ phone_labels.in_labels(disc_fragments) | indent(4, true) }}
),
spans AS (
    SELECT {{ fragment }}, count(*) AS spans_found, count(*) FILTER (WHERE in_both) AS spans_matched
    FROM (SELECT *, unnest(range(first_phone, last_phone + 1)) AS phone FROM {{ scored_fragments }})
    JOIN {{ matching_spans }} USING (file, phone)
    WHERE in_found AND phone + size - 1 <= last_phone
    GROUP BY ALL
),
edges AS (
{{ boundaries.nearest(scored_fragments, phone_boundaries) | indent(4, true) }}
),
hit_edges AS (
    SELECT DISTINCT file, time FROM edges JOIN {{ gold_boundaries }} USING (file, boundary)
),
verdicts AS (
    SELECT file, onset, "offset", text,
        coalesce(found > 0, false) AS grouping_found, coalesce(gold > 0, false) AS grouping_gold, coalesce("both" > 0, false) AS grouping_hit,
        coalesce(spans_found, 0) AS spans_found, coalesce(spans_matched, 0) AS spans_matched,
        text IN (SELECT text FROM {{ gold_fragments }}) AS type_hit,
        (file, first_phone, last_phone) IN (SELECT (file, first_phone, last_phone) FROM {{ gold_fragments }}) AS token_hit,
        (file, onset) IN (FROM hit_edges) AS onset_hit,
        (file, "offset") IN (FROM hit_edges) AS offset_hit
    FROM {{ scored_fragments }}
    LEFT JOIN {{ grouping_fragments }} USING (file, onset, "offset", text)
    LEFT JOIN spans USING ({{ fragment }})
)
SELECT cluster, file, onset / 1e6 AS onset, "offset" / 1e6 AS "offset", coalesce(transcription, '') AS transcription,
    length(text) AS length, grouping_found, grouping_gold, grouping_hit, spans_found, spans_matched, type_hit, token_hit, onset_hit, offset_hit
FROM {{ fold_fragments }}
LEFT JOIN verdicts USING ({{ fragment }})
LEFT JOIN labelled USING (text)

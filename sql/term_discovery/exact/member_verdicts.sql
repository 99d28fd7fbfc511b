{# Evidence: one row for each member of a cluster, with its transcription and the verdicts of the metrics on it; times
   in seconds. With talkers = within the verdicts are NULL for a member that is in no pair of one talker, because it is
   not scored. #}
{% import "term_discovery/transcriptions.jinja" as transcriptions %}
{% import "term_discovery/exact/edges.jinja" as edges with context %}
{% set fragment = scope ~ 'file, onset, "offset"' %}
WITH labelled AS (
{{ transcriptions.in_labels(disc_fragments, scope, phone_codes) | indent(4, true) }}
),
spans AS (
    SELECT {{ fragment }}, count(*) AS spans_found, count(*) FILTER (WHERE in_both) AS spans_matched
    FROM (SELECT DISTINCT {{ fragment }}, phone, size FROM {{ disc_subspans }})
    JOIN {{ matching_spans }} USING ({{ scope }}file, phone, size)
    WHERE in_found
    GROUP BY ALL
),
edges AS (
{{ edges.snapped(scored_fragments, scope_columns, scored_fragments, phone_boundaries) | indent(4, true) }}
),
hit_edges AS (
    SELECT DISTINCT {{ scope }}file, time FROM edges JOIN {{ gold_boundaries }} USING ({{ scope }}file, boundary)
),
verdicts AS (
    SELECT {{ scope }}file, onset, "offset", text,
        coalesce(found > 0, false) AS has_mate, coalesce(gold > 0, false) AS has_partner, coalesce("both" > 0, false) AS grouping_hit,
        coalesce(spans_found, 0) AS spans_found, coalesce(spans_matched, 0) AS spans_matched,
        ({{ scope }}text) IN (SELECT ({{ scope }}text) FROM {{ gold_fragments }}) AS type_hit,
        ({{ scope }}file, first_phone, last_phone) IN (SELECT ({{ scope }}file, first_phone, last_phone) FROM {{ gold_fragments }}) AS token_hit,
        ({{ scope }}file, onset) IN (FROM hit_edges) AS onset_hit,
        ({{ scope }}file, "offset") IN (FROM hit_edges) AS offset_hit
    FROM {{ scored_fragments }}
    LEFT JOIN {{ grouping_fragments }} USING ({{ fragment }}, text)
    LEFT JOIN spans USING ({{ fragment }})
)
SELECT {{ scope }}cluster, file, onset / 1e6 AS onset, "offset" / 1e6 AS "offset", coalesce(transcription, '') AS transcription,
    length(text) AS length, has_mate, has_partner, grouping_hit, spans_found, spans_matched, type_hit, token_hit, onset_hit, offset_hit
FROM {{ fold_members }}
LEFT JOIN verdicts USING ({{ fragment }})
LEFT JOIN labelled USING ({{ scope }}text)

{# The pairs of P_disc* ∩ P_all with completion = minimal_paths: the pairs of path_pairs with equal transcriptions, each
   span in one utterance, that do not overlap. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
SELECT a.text, a.size, a.file AS file_a, a.phone AS phone_a, b.file AS file_b, b.phone AS phone_b
FROM (SELECT span_a, span_b FROM {{ path_pairs }} WHERE equal) AS pair_
JOIN (SELECT span AS span_a, * EXCLUDE (span) FROM {{ path_spans }} WHERE in_gold) AS a USING (span_a)
JOIN (SELECT span AS span_b, * EXCLUDE (span) FROM {{ path_spans }} WHERE in_gold) AS b USING (span_b)
WHERE NOT {{ overlap.overlapping("a", "b") }}

{# Definition of P_all: every unordered pair of distinct spans of F_all that have equal transcriptions and do not
   overlap.

   This query lists one row per pair. The closed forms gold_spans.sql (flat(P_all)) and gold_types.sql (the ends of the
   pairs by transcription) must equal it; tests/conformance/test_zerospeech2015_pairs.py compares them. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
SELECT text, size, a.file AS file_a, a.phone AS phone_a, b.file AS file_b, b.phone AS phone_b
FROM {{ all_fragments }} AS a
JOIN {{ all_fragments }} AS b USING (pair_speaker, text, size)
WHERE (a.file, a.phone) < (b.file, b.phone)
    AND NOT {{ overlap.overlapping("a", "b") }}

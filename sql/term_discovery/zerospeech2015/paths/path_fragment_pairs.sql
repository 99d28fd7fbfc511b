{# The pairs of P_disc, by the transcriptions and the phones of their fragments. Two pairs of fragments with the same
   phones have the same sub-spans, so they are one row. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
SELECT DISTINCT a.type AS type_a, b.type AS type_b, a.position AS position_a, b.position AS position_b
FROM {{ path_members }} AS a
JOIN {{ path_members }} AS b USING (cluster, pair_speaker)
WHERE (a.type, a.file, a.onset, a."offset") < (b.type, b.file, b.onset, b."offset")
    AND NOT {{ overlap.overlapping("a", "b") }}

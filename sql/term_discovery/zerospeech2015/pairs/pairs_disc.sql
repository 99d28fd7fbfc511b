{# Definition of P_disc: every unordered pair of distinct fragments that have a cluster in common and do not overlap.
   Two fragments of one recording overlap if they share more than `overlap_fraction` (half) of the shorter one.

   This query lists one row per pair. The closed form disc_pairs.sql, which counts the pairs by edit distance, must
   equal it; tests/conformance/test_zerospeech2015_pairs.py compares the two. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
FROM {{ pairs_clus }}
WHERE (file_a, onset_a, offset_a) <> (file_b, onset_b, offset_b)
    AND NOT ({{ "" if overlap_across_files.value else "file_a = file_b AND " }}{{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b") }})

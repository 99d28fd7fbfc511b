{# Definition of P_goldclus: every unordered pair of distinct fragments, of the same or of different clusters, that have
   equal transcriptions of at least one phone and share no time.

   This query lists one row per pair. The closed form grouping_fragments.sql, which counts the partners of each
   fragment, must equal it; tests/conformance/test_zerospeech2015_pairs.py compares the two. The parameters
   goldclus_members and empty_transcriptions of tde2015 change only the closed form. #}
WITH fragments AS (
    SELECT DISTINCT pair_speaker, file, onset, "offset", text FROM {{ cluster_members }} WHERE text <> ''
)
SELECT text, a.file AS file_a, a.onset AS onset_a, a."offset" AS offset_a,
    b.file AS file_b, b.onset AS onset_b, b."offset" AS offset_b
FROM fragments AS a
JOIN fragments AS b USING (pair_speaker, text)
WHERE (a.file, a.onset, a."offset") < (b.file, b.onset, b."offset")
    AND NOT (a.file = b.file AND least(a."offset", b."offset") > greatest(a.onset, b.onset))

{# Every pair of distinct fragments with one transcription, in whatever clusters, that share no time (P_goldclus). #}
WITH fragments AS (
    SELECT DISTINCT {{ scope }}pair_talker, file, onset, "offset", text FROM {{ pair_groups }} WHERE text <> ''
)
SELECT {{ scope }}text, a.file AS file_a, a.onset AS onset_a, a."offset" AS offset_a,
    b.file AS file_b, b.onset AS onset_b, b."offset" AS offset_b
FROM fragments AS a
JOIN fragments AS b USING ({{ scope }}pair_talker, text)
WHERE (a.file, a.onset, a."offset") < (b.file, b.onset, b."offset")
    AND NOT (a.file = b.file AND least(a."offset", b."offset") > greatest(a.onset, b.onset))

{# Evidence: the lines of the submission, each with the transcription of the fragment, the word that the fragment covers
   most (as a fraction of the word), and the verdicts of token, type and boundary. The verdicts are NULL if the fragment
   has no transcription. #}
WITH gold AS (
    SELECT DISTINCT file, onset AS time, 'onset' AS kind FROM {{ word_tokens }}
    UNION ALL
    SELECT DISTINCT file, "offset", 'offset' FROM {{ word_tokens }}
),
type_hits AS (
    SELECT text, bool_or(hit) AS type_hit FROM {{ fragment_words }} GROUP BY ALL
),
verdicts AS (
    SELECT fragment_.file, fragment_.onset, fragment_."offset", transcription, length(text) AS length,
        word_label, word_onset, word_offset, credited AS token_hit, type_hit,
        first_.time IS NOT NULL AS onset_hit, last_.time IS NOT NULL AS offset_hit
    FROM {{ fragment_words }} AS fragment_
    JOIN {{ transcriptions }} USING (text)
    JOIN type_hits USING (text)
    LEFT JOIN (SELECT *, time AS first_onset FROM gold WHERE kind = 'onset') AS first_
        USING (file, first_onset)
    LEFT JOIN (SELECT *, time AS last_offset FROM gold WHERE kind = 'offset') AS last_
        USING (file, last_offset)
)
SELECT cluster, file, onset, "offset", transcription, length, word_label, word_onset, word_offset,
    token_hit, type_hit, onset_hit, offset_hit
FROM {{ fold_fragments }}
LEFT JOIN verdicts USING (file, onset, "offset")

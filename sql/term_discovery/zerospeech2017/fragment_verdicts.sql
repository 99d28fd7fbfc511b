{# Evidence: the lines of the submission, each with the transcription of the fragment, the word of which the fragment
   covers the largest fraction, and the verdicts of token, type and boundary. The verdicts are NULL if the fragment has
   no transcription. #}
WITH gold AS (
    SELECT DISTINCT {{ shared(word_tokens) }}file, onset AS time, 'onset' AS kind FROM {{ word_tokens }}
    UNION ALL
    SELECT DISTINCT {{ shared(word_tokens) }}file, "offset", 'offset' FROM {{ word_tokens }}
),
type_hits AS (
    SELECT {{ scope }}text, bool_or(hit) AS type_hit FROM {{ fragment_words }} GROUP BY ALL
),
verdicts AS (
    SELECT {{ scope }}fragment_.file, fragment_.onset, fragment_."offset", transcription, length(text) AS length,
        word_label, word_onset, word_offset, credited AS token_hit, type_hit,
        first_.time IS NOT NULL AS onset_hit, last_.time IS NOT NULL AS offset_hit
    FROM {{ fragment_words }} AS fragment_
    JOIN {{ transcriptions }} USING ({{ shared(fragment_words, transcriptions) }}text)
    JOIN type_hits USING ({{ scope }}text)
    LEFT JOIN (SELECT *, time AS first_onset FROM gold WHERE kind = 'onset') AS first_
        USING ({{ shared(fragment_words, word_tokens) }}file, first_onset)
    LEFT JOIN (SELECT *, time AS last_offset FROM gold WHERE kind = 'offset') AS last_
        USING ({{ shared(fragment_words, word_tokens) }}file, last_offset)
)
SELECT {{ scope }}cluster, file, onset, "offset", transcription, length, word_label, word_onset, word_offset,
    token_hit, type_hit, onset_hit, offset_hit
FROM {{ fold_fragments }}
LEFT JOIN verdicts USING ({{ scope }}file, onset, "offset")

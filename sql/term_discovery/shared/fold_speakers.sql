{# The number of speakers of each fold, for a warning about folds of a single speaker in a corpus of several. The folds
   of folds_within have a single speaker on purpose, so fold_set = total and within give no warning. #}
SELECT fold, fold_speakers,
    {{ "fold_speakers = 1 AND known AND speakers_in_all > 1" if fold_set.value == "folds" else "false" }} AS single_speaker
FROM (
    SELECT fold, count(DISTINCT coalesce(speaker, '')) AS fold_speakers, bool_and(speaker IS NOT NULL) AS known
    FROM {{ fold_utterances }}
    LEFT JOIN {{ file_speakers }} USING (file)
    GROUP BY fold
), (
    SELECT count(DISTINCT speaker) AS speakers_in_all FROM {{ fold_utterances }} JOIN {{ file_speakers }} USING (file)
)

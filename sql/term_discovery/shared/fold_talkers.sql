{# The number of speakers of each fold, for a warning about folds of a single speaker in a corpus of several. The folds
   of folds_within have a single speaker on purpose, so fold_set = total and within give no warning. #}
SELECT fold, fold_talkers,
    {{ "fold_talkers = 1 AND known AND talkers_in_all > 1" if fold_set.value == "folds" else "false" }} AS single_talker
FROM (
    SELECT fold, count(DISTINCT coalesce(talker, '')) AS fold_talkers, bool_and(talker IS NOT NULL) AS known
    FROM {{ fold_utterances }}
    LEFT JOIN {{ file_talkers }} USING (file)
    GROUP BY fold
), (
    SELECT count(DISTINCT talker) AS talkers_in_all FROM {{ fold_utterances }} JOIN {{ file_talkers }} USING (file)
)

{# What precision and recall of words are made of: the fragments, and the word tokens. #}
SELECT {{ scope }}file, true AS found, hit IS NOT NULL AS hit, outside_words FROM {{ contained_words }}
UNION ALL
SELECT {{ scope }}file, false, false, false FROM {{ fold_word_runs }}

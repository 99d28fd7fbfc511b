{# The distinct fragments (`found`, with `hit` for a fragment that is a word) and the word tokens. Token precision is
   hits / fragments. Recall is hits / words; two fragments can hit one word, so that recall can exceed 1. #}
SELECT {{ scope }}file, true AS found, hit IS NOT NULL AS hit, nowhere FROM {{ words_heard }}
UNION ALL
SELECT {{ scope }}file, false, false, false FROM {{ fold_word_runs }}

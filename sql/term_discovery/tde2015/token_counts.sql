{# The distinct fragments (`found`) and the word tokens. `hit`: the fragment is a hit of a word (contained_words). Token
   precision is hits / fragments, recall is hits / words. Two fragments can hit one word, so recall can exceed 1. #}
SELECT file, true AS found, hit IS NOT NULL AS hit, outside_words FROM {{ contained_words }}
UNION ALL
SELECT file, false, false, false FROM {{ fold_word_runs }}

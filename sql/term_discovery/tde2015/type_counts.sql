{# The distinct sequences of word labels that fragments contain (`found`) and the distinct word labels (`gold`). The
   sequence of a fragment that contains two words has two labels, and that of a fragment without a word is empty.
   Neither can be a hit. #}
SELECT type, bool_or(found) AS found, bool_or(gold) AS gold, bool_or(hit) AS hit, bool_or(outside_words) AS outside_words
FROM (
    SELECT words AS type, true AS found, false AS gold, hit IS NOT NULL AS hit, outside_words FROM {{ contained_words }}
    UNION ALL
    SELECT label, false, true, false, false FROM {{ fold_word_runs }}
)
GROUP BY ALL

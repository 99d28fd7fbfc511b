{# The distinct strings of words that fragments contain (found), and the distinct words (gold). A fragment that contains
   two words is a type of two words, and a fragment without a word is the empty type; neither can be a hit. #}
SELECT {{ scope }}type, bool_or(found) AS found, bool_or(gold) AS gold, bool_or(hit) AS hit, bool_or(nowhere) AS nowhere
FROM (
    SELECT {{ scope }}words AS type, true AS found, false AS gold, hit IS NOT NULL AS hit, nowhere FROM {{ words_heard }}
    UNION ALL
    SELECT {{ scope }}label, false, true, false, false FROM {{ fold_word_runs }}
)
GROUP BY ALL

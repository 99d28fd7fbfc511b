{# The distinct transcriptions of the fragments, and whether each is that of a word it was found at; and the
   distinct words of the lexicon. As in tdev2 the one are strings of phones, the other spellings. #}
SELECT {{ scope }}text AS type, true AS in_found, false AS in_gold, bool_or(hit) AS hit
FROM {{ fragment_words }}
GROUP BY ALL
UNION ALL
SELECT DISTINCT {{ scope }}label AS type, false AS in_found, true AS in_gold, false AS hit
FROM {{ word_tokens }}

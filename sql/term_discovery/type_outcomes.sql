{# The distinct transcriptions of fragments (`in_found`) and the distinct words (`in_gold`). `hit`: some fragment has
   the transcription, and so has its word (fragment_words).

   As in tdev2, precision counts transcriptions and recall counts spellings. Two words with one pronunciation are one
   possible hit but two words, so that recall can stay below 1. #}
SELECT {{ scope }}text AS type, true AS in_found, false AS in_gold, bool_or(hit) AS hit
FROM {{ fragment_words }}
GROUP BY ALL
UNION ALL
SELECT DISTINCT {{ scope }}label AS type, false AS in_found, true AS in_gold, false AS hit
FROM {{ word_tokens }}

{# The distinct transcriptions of fragments (`in_found`) and the distinct labels of words (`in_gold`). `hit`: at least
   one fragment with the transcription has a word (fragment_words) with the same transcription.

   As in tdev2, precision counts transcriptions and recall divides by labels. Two words with different labels and one
   transcription are two gold labels but only one possible hit, so recall can stay below 1. #}
SELECT text AS type, true AS in_found, false AS in_gold, bool_or(hit) AS hit
FROM {{ fragment_words }}
GROUP BY ALL
UNION ALL
SELECT DISTINCT label AS type, false AS in_found, true AS in_gold, false AS hit
FROM {{ word_tokens }}

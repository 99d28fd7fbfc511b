{# Found fragments against word tokens: hits, false alarms (fragments without a word of their own) and misses
   (words without a fragment). #}
SELECT {{ scope }}file, fragment_.onset, fragment_."offset",
    coalesce(fragment_.length, length(word_.text)) AS length,
    coalesce(word_.onset, fragment_.word_onset) AS word_onset,
    coalesce(word_."offset", fragment_.word_offset) AS word_offset,
    coalesce(word_.label, fragment_.word_label) AS word_label,
    CASE WHEN word_.word IS NULL THEN 'false alarm' WHEN fragment_.onset IS NULL THEN 'miss' ELSE 'hit' END AS outcome
FROM (
    SELECT *, length(text) AS length, if(credited, word, NULL) AS hit_word FROM {{ fragment_words }}
) AS fragment_
FULL JOIN (SELECT *, word AS hit_word FROM {{ word_tokens }}) AS word_
    USING ({{ scope }}file, hit_word)

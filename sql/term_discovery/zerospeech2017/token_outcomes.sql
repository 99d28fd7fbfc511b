{# The distinct fragments and the word tokens as hits, false alarms and misses. A word and the fragment that is credited
   for it (fragment_words) are one hit. Every other fragment is a false alarm, with the word that it covers most (as a
   fraction of the word). Every other word is a miss. #}
SELECT file, fragment_.onset, fragment_."offset",
    coalesce(fragment_.length, length(word_.text)) AS length,
    coalesce(word_.onset, fragment_.word_onset) AS word_onset,
    coalesce(word_."offset", fragment_.word_offset) AS word_offset,
    coalesce(word_.label, fragment_.word_label) AS word_label,
    CASE WHEN word_.word IS NULL THEN 'false alarm' WHEN fragment_.onset IS NULL THEN 'miss' ELSE 'hit' END AS outcome
FROM (
    SELECT *, length(text) AS length, if(credited, word, NULL) AS hit_word FROM {{ fragment_words }}
) AS fragment_
FULL JOIN (SELECT *, word AS hit_word FROM {{ word_tokens }}) AS word_
    USING (file, hit_word)

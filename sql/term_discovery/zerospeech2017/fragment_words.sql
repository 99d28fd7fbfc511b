{# The distinct fragments that have a transcription, each with its word: the word that it covers most, as a fraction of
   the word. If several fractions are equal, the earliest word counts. `hit`: the fragment and its word have equal
   transcriptions. `credited`: the fragment is the earliest hit of its word. Later hits of the word count as false
   alarms.

   Words may overlap or contain each other, so the words that share time with a fragment are searched in a range of word
   numbers. The range begins with the first word whose `reach` (the latest offset so far) is after the onset of the
   fragment. It ends with the last word that begins before the offset of the fragment. #}
-- several words can have the same `reach` or `onset`: the range begins with the lowest number and ends with the highest
WITH reaching AS (
    SELECT file, reach, min(word) AS word FROM {{ word_tokens }} GROUP BY ALL
),
beginning AS (
    SELECT file, onset, max(word) AS word FROM {{ word_tokens }} GROUP BY ALL
),
candidates AS (
    SELECT fragment_.file, fragment_.onset, fragment_."offset", unnest(range(first_.word, last_.word + 1)) AS word
    FROM {{ fragment_texts }} AS fragment_
    ASOF JOIN reaching AS first_
        ON fragment_.file = first_.file
        AND fragment_.onset < first_.reach
    ASOF JOIN beginning AS last_
        ON fragment_.file = last_.file
        AND fragment_."offset" > last_.onset
),
chosen AS (
    SELECT candidate_.file, candidate_.onset, candidate_."offset",
        arg_max(candidate_.word, (
            (least(candidate_."offset", word_."offset") - greatest(candidate_.onset, word_.onset))
                / (word_."offset" - word_.onset),
            -candidate_.word)) AS word
    FROM candidates AS candidate_
    JOIN {{ word_tokens }} AS word_
        ON candidate_.file = word_.file
        AND candidate_.word = word_.word
    WHERE candidate_.onset < word_."offset" AND candidate_."offset" > word_.onset
    GROUP BY ALL
),
matched AS (
    SELECT fragment_.*, word_.word, word_.onset AS word_onset, word_."offset" AS word_offset,
        word_.label AS word_label, coalesce(fragment_.text = word_.text, false) AS hit
    FROM {{ fragment_texts }} AS fragment_
    LEFT JOIN chosen USING (file, onset, "offset")
    LEFT JOIN {{ word_tokens }} AS word_
        ON fragment_.file = word_.file
        AND chosen.word = word_.word
)
SELECT *, hit AND row_number() OVER (PARTITION BY file, word, hit ORDER BY onset, "offset") = 1 AS credited
FROM matched

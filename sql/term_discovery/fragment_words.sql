{# Each transcribed fragment with its word: the one of which it overlaps the largest part, the earlier of
   equals. `hit` says that its transcription is the word's; `credited` picks one such fragment per word. #}
WITH candidates AS (
    SELECT fragment_.*, unnest(range(first_.word, last_.word + 1)) AS word
    FROM {{ fragment_texts }} AS fragment_
    ASOF JOIN {{ word_tokens }} AS first_
        ON fragment_.file = first_.file{{ same("fragment_", fragment_texts, "first_", word_tokens) }}
        AND fragment_.onset < first_.reach
    ASOF JOIN {{ word_tokens }} AS last_
        ON fragment_.file = last_.file{{ same("fragment_", fragment_texts, "last_", word_tokens) }}
        AND fragment_."offset" > last_.onset
),
ranked AS (
    SELECT candidate_.*, word_.onset AS word_onset, word_."offset" AS word_offset, word_.label AS word_label,
        word_.text AS word_text,
        row_number() OVER (
            PARTITION BY {% for column in scope_columns %}candidate_.{{ column | name }}, {% endfor %}candidate_.file, candidate_.onset, candidate_."offset"
            ORDER BY (least(candidate_."offset", word_."offset") - greatest(candidate_.onset, word_.onset))
                / (word_."offset" - word_.onset) DESC, word_.word) AS rank
    FROM candidates AS candidate_
    JOIN {{ word_tokens }} AS word_
        ON candidate_.file = word_.file{{ same("candidate_", fragment_texts, "word_", word_tokens) }}
        AND candidate_.word = word_.word
    WHERE candidate_.onset < word_."offset" AND candidate_."offset" > word_.onset
),
matched AS (
    SELECT {{ scope }}file, onset, "offset", word, word_onset, word_offset, word_label, text = word_text AS hit
    FROM ranked
    WHERE rank = 1
)
SELECT fragment_.*, word, word_onset, word_offset, word_label, coalesce(hit, false) AS hit,
    coalesce(hit AND row_number() OVER (
        PARTITION BY {{ scope }}file, word, hit ORDER BY onset, "offset") = 1, false) AS credited
FROM {{ fragment_texts }} AS fragment_
LEFT JOIN matched USING ({{ scope }}file, onset, "offset")

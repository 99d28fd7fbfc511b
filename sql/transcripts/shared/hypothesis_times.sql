{# The words of the hypothesis, each with the time of the word of the same number in the input `times`. Both inputs must
   have the same words; `first_difference` marks the first word of a document at which they differ. #}
{% import "transcripts/shared/words.jinja" as words with context %}
SELECT word_.* EXCLUDE (document, rank, onset, duration, channel), document, rank, timed_.onset, timed_.duration,
    coalesce(word_.channel, timed_.channel) AS channel,
    coalesce(timed_.word || ' at line ' || timed_.line, 'no word') AS timed_word, coalesce(word_.word, 'no word') AS tagged_word, word_.word IS DISTINCT FROM timed_.word
        AND row_number() OVER (PARTITION BY document, word_.word IS DISTINCT FROM timed_.word ORDER BY rank) = 1 AS first_difference
FROM (
    SELECT *, row_number() OVER (PARTITION BY document ORDER BY number, part) - 1 AS rank
    FROM {{ words.in_recordings("(\n" ~ words.of_tokens(hypothesis_tokens) | indent(4, true) ~ "\n)", text_checks) | indent(4) }}
) AS word_
FULL JOIN {{ timed_words }} AS timed_ USING (document, rank)

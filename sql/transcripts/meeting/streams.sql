{# The streams of both texts, also those without words, each with its number of words. #}
WITH first_utterances AS (
    SELECT side, document, stream, stream_number, min({'start': start, 'segment_number': segment_number}) AS first_utterance
    FROM (
        SELECT *, if(count(onset) OVER in_document = count(*) OVER in_document, onset, NULL) AS start
        FROM {{ utterances }}
        WINDOW in_document AS (PARTITION BY side, document)
    )
    GROUP BY ALL
)
SELECT side, document, stream, stream_number, coalesce(words, 0) AS words,
    row_number() OVER (PARTITION BY side, document ORDER BY first_utterance.start, first_word, first_utterance.segment_number) - 1 AS place
FROM first_utterances
LEFT JOIN (
    SELECT side, document, stream, count(*) AS words, if(any_value(segment) IS NULL, min(utterance), NULL) AS first_word
    FROM {{ stream_words }}
    GROUP BY ALL
) USING (side, document, stream)

{# The streams of both texts, also those without words, each with its number of words. #}
SELECT side, document, stream, row_number() OVER (PARTITION BY side, document ORDER BY stream) - 1 AS stream_number,
    coalesce(words, 0) AS words, first_utterance
FROM (SELECT DISTINCT side, document, stream FROM {{ utterances }})
LEFT JOIN (
    SELECT side, document, stream, count(*) AS words, min(utterance) AS first_utterance
    FROM {{ stream_words }}
    GROUP BY ALL
) USING (side, document, stream)

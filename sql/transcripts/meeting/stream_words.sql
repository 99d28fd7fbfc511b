{# The words of both texts, in the order of their streams, each with its time.

   Utterances are ordered by their starts; those with equal starts, as in the file. If an utterance of the document has no
   start, all are in the order of the file. A word without a segment is an utterance of its own. The words of an utterance
   that have no times share its time: a word of 3 characters among 12 gets a quarter. If characters are compared with the
   blanks between words, each word but the first of a stream has a blank before it. #}
WITH words AS (
    SELECT side, document, stream, stream_number, segment, segment_number, number, part, word,
        coalesce(word_.onset, utterance_.onset) AS first,
        coalesce(word_.onset + coalesce(duration, 0), utterance_."offset") AS last,
        if(word_.onset IS NULL, NULL, number) AS timed,
        if(segment IS NULL, word_.onset, coalesce(utterance_.onset, min(word_.onset) OVER within)) AS start,
        if(segment IS NULL, number, min(number) OVER within) AS first_number
    FROM {{ compared_symbols }} AS word_
    JOIN {{ utterances }} AS utterance_ USING (side, document, segment_number)
    WINDOW within AS (PARTITION BY side, document, segment_number)
)
SELECT side, document, stream, stream_number, row_number() OVER in_stream - 1 - ({{ compared }} = 'characters' AND {{ blanks }} = 'keep')::BIGINT AS position,
    dense_rank() OVER in_text - 1 AS utterance, segment, word,
    first + (last - first) * ((characters - length(word)) / all_characters) AS begin,
    first + (last - first) * (characters / all_characters) AS "end"
FROM (
    SELECT * REPLACE (if(count(start) OVER in_document = count(*) OVER in_document, start, NULL) AS start),
        sum(length(word)) OVER (together ORDER BY number, part) AS characters, sum(length(word)) OVER together AS all_characters
    FROM words
    WINDOW together AS (PARTITION BY side, document, segment_number, timed), in_document AS (PARTITION BY side, document)
)
WINDOW in_stream AS (PARTITION BY side, document, stream ORDER BY start, first_number, number, part),
    in_text AS (PARTITION BY side, document ORDER BY start, first_number)
QUALIFY position >= 0

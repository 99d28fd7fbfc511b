{# The words of both texts after normalisation. A word that the normaliser inserts has the line, entity and time of the word
   before it: CAN'T is written, CAN NOT is compared, and both have the time of CAN'T. An alternative that has lost all of
   its words becomes `@`. #}
WITH written AS (
    SELECT *, row_number() OVER (PARTITION BY stretch ORDER BY row) AS nth FROM {{ numbered_words }}
)
SELECT side, document, segment_number, line, number, block AS part,
    {{ "upper(text)" if case.value == "fold" else "text" }} AS word, optional, entity, alternation, branch, onset, duration
FROM {{ normalization_blocks }} AS block_
JOIN {{ normalized_texts }} AS text_ ON block_.stretch = text_.stretch AND "right" = 1 AND right_end = place + 1
JOIN written ON block_.stretch = written.stretch AND nth = greatest(left_end, 1)
UNION ALL
SELECT side, document, segment_number, line, number, 0, '@', optional, entity, alternation, branch, onset, duration
FROM written
WHERE nth = 1 AND branch IS NOT NULL AND stretch NOT IN (SELECT stretch FROM {{ normalized_texts }})

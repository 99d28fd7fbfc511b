{# The words of each phrase, in order. If characters are compared, the blank before the first word is left out. #}
SELECT list, segment, document, line, text, word, place, len(words) AS length,
    segment IS NOT NULL AND {{ align_within }} = 'document' AS unplaced
FROM {{ lists }}
LEFT JOIN (
    SELECT line, words, array_to_string(words, ' ') AS text, unnest(words) AS word, unnest(range(len(words))) AS place
    FROM (
        SELECT segment_number AS line, list(word ORDER BY number, part) AS symbols,
            if(symbols[1] = ' ', symbols[2:], symbols) AS words
        FROM {{ compared_symbols }}
        WHERE document IS NULL AND word IS NOT NULL AND coalesce(branch, 0) = 0
        GROUP BY segment_number
    )
) USING (line)

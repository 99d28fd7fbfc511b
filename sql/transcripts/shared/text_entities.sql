{# The tagged entities of both texts that have words, numbered from 0 within their document in the order of their first
   words. #}
SELECT side, document, row_number() OVER (PARTITION BY side, document ORDER BY first) - 1 AS entity, type, first, last,
    segment_.segment, speaker
FROM {{ tagged_entities }}
JOIN (SELECT side, document, position AS first, segment_number FROM {{ words }}) USING (side, document, first)
LEFT JOIN {{ segments }} AS segment_ USING (document, segment_number)

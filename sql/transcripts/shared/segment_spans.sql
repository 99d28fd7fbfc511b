{# The segments, each with its number of words in both texts, and the position of its first word within the document in
   both texts. #}
SELECT document, segment, segment_number, ref_words, hyp_words,
    (sum(ref_words) OVER upto - ref_words)::BIGINT AS ref_first,
    (sum(hyp_words) OVER upto - hyp_words)::BIGINT AS hyp_first
FROM (
    SELECT document, segment, segment_number, count_if(side = 0) AS ref_words, count_if(side = 1) AS hyp_words
    FROM {{ segments }}
    LEFT JOIN (SELECT document, segment_number, side FROM {{ words }}) USING (document, segment_number)
    GROUP BY ALL
)
WINDOW upto AS (PARTITION BY document ORDER BY segment_number ROWS UNBOUNDED PRECEDING)

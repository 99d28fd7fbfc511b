{# Evidence: the alignment of assigned speakers, each row with its words. An inserted word is in the segment of the reference
   word before it, or, at the beginning, of the first reference word. #}
SELECT document, coalesce(segment, last_value(segment IGNORE NULLS) OVER upto, first_value(segment IGNORE NULLS) OVER beyond) AS segment,
    speaker, hypothesis_speaker, row_number() OVER (PARTITION BY document ORDER BY pair, block) - 1 AS block,
    left_end - "left" AS ref_begin, left_end AS ref_end, right_end - "right" AS hyp_begin, right_end AS hyp_end, ref_words, hyp_words,
    CASE WHEN correct THEN 'correct' WHEN "left" = 0 THEN 'inserted' WHEN "right" = 0 THEN 'deleted' ELSE 'substituted' END AS outcome
FROM (
    SELECT block_.*, speaker, hypothesis_speaker, ref_.segment, ref_.word AS ref_words, hyp_.word AS hyp_words
    FROM {{ cp_blocks }} AS block_
    JOIN {{ cp_assignment }} AS pair_ USING (document, pair)
    LEFT JOIN {{ stream_words }} AS ref_
        ON "left" = 1 AND ref_.side = 0 AND block_.document = ref_.document AND speaker = ref_.stream AND left_end - 1 = ref_.position
    LEFT JOIN {{ stream_words }} AS hyp_
        ON "right" = 1 AND hyp_.side = 1 AND block_.document = hyp_.document AND hypothesis_speaker = hyp_.stream
            AND right_end - 1 = hyp_.position
)
WINDOW upto AS (PARTITION BY document, pair ORDER BY block ROWS UNBOUNDED PRECEDING),
    beyond AS (PARTITION BY document, pair ORDER BY block ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)

{# The blocks of the input alignment, with word positions within the document. `fault` is an error message: the document
   or segment of the block is unknown, there is a gap or an overlap between blocks, or the words are missing or differ
   from those of the texts. #}
WITH named AS (
    SELECT block_.*, span_.segment_number, coalesce(span_.document, document_.document) AS found,
        coalesce(span_.ref_first, 0) AS ref_base, coalesce(span_.hyp_first, 0) AS hyp_base,
        coalesce(span_.ref_words, document_.ref_words) AS ref_words, coalesce(span_.hyp_words, document_.hyp_words) AS hyp_words
    FROM {{ alignment }} AS block_
    LEFT JOIN {{ segment_spans }} AS span_
        ON block_.segment = span_.segment AND coalesce(block_.document = span_.document, true)
    LEFT JOIN (
        SELECT document, sum(ref_words)::BIGINT AS ref_words, sum(hyp_words)::BIGINT AS hyp_words FROM {{ segment_spans }} GROUP BY ALL
    ) AS document_ ON block_.segment IS NULL AND block_.document = document_.document
),
ordered AS (
    SELECT *, lag(ref_end, 1, 0) OVER in_order AS ref_before, lag(hyp_end, 1, 0) OVER in_order AS hyp_before,
        lead(line) OVER in_order IS NULL AS final
    FROM named
    WINDOW in_order AS (PARTITION BY found, segment, segment_number ORDER BY ref_begin, hyp_begin, ref_end, hyp_end)
)
SELECT ordered.line, found AS document, ordered.segment_number,
    ref_base + ref_begin AS ref_begin, ref_base + ref_end AS ref_end, hyp_base + hyp_begin AS hyp_begin, hyp_base + hyp_end AS hyp_end,
    CASE
        WHEN found IS NULL AND ordered.segment IS NULL THEN concat('document ', ordered.document, ' is not in the reference')
        WHEN found IS NULL THEN concat('segment ', ordered.segment, ' is not in the reference')
        WHEN ref_begin <> ref_before THEN concat('ref_begin is ', ref_begin, ', and the block before it ends at ', ref_before)
        WHEN hyp_begin <> hyp_before THEN concat('hyp_begin is ', hyp_begin, ', and the block before it ends at ', hyp_before)
        WHEN final AND ref_end <> ref_words THEN concat('the last block ends at ref_end ', ref_end, ', and there are ', ref_words, ' words')
        WHEN final AND hyp_end <> hyp_words THEN concat('the last block ends at hyp_end ', hyp_end, ', and there are ', hyp_words, ' words')
        WHEN upper(ref_word) <> upper(ref_.word) THEN concat('the reference has ', ref_.word, ' here, not ', ref_word, ': was another text aligned?')
        WHEN upper(hyp_word) <> upper(hyp_.word) THEN concat('the hypothesis has ', hyp_.word, ' here, not ', hyp_word, ': was another text aligned?')
    END AS fault
FROM ordered
LEFT JOIN (FROM {{ words }} WHERE side = 0) AS ref_
    ON ref_word IS NOT NULL AND found = ref_.document AND ref_base + ref_begin = ref_.position
LEFT JOIN (FROM {{ words }} WHERE side = 1) AS hyp_
    ON hyp_word IS NOT NULL AND found = hyp_.document AND hyp_base + hyp_begin = hyp_.position
UNION ALL
SELECT NULL, document, segment_number, NULL, NULL, NULL, NULL, concat('segment ', segment, ' of document ', document, ' has no blocks')
FROM {{ segment_spans }} AS span_
WHERE ref_words + hyp_words > 0 AND NOT EXISTS (
    FROM named
    WHERE found = span_.document AND (named.segment IS NULL OR named.segment_number = span_.segment_number))

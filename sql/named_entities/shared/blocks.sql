{# The alignment: the blocks of each document, which divide the words of both texts in order. A block has one word of each
   text (a pair), words of only one text (a deletion or an insertion), or several words of a text (a split or merge). The
   blocks are those of the input `alignment` or, without this input, those of the parameter `aligner` and the anchors. The
   inputs `alignment` and `times` belong to the hypothesis, and are not used if the transcript is scored.

   `correct`: the block is a pair of equal words, or an optional word that the other text lacks (`optional_words`).
   `correct_before` is the number of correct blocks before the block in its document, so that the number of word errors
   between two blocks is a difference of two numbers. #}
{% set given = alignment.given and scored_input.value == "hypothesis" %}
{% set aligned = edit_blocks if aligner.value == "sclite" else phonetic_blocks %}
WITH numbered AS (
{% if given %}
    SELECT block_.document, block_.segment_number, ref_begin, ref_end, hyp_begin, hyp_end,
        row_number() OVER upto - 1 AS block,
        ref_end - ref_begin = 1 AND hyp_end - hyp_begin = 1 AND ref_.word = hyp_.word AS correct,
        count_if(correct) OVER upto - correct::BIGINT AS correct_before
    FROM {{ given_blocks }} AS block_
    LEFT JOIN {{ reference_words }} AS ref_ ON block_.document = ref_.document AND ref_begin = ref_.position
    LEFT JOIN {{ hypothesis_words }} AS hyp_ ON block_.document = hyp_.document AND hyp_begin = hyp_.position
    WINDOW upto AS (
        PARTITION BY block_.document ORDER BY ref_begin, hyp_begin, ref_end, hyp_end ROWS UNBOUNDED PRECEDING
    )
{% else %}
    SELECT document, {{ "unit" if align_within.value == "segment" else "NULL::BIGINT" }} AS segment_number,
        (sum("left") OVER upto)::BIGINT AS ref_end, ref_end - "left" AS ref_begin,
        (sum("right") OVER upto)::BIGINT AS hyp_end, hyp_end - "right" AS hyp_begin, row_number() OVER upto - 1 AS block,
        correct, count_if(correct) OVER upto - correct::BIGINT AS correct_before
    FROM (
        SELECT document, unit, false AS anchored, block, "left", "right", correct FROM {{ aligned }}
{% if align_within.value == "document" %}
        UNION ALL
        SELECT document, row_number() OVER (PARTITION BY document ORDER BY ref_position) - 1, true, 0, 1, 1, true FROM {{ anchors }}
{% endif %}
    )
    WINDOW upto AS (PARTITION BY document ORDER BY unit, anchored, block ROWS UNBOUNDED PRECEDING)
{% endif %}
)
SELECT placed.* EXCLUDE (segment_number), segment, speaker
{% if align_within.value == "segment" and not given %}
FROM numbered AS placed
{% else %}
{# If the segment of a block is not known, it is the segment of its last reference word or, for an insertion, of the
   reference word before it. #}
FROM (
    SELECT numbered.* REPLACE (coalesce(numbered.segment_number, span_.segment_number) AS segment_number)
    FROM numbered
    ASOF JOIN (
        SELECT document, ref_first, max(segment_number) AS segment_number FROM {{ segment_spans }} GROUP BY ALL
    ) AS span_ ON numbered.document = span_.document AND greatest(ref_end - 1, 0) >= ref_first
) AS placed
{% endif %}
JOIN {{ segments }} USING (document, segment_number)

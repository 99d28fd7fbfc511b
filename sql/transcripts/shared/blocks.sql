{# The alignment: the blocks of each document, which divide the words of both texts in order. A block has one word of
   each text (a pair), words of only one text (a deletion or an insertion), or several words of a text (a split or
   merge). The blocks come from the input `alignment` or, without this input, from the parameter `aligner` and the
   anchors. The inputs `alignment` and `times` belong to the hypothesis, and are not used if the transcript is scored.

   `correct`: the block is a pair of equal words, a compound (`merge_compounds`), or an optional word that the other text
   lacks (`optional_words`).
   `correct_before` is the number of correct blocks before the block in its document, so that the number of word errors
   between two blocks is a difference of two numbers. #}
{% set given = alignment.given and scored_input.value == "hypothesis" %}
{% set aligned = edit_blocks if aligner.value == "sclite" else phonetic_blocks %}
{% if given %}
WITH numbered AS (
    SELECT block_.document, block_.segment_number, ref_begin, ref_end, hyp_begin, hyp_end,
        row_number() OVER upto - 1 AS block,
        ref_end - ref_begin = 1 AND hyp_end - hyp_begin = 1 AND ref_.word = hyp_.word AS correct,
        count_if(correct) OVER upto - correct::BIGINT AS correct_before
    FROM {{ given_blocks }} AS block_
    LEFT JOIN (FROM {{ words }} WHERE side = 0) AS ref_ ON block_.document = ref_.document AND ref_begin = ref_.position
    LEFT JOIN (FROM {{ words }} WHERE side = 1) AS hyp_ ON block_.document = hyp_.document AND hyp_begin = hyp_.position
    WINDOW upto AS (
        PARTITION BY block_.document ORDER BY ref_begin, hyp_begin, ref_end, hyp_end ROWS UNBOUNDED PRECEDING
    )
)
{% else %}
{# The blocks of a unit are numbered within the unit. Only the sums over units need a window, and there are few units.
#}
WITH unit_blocks AS NOT MATERIALIZED (
    SELECT *, false AS anchored FROM {{ aligned }}
{% if align_within.value == "document" %}
    UNION ALL BY NAME
    SELECT document, row_number() OVER (PARTITION BY document ORDER BY ref_position) - 1 AS unit, true AS anchored,
        0 AS block, 1 AS "left", 1 AS "right", 1 AS left_end, 1 AS right_end, true AS correct, 0 AS correct_before
    FROM {{ anchors }}
{% endif %}
),
units AS (
    SELECT document, unit, anchored,
        coalesce(sum(sum("left")) OVER before, 0)::BIGINT AS ref_first,
        coalesce(sum(sum("right")) OVER before, 0)::BIGINT AS hyp_first,
        coalesce(sum(count(*)) OVER before, 0)::BIGINT AS blocks,
        coalesce(sum(count_if(correct)) OVER before, 0)::BIGINT AS correct_blocks
    FROM unit_blocks
    GROUP BY document, unit, anchored
    WINDOW before AS (
        PARTITION BY document ORDER BY unit, anchored ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT document, {{ "unit" if align_within.value == "segment" else "NULL::BIGINT" }} AS segment_number,
        ref_first + left_end AS ref_end, ref_end - "left" AS ref_begin,
        hyp_first + right_end AS hyp_end, hyp_end - "right" AS hyp_begin,
        blocks + block AS block, correct, correct_blocks + correct_before AS correct_before
    FROM unit_blocks
    JOIN units USING (document, unit, anchored)
)
{% endif %}
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

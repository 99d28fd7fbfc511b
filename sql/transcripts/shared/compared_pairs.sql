{# The pairs of a reference entity and a hypothesis entity that have words in a common block, so that they can be mapped
   to each other, with the result of each comparison. Extent is correct if each boundary differs by no word, or by at
   most `extent_tolerance` words and `tolerance_rule` accepts the difference. Content is correct if there is no word
   error from the first to the last block with words of both entities. If the reference entity is NEWT GINGRICH, and the
   hypothesis entity is GINGRICH in the text NEW GINGRICH, the content is correct: the only block with words of both is
   the block of GINGRICH, and the error NEW is outside of this block.

   An island is a group of pairs that share entities with each other, directly or through further pairs, and with no
   other pair. The mapping has a choice only in islands of two or more pairs (`contested`). #}
WITH touched AS (
    SELECT side, document, entity, unnest(range(first_block, last_block + 1)) AS block
    FROM {{ aligned_entities }}
),
-- word errors: number of blocks from the first to the last with words of both entities, minus the correct blocks among
-- them
shared AS (
    SELECT reference_.entity AS reference_entity, hypothesis_.entity AS hypothesis_entity,
        max(block) + 1 - min(block) - (max(correct_before + correct::BIGINT) - min(correct_before)) AS word_errors
    FROM (FROM touched WHERE side = 'reference') AS reference_
    JOIN (FROM touched WHERE side = 'hypothesis') AS hypothesis_ USING (document, block)
    JOIN {{ blocks }} USING (document, block)
    WHERE ref_begin < ref_end AND hyp_begin < hyp_end
    GROUP BY ALL
),
-- distance of two boundaries: number of words between them, in the reference or in the hypothesis, whichever is larger
measured AS (
    SELECT reference_entity, hypothesis_entity, word_errors, reference_.type = hypothesis_.type AS type_correct,
{% for edge in ["first", "last"] %}
        greatest(
            abs(hypothesis_.across_{{ edge }} - reference_."{{ edge }}"),
            abs(reference_.across_{{ edge }} - hypothesis_."{{ edge }}")
        ) AS {{ edge }}_off,
        {{ edge }}_off = 0 OR {{ edge }}_off <= {{ extent_tolerance }} AND CASE {{ tolerance_rule }}
            WHEN 'span' THEN reference_.correct_to_{{ edge }} = hypothesis_.correct_to_{{ edge }}
            WHEN 'adjacent' THEN reference_.error_at_{{ edge }} OR hypothesis_.error_at_{{ edge }}
            ELSE true END AS {{ edge }}_correct{{ "," if not loop.last }}
{% endfor %}
    FROM shared
{% for side in ["reference", "hypothesis"] %}
    JOIN (FROM {{ aligned_entities }} WHERE side = '{{ side }}') AS {{ side }}_ ON {{ side }}_.entity = {{ side }}_entity
{% endfor %}
),
-- Pairs are in the order of both texts, so that an island begins where both entities are after those of the previous pair.
begun AS (
    SELECT *, coalesce(
        reference_entity > lag(reference_entity) OVER in_order AND hypothesis_entity > lag(hypothesis_entity) OVER in_order,
        true
    ) AS begins
    FROM measured
    WINDOW in_order AS (ORDER BY reference_entity, hypothesis_entity)
),
numbered AS (
    SELECT *, count_if(begins) OVER (
        ORDER BY reference_entity, hypothesis_entity ROWS UNBOUNDED PRECEDING
    ) AS island
    FROM begun
)
SELECT reference_entity, hypothesis_entity, first_off, last_off, first_correct, last_correct, word_errors,
    type_correct, first_correct AND last_correct AS extent_correct, word_errors = 0 AS content_correct,
    extent_correct AND content_correct AS text_correct,
    island, count(*) OVER (PARTITION BY island) > 1 AS contested
FROM numbered

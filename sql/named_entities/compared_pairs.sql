{# The pairs of a reference entity and a hypothesis entity that have words in a common block, and so may be mapped to
   each other, with the result of each comparison. Extent: each boundary differs by no word, or by at most
   `extent_tolerance` words where `tolerance_rule` excuses it. Content: no word error in the blocks from the first to
   the last that both entities share. For the reference entity NEWT GINGRICH, the hypothesis entity GINGRICH in NEW
   GINGRICH has no content error: only the block of GINGRICH is shared, and NEW is outside of it.

   An island is a set of pairs that share entities with each other and with no other pair. Only in an island of two or
   more pairs (`contested`) does the mapping have a choice. #}
WITH touched AS (
    SELECT side, document, entity, unnest(range(first_block, last_block + 1)) AS block
    FROM {{ aligned_entities }}
),
-- number of blocks from the first to the last with words of both entities, less the correct blocks among them
shared AS (
    SELECT reference_.entity AS reference_entity, hypothesis_.entity AS hypothesis_entity,
        max(block) + 1 - min(block) - (max(correct_before + correct::BIGINT) - min(correct_before)) AS word_errors
    FROM (FROM touched WHERE side = 'reference') AS reference_
    JOIN (FROM touched WHERE side = 'hypothesis') AS hypothesis_ USING (document, block)
    JOIN {{ blocks }} USING (document, block)
    WHERE ref_begin < ref_end AND hyp_begin < hyp_end
    GROUP BY ALL
),
-- a boundary differs by the number of words between the two, in the text where these are more
measured AS (
    SELECT reference_entity, hypothesis_entity, word_errors, reference_.type = hypothesis_.type AS type_correct,
{% for edge in ["first", "last"] %}
        greatest(
            abs(hypothesis_.across_{{ edge }} - reference_."{{ edge }}"),
            abs(reference_.across_{{ edge }} - hypothesis_."{{ edge }}")
        ) AS {{ edge }}_off,
{% if tolerance_rule.value == "span" %}
        reference_.correct_to_{{ edge }} = hypothesis_.correct_to_{{ edge }} AS {{ edge }}_excused,
{% elif tolerance_rule.value == "adjacent" %}
        reference_.error_at_{{ edge }} OR hypothesis_.error_at_{{ edge }} AS {{ edge }}_excused,
{% else %}
        true AS {{ edge }}_excused,
{% endif %}
        {{ edge }}_off = 0 OR {{ edge }}_off <= {{ extent_tolerance }} AND {{ edge }}_excused AS {{ edge }}_correct{{ "," if not loop.last }}
{% endfor %}
    FROM shared
{% for side in ["reference", "hypothesis"] %}
    JOIN (FROM {{ aligned_entities }} WHERE side = '{{ side }}') AS {{ side }}_ ON {{ side }}_.entity = {{ side }}_entity
{% endfor %}
),
-- an island begins where both entities differ from those of the previous pair: pairs are in the order of both texts
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

{# The pairs of a reference and a hypothesis entity that have words in one block, compared. An island is a run of pairs
   that share entities with each other and with no other pair: only within one is there a choice. #}
WITH touched AS (
    SELECT side, document, entity, unnest(range(first_block, last_block + 1)) AS block
    FROM {{ aligned_entities }}
),
-- from the first block to the last that holds words of both, how many are word errors
shared AS (
    SELECT reference_.entity AS reference_entity, hypothesis_.entity AS hypothesis_entity,
        max(block) + 1 - min(block) - (max(correct_before + correct::BIGINT) - min(correct_before)) AS word_errors
    FROM (FROM touched WHERE side = 'reference') AS reference_
    JOIN (FROM touched WHERE side = 'hypothesis') AS hypothesis_ USING (document, block)
    JOIN {{ blocks }} USING (document, block)
    WHERE ref_begin < ref_end AND hyp_begin < hyp_end
    GROUP BY ALL
),
-- a boundary is off by the words between the two, in whichever text there are more of them
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
-- both entities come after those of the pair before
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

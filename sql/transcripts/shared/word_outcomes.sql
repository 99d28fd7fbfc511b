{# The blocks of the alignment in each segment, inside and outside of the entities of the reference, with their numbers of
   correct words, substitutions, deletions and insertions, from which the word error rate is computed. A block of m
   reference words and n hypothesis words (a split or merge) counts as min(m, n) substitutions and |m − n| deletions or
   insertions.

   A block is inside if it has a word of a reference entity or lies between two words of the entity. A block of up to one
   reference word is joined with the word of the entity at its begin. Only blocks of several words, which are few, need
   an ASOF join, which sorts them. If the reference tags no entity, there are no regions. #}
WITH entity_words AS (
    SELECT document, unnest(range(first, last)) AS word, word > first AS continues FROM {{ reference_entities }}
)
SELECT document, segment, speaker, if(has_entities, if(is_inside, 'inside', 'outside'), NULL) AS region, count_if(correct)::BIGINT AS correct,
    sum(ref_end - ref_begin)::BIGINT AS words,
    sum(if(correct, 0, least(ref_end - ref_begin, hyp_end - hyp_begin)))::BIGINT AS substitutions,
    sum(if(correct, 0, greatest(ref_end - ref_begin - (hyp_end - hyp_begin), 0)))::BIGINT AS deletions,
    sum(if(correct, 0, greatest(hyp_end - hyp_begin - (ref_end - ref_begin), 0)))::BIGINT AS insertions
FROM (
    SELECT block_.*, word IS NOT NULL AND (ref_begin < ref_end OR continues) AS is_inside
    FROM {{ blocks }} AS block_
    LEFT JOIN entity_words AS word_ ON block_.document = word_.document AND ref_begin = word
    WHERE ref_end - ref_begin <= 1
    UNION ALL
    SELECT block_.*, coalesce(ref_begin < last, false)
    FROM {{ blocks }} AS block_
    ASOF LEFT JOIN {{ reference_entities }} AS entity_ ON block_.document = entity_.document AND ref_end > first
    WHERE ref_end - ref_begin > 1
), {{ tagging }}
GROUP BY ALL

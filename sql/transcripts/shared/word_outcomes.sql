{# The blocks of the alignment in each segment, inside and outside of the entities of the reference, with their numbers of
   correct words, substitutions, deletions and insertions, from which the word error rate is computed. A block of m
   reference words and n hypothesis words (a split or merge) counts as min(m, n) substitutions and |m − n| deletions or
   insertions, unless it is a compound: ICE CREAM and ICECREAM are two correct reference words and one correct hypothesis
   word. An optional word that one text lacks is a correct word of both.

   A block is inside if it has a word of a reference entity or lies between two words of the entity. If the reference tags
   no entity, there are no regions.

   One more row per segment says whether it has an error. It has no region, because a segment can have both regions. #}
WITH entity_words AS (
    SELECT document, position, entity = lag(entity) OVER (PARTITION BY document ORDER BY position) AS continues
    FROM {{ words }}
    WHERE side = 0 AND entity IS NOT NULL
)
SELECT document, segment, speaker, if(EXISTS (FROM {{ reference }} WHERE entity IS NOT NULL), if(is_inside, 'inside', 'outside'), NULL) AS region,
    {% for name, side in (("correct", "ref"), ("hypothesis_correct", "hyp")) %}
    sum(if(correct, greatest({{ side }}_end - {{ side }}_begin, 1), 0))::BIGINT AS {{ name }},
    {% endfor %}
    sum(ref_end - ref_begin)::BIGINT AS words,
    sum(if(correct, 0, least(ref_end - ref_begin, hyp_end - hyp_begin)))::BIGINT AS substitutions,
    sum(if(correct, 0, greatest(ref_end - ref_begin - (hyp_end - hyp_begin), 0)))::BIGINT AS deletions,
    sum(if(correct, 0, greatest(hyp_end - hyp_begin - (ref_end - ref_begin), 0)))::BIGINT AS insertions,
    0 AS segments, 0 AS wrong_segments
FROM (
    SELECT block_.*, coalesce(ref_begin < ref_end OR continues, false) AND position IS NOT NULL
            OR ref_end - ref_begin > 1 AND (block_.document, block) IN (
                SELECT document, block
                FROM (SELECT document, block, unnest(range(ref_begin + 1, ref_end)) AS position FROM {{ blocks }} WHERE ref_end - ref_begin > 1)
                SEMI JOIN entity_words USING (document, position)) AS is_inside
    FROM {{ blocks }} AS block_
    LEFT JOIN entity_words AS word_ ON block_.document = word_.document AND ref_begin = position
)
GROUP BY ALL
UNION ALL
SELECT document, segment, speaker, NULL, 0, 0, 0, 0, 0, 0, 1, (wrong_.segment IS NOT NULL)::BIGINT
FROM {{ segments }}
LEFT JOIN (SELECT DISTINCT document, segment FROM {{ blocks }} WHERE NOT correct) AS wrong_ USING (document, segment)
WHERE NOT ignored

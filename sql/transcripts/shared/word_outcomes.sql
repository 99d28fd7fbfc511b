{# The blocks of the alignment in each segment, inside and outside of the entities of the reference, with their numbers of
   correct words, substitutions, deletions and insertions, from which the word error rate is computed. A block of m
   reference words and n hypothesis words (a split or merge) counts as min(m, n) substitutions and |m − n| deletions or
   insertions, unless it is a compound: ICE CREAM and ICECREAM are two correct reference words and one correct hypothesis
   word. An optional word that one text lacks is a correct word of both.

   A block is inside if it has a word of a reference entity or lies between two words of the entity. If the reference tags
   no entity, there are no regions. `entity_type` is the type of the first such entity. If the parameter `tags` does not
   have its tag, the tag is the type.

   One more row per segment says whether it has an error. It has no region, because a segment can have both regions. #}
{% import "transcripts/shared/words.jinja" as tagged with context %}
WITH {{ tagged.types() }},
entity_types AS (
    SELECT document, entity, coalesce(min(type), upper(min(entity_.tag)), '') AS type
    FROM {{ reference_tokens }} AS entity_
    LEFT JOIN types ON types.tag = upper(entity_.tag)
    WHERE entity IS NOT NULL
    GROUP BY document, entity
),
entity_words AS (
    SELECT document, position, type, entity = lag(entity) OVER (PARTITION BY document ORDER BY position) AS continues
    FROM {{ words }}
    JOIN entity_types USING (document, entity)
    WHERE side = 0
)
SELECT document, segment, speaker, if(EXISTS (FROM entity_types), if(entity_type IS NULL, 'outside', 'inside'), NULL) AS region, entity_type,
    {% for name, side in (("correct", "ref"), ("hypothesis_correct", "hyp")) %}
    sum(if(correct, greatest({{ side }}_end - {{ side }}_begin, 1), 0))::BIGINT AS {{ name }},
    {% endfor %}
    sum(ref_end - ref_begin)::BIGINT AS words,
    sum(if(correct, 0, least(ref_end - ref_begin, hyp_end - hyp_begin)))::BIGINT AS substitutions,
    sum(if(correct, 0, greatest(ref_end - ref_begin - (hyp_end - hyp_begin), 0)))::BIGINT AS deletions,
    sum(if(correct, 0, greatest(hyp_end - hyp_begin - (ref_end - ref_begin), 0)))::BIGINT AS insertions,
    0 AS segments, 0 AS wrong_segments
FROM (
    SELECT block_.*, coalesce(if(ref_begin < ref_end OR continues, word_.type, NULL), later_.type) AS entity_type
    FROM {{ blocks }} AS block_
    LEFT JOIN entity_words AS word_ ON block_.document = word_.document AND ref_begin = position
    LEFT JOIN (
        SELECT document, block, arg_min(type, position) AS type
        FROM (SELECT document, block, unnest(range(ref_begin + 1, ref_end)) AS position FROM {{ blocks }} WHERE ref_end - ref_begin > 1)
        JOIN entity_words USING (document, position)
        GROUP BY ALL
    ) AS later_ ON block_.document = later_.document AND block_.block = later_.block
)
GROUP BY ALL
UNION ALL
SELECT document, segment, speaker, NULL, NULL, 0, 0, 0, 0, 0, 0, 1, (wrong_.segment IS NOT NULL)::BIGINT
FROM {{ segments }}
LEFT JOIN (SELECT DISTINCT document, segment FROM {{ blocks }} WHERE NOT correct) AS wrong_ USING (document, segment)
WHERE NOT ignored

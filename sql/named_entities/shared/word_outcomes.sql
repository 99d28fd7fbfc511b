{# The blocks of the alignment, each with its numbers of correct words, substitutions, deletions and insertions, from which
   the word error rate is computed. A block of m reference words and n hypothesis words (a split or merge) counts as
   min(m, n) substitutions and |m − n| deletions or insertions.

   `region` is inside if the block has a word of a reference entity or lies between two words of the entity, otherwise
   outside. #}
SELECT block_.document, block_.segment, block_.speaker, if(coalesce(ref_begin < last, false), 'inside', 'outside') AS region,
    correct::INTEGER AS correct, ref_end - ref_begin AS words,
    if(correct, 0, least(ref_end - ref_begin, hyp_end - hyp_begin)) AS substitutions,
    if(correct, 0, greatest(ref_end - ref_begin - (hyp_end - hyp_begin), 0)) AS deletions,
    if(correct, 0, greatest(hyp_end - hyp_begin - (ref_end - ref_begin), 0)) AS insertions
FROM {{ blocks }} AS block_
ASOF LEFT JOIN {{ reference_entities }} AS entity_ ON block_.document = entity_.document AND ref_end > first

{# The blocks with what became of their words, inside of entities of the reference and outside: a block is inside when
   it has a word of one, or stands between two. #}
SELECT block_.document, block_.segment, block_.speaker, if(coalesce(ref_begin < last, false), 'inside', 'outside') AS region,
    correct::INTEGER AS correct, ref_end - ref_begin AS words,
    if(correct, 0, least(ref_end - ref_begin, hyp_end - hyp_begin)) AS substitutions,
    if(correct, 0, greatest(ref_end - ref_begin - (hyp_end - hyp_begin), 0)) AS deletions,
    if(correct, 0, greatest(hyp_end - hyp_begin - (ref_end - ref_begin), 0)) AS insertions
FROM {{ blocks }} AS block_
ASOF LEFT JOIN {{ reference_entities }} AS entity_ ON block_.document = entity_.document AND ref_end > first

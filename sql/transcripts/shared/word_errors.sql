{# The words that are wrong, and the places between words where words are inserted. Word n has the position 2n + 1, and the
   place before it the position 2n. The errors of a block of several words belong to its first word. #}
SELECT document, segment, 2 * word + 1 AS position, if(word = ref_begin, greatest(ref_end - ref_begin, hyp_end - hyp_begin), 0) AS errors
FROM (
    SELECT document, segment, ref_begin, ref_end, hyp_begin, hyp_end, unnest(range(ref_begin, ref_end)) AS word
    FROM {{ blocks }}
    WHERE NOT correct
)
UNION ALL
SELECT document, segment, 2 * ref_begin, hyp_end - hyp_begin
FROM {{ blocks }}
WHERE NOT correct AND ref_begin = ref_end

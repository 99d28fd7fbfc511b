{# The distinct boundaries (file, time) of fragments, B_disc, and of words, B_gold. The boundaries of a fragment are the
   onset of its first phone and the offset of its last phone. `hit`: a fragment and a word both begin at the time, or
   both end there. If a fragment ends where a word begins, and no word ends there, the time is not a hit. #}
SELECT file, time,
    bool_or(side = 'found') AS in_found,
    bool_or(side = 'gold') AS in_gold,
    bool_or(side = 'found' AND kind = 'onset') AND bool_or(side = 'gold' AND kind = 'onset')
        OR bool_or(side = 'found' AND kind = 'offset') AND bool_or(side = 'gold' AND kind = 'offset') AS hit
FROM (
    SELECT file, first_onset AS time, 'found' AS side, 'onset' AS kind FROM {{ fragment_texts }}
    UNION ALL
    SELECT file, last_offset, 'found', 'offset' FROM {{ fragment_texts }}
    UNION ALL
    SELECT file, onset, 'gold', 'onset' FROM {{ word_tokens }}
    UNION ALL
    SELECT file, "offset", 'gold', 'offset' FROM {{ word_tokens }}
)
GROUP BY ALL

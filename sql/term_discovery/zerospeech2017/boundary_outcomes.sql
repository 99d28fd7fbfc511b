{# The boundaries of the fragments (B_disc, at the edges of their phones) and of the words (B_gold), as points
   of a file. A point is hit when it is a boundary of the same kind, an onset or an offset, on both sides. #}
SELECT {{ scope }}file, time,
    bool_or(side = 'found') AS in_found,
    bool_or(side = 'gold') AS in_gold,
    bool_or(side = 'found' AND kind = 'onset') AND bool_or(side = 'gold' AND kind = 'onset')
        OR bool_or(side = 'found' AND kind = 'offset') AND bool_or(side = 'gold' AND kind = 'offset') AS hit
FROM (
    SELECT {{ scope }}file, first_onset AS time, 'found' AS side, 'onset' AS kind FROM {{ fragment_texts }}
    UNION ALL
    SELECT {{ scope }}file, last_offset, 'found', 'offset' FROM {{ fragment_texts }}
    UNION ALL
    SELECT {{ scope }}file, onset, 'gold', 'onset' FROM {{ word_tokens }}
    UNION ALL
    SELECT {{ scope }}file, "offset", 'gold', 'offset' FROM {{ word_tokens }}
)
GROUP BY ALL

{# The spans in pairs of P_disc* (found), of P_all (gold), and of both. #}
SELECT {{ scope }}file, phone, size, bool_or(set_ = 'found') AS in_found, bool_or(set_ = 'gold') AS in_gold,
    bool_or(set_ = 'both') AS in_both
FROM (
    SELECT {{ scope }}file, phone, size, 'found' AS set_ FROM {{ found_spans }}
    UNION ALL
    SELECT {{ scope }}file, phone, size, 'gold' FROM {{ all_spans }}
    UNION ALL
    SELECT {{ scope }}file, phone, size, 'both' FROM {{ both_spans }}
)
GROUP BY ALL

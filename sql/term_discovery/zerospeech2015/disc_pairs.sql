{# The pairs of P_disc by the edit distance and the longer length of their transcriptions: pairs of every group, less
   the surplus ones. #}
SELECT {{ scope }}distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT {{ scope }}distance, length, weight AS pairs FROM {{ rows }}
    UNION ALL
    SELECT {{ scope }}0, length(text), members * (members - 1) // 2 FROM {{ group_types }} WHERE members > 1
)
GROUP BY ALL

{# The pairs of each cluster (P_disc), by their edit distance and the length of the longer transcription. Linear
   in the members of a cluster, quadratic only in its distinct transcriptions: members of equal transcription
   make pairs at distance 0, those of two transcriptions as many as the product of their numbers. #}
SELECT {{ scope }}cluster, distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT {{ scope }}cluster, distance, length, weight AS pairs
    FROM {{ rows }}
    UNION ALL
    SELECT {{ scope }}cluster, 0, length(text), members * (members - 1) // 2
    FROM {{ cluster_types }}
    WHERE members > 1
)
GROUP BY ALL

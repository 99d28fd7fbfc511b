{# The number of pairs of members of a cluster (P_disc) at each edit distance and length of the longer transcription.

   By definition, n members are n·(n − 1)/2 pairs, and each is compared. Here each two distinct transcriptions t and u
   are compared once and stand for n_t·n_u pairs. The n_t·(n_t − 1)/2 pairs of members with the same transcription are
   at distance 0. The members `ab`, `ab` and `ac` are two pairs at distance 1 and one pair at distance 0. The work grows
   with the members of a cluster and with the square of its distinct transcriptions. #}
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

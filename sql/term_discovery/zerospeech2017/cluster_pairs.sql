{# The number of pairs of members of a cluster (P_disc) at each edit distance and length of the longer transcription.

   By definition, the n·(n − 1)/2 pairs of n members are listed and compared. Here every two distinct transcriptions t
   and u are compared once. If n_t members have the transcription t, their result counts for n_t·n_u pairs. The n_t·(n_t
   − 1)/2 pairs of members with the same transcription are at distance 0. For example, the members `ab`, `ab` and `ac`
   form two pairs at distance 1 and one pair at distance 0.

   tests/conformance/test_tdev2.py compares ned with tdev2, which lists the pairs. #}
SELECT cluster, distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT cluster, distance, length, weight AS pairs
    FROM {{ rows }}
    UNION ALL
    SELECT cluster, 0, length(text), members * (members - 1) // 2
    FROM {{ cluster_types }}
    WHERE members > 1
)
GROUP BY ALL

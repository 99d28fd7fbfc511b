{# Evidence: the clusters, each with its number of members that have a transcription, its number of distinct
   transcriptions, its number of pairs of members and their mean normalised edit distance (NED). NED is NULL for a
   cluster of one member. #}
WITH sizes AS (
    SELECT cluster, count(*) AS members, count(DISTINCT text) AS types
    FROM {{ cluster_members }}
    GROUP BY ALL
),
pairs AS (
    SELECT cluster, sum(pairs)::BIGINT AS pairs,
        ratio(exact_sum(pairs * if(length = 0, 1, distance / length)), sum(pairs)) AS ned
    FROM {{ cluster_pairs }}
    GROUP BY ALL
)
SELECT cluster, members, types, coalesce(pairs, 0) AS pairs, ned
FROM sizes
LEFT JOIN pairs USING (cluster)

{# Evidence: each cluster with its size, its distinct transcriptions, its pairs and their mean distance. #}
WITH sizes AS (
    SELECT {{ scope }}cluster, count(*) AS members, count(DISTINCT text) AS types
    FROM {{ cluster_members }}
    GROUP BY ALL
),
pairs AS (
    SELECT {{ scope }}cluster, sum(pairs)::BIGINT AS pairs,
        ratio(exact_sum(pairs * if(length = 0, 1, distance / length)), sum(pairs)) AS ned
    FROM {{ cluster_pairs }}
    GROUP BY ALL
)
SELECT {{ scope }}cluster, members, types, coalesce(pairs, 0) AS pairs, ned
FROM sizes
LEFT JOIN pairs USING ({{ scope }}cluster)

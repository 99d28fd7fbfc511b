{# The distinct transcriptions of each cluster, with the number of members that have each. The edit distances of pairs
   depend on nothing else. #}
SELECT cluster, pair_talker, text, count(*) AS members
FROM {{ cluster_members }}
GROUP BY ALL

{# The distinct transcriptions of each group of fragments, with the number of members that have each. Edit distances
   depend on nothing else. #}
SELECT {{ scope }}cluster, pair_talker, text, count(*) AS members
FROM {{ cluster_members }}
GROUP BY ALL

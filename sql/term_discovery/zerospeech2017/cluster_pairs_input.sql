{# What pairwise_edit_distance is fed: the distinct transcriptions of each cluster, clusters one by one. #}
SELECT {{ scope }}cluster, text, members AS weight
FROM {{ cluster_types }}
ORDER BY {{ scope }}cluster

{# The input of the function pairwise_edit_distance: the distinct transcriptions of each cluster, with the number of
   members as weight. Rows are sorted by cluster, so that the function holds one cluster at a time. #}
SELECT cluster, text, members AS weight
FROM {{ cluster_types }}
ORDER BY cluster

{# Evidence: the clusters, each with its number of members, its number of distinct transcriptions and its purity. Purity
   is the fraction of members that have the most frequent transcription of the cluster. #}
SELECT cluster, count(*) AS members, count(DISTINCT text) AS types, max(same) / count(*) AS purity
FROM (
    SELECT cluster, text, count(*) OVER (PARTITION BY cluster, text) AS same
    FROM {{ fold_fragments }}
    JOIN {{ disc_fragments }} USING (file, onset, "offset")
)
GROUP BY ALL

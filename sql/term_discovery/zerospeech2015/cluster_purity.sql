{# Evidence: the clusters, each with its number of members, its number of distinct transcriptions and its purity. Purity
   is the fraction of members that have the most frequent transcription of the cluster. #}
SELECT {{ scope }}cluster, count(*) AS members, count(DISTINCT text) AS types, max(same) / count(*) AS purity
FROM (
    SELECT {{ scope }}cluster, text, count(*) OVER (PARTITION BY {{ scope }}cluster, text) AS same
    FROM {{ fold_fragments }}
    JOIN {{ disc_fragments }} USING ({{ shared(fold_fragments, disc_fragments) }}file, onset, "offset")
)
GROUP BY ALL

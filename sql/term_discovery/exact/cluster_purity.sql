{# Evidence: one row for each cluster, with the number of its members, the number of their distinct transcriptions and
   its purity, the fraction of its members that have its most frequent transcription. #}
SELECT {{ scope }}cluster, count(*) AS members, count(DISTINCT text) AS types, max(same) / count(*) AS purity
FROM (
    SELECT {{ scope }}cluster, text, count(*) OVER (PARTITION BY {{ scope }}cluster, text) AS same
    FROM {{ fold_members }}
    JOIN {{ disc_fragments }} USING ({{ shared(fold_members, disc_fragments) }}file, onset, "offset")
)
GROUP BY ALL

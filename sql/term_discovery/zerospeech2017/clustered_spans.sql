{# The distinct spans of members of clusters. `in_found`: a fragment with the span is in a cluster of two or more
   members, so the span is in flat(P_clus). `in_both`: a fragment with the span has a partner of equal transcription in
   its cluster, so the span is in flat(P_clus ∩ P_goldclus). #}
WITH sizes AS (
    SELECT cluster, count(*) > 1 AS has_mate FROM {{ member_partners }} GROUP BY ALL
)
SELECT file, first_phone, last_phone, bool_or(has_mate) AS in_found, bool_or(has_partner) AS in_both
FROM {{ member_partners }}
JOIN sizes USING (cluster)
GROUP BY ALL

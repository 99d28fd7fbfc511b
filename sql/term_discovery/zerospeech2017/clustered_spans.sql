{# The spans of the members of clusters, and whether one has a cluster mate, and one of equal transcription. #}
WITH sizes AS (
    SELECT {{ scope }}cluster, count(*) > 1 AS has_mate FROM {{ member_partners }} GROUP BY ALL
)
SELECT {{ scope }}file, first_phone, last_phone, bool_or(has_mate) AS in_found, bool_or(has_partner) AS in_both
FROM {{ member_partners }}
JOIN sizes USING ({{ scope }}cluster)
GROUP BY ALL

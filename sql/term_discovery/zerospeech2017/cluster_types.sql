{# The distinct transcriptions of each cluster, without the labels that are not aligned, and their members. #}
WITH left_out AS (
    SELECT coalesce(string_agg(code, ''), '') AS codes FROM {{ phone_codes }} WHERE label IN {{ unaligned }}
)
SELECT {{ scope }}cluster, translate(text, codes, '') AS text, count(*) AS members
FROM {{ cluster_members }}, left_out
GROUP BY ALL

{# The distinct transcriptions of each cluster, with the number of members that have each. Labels in the parameter
   `unaligned` (SIL) are removed first, as tdev2 does before it computes edit distances. #}
WITH left_out AS (
    SELECT coalesce(string_agg(code, ''), '') AS codes FROM {{ phone_codes }} WHERE label IN {{ unaligned }}
)
SELECT cluster, translate(text, codes, '') AS text, count(*) AS members
FROM {{ cluster_members }}, left_out
GROUP BY ALL

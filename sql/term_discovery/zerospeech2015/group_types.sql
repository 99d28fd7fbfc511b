{# The distinct transcriptions of each group, and how many members have each. #}
SELECT {{ scope }}cluster, pair_talker, text, count(*) AS members
FROM {{ pair_groups }}
GROUP BY ALL

{# The distinct transcriptions of each group, and how many members have each. #}
SELECT {{ scope }}cluster, talker, text, count(*) AS members
FROM {{ pair_groups }}
GROUP BY ALL

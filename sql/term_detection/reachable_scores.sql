{# The groups of query_steps, and for each block one group without weight at the highest score of all blocks. KWSEval
   takes the thresholds of a query from the scores of all queries, so that all detections of a query can be rejected
   when another query has a higher score. #}
SELECT {{ scope }}block, score, hit_weight, false_alarm_weight FROM {{ query_steps }}
UNION ALL
SELECT {{ scope }}block, highest_score, 0, 0
FROM (SELECT *, true AS here FROM {{ blocks }})
JOIN (SELECT {{ scope }}true AS here, max(score) AS highest_score FROM {{ query_steps }} GROUP BY ALL) USING ({{ scope }}here)

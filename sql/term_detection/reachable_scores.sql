{# The groups of detections, and for each block a row that weighs nothing at the highest score of all: KWSEval tries for
   each query the scores of every query, so that one may be rejected whole when another has a higher score. #}
SELECT {{ scope }}block, score, hit_weight, false_alarm_weight FROM {{ query_steps }}
UNION ALL
SELECT {{ scope }}block, highest_score, 0, 0
FROM (SELECT *, true AS here FROM {{ blocks }})
JOIN (SELECT {{ scope }}true AS here, max(score) AS highest_score FROM {{ query_steps }} GROUP BY ALL) USING ({{ scope }}here)

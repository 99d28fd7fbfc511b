{# The groups of query_steps, and for each block a further group with the highest score of all blocks and the weights 0.
   KWSEval takes the thresholds of a query from the scores of all queries. So it can reject all detections of a query if
   another query has a higher score. #}
SELECT block, score, hit_weight, false_alarm_weight FROM {{ query_steps }}
UNION ALL
SELECT block, highest_score, 0, 0
FROM {{ query_blocks }}
CROSS JOIN (SELECT max(score) AS highest_score FROM {{ query_steps }})

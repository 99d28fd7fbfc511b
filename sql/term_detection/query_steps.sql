{# The detections of each block in groups, with the lowest score and the total weights of each group; the groups are
   enough to find the best threshold of the block.

   The naive way tries every score. But TWV rises only where the threshold passes an aligned detection (hit); unaligned
   detections lower it. So the best threshold is the score of an aligned detection, or no detection is accepted, and the
   unaligned detections between two scores of aligned ones can be added up. With hits at 0.9 and 0.5 and false alarms at
   0.8, 0.7 and 0.3, the groups are {0.9}, {0.8, 0.7}, {0.5} and {0.3}: four thresholds in place of five.

   The detections with the highest score of the block are a group in any case: where accepting no detection is not
   allowed (KWSEval), the least that can be accepted is that group. #}
WITH steps AS (
    SELECT DISTINCT {{ scope }}block, score FROM {{ scored_detections }} WHERE target
),
highest AS (
    SELECT {{ scope }}block, max(score) AS highest FROM {{ scored_detections }} GROUP BY ALL
)
SELECT {{ scope }}block, min(score) AS score, sum(hit_weight) AS hit_weight, sum(false_alarm_weight) AS false_alarm_weight
FROM (
    SELECT detection_.*, step_.score AS step, detection_.score > step_.score AS above
    FROM {{ scored_detections }} AS detection_
    ASOF LEFT JOIN steps AS step_
        ON detection_.block = step_.block{{ same("detection_", scored_detections, "step_", scored_detections) }}
        AND detection_.score >= step_.score
)
JOIN highest USING ({{ scope }}block)
GROUP BY {{ scope }}block, step, above, score = highest

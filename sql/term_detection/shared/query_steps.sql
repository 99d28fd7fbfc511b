{# The detections of each block in groups of adjacent scores, each with its lowest score and its total weights. Only these
   scores are tried as the threshold of the block.

   The naive way tries every score. As the threshold falls, TWV rises where an aligned detection (hit) is accepted, and
   falls where an unaligned detection (false alarm) is accepted. So the best threshold is the score of an aligned
   detection, or no detection is accepted. Unaligned detections between the scores of two aligned detections can
   therefore be added up. With hits at 0.9 and 0.5 and false alarms at 0.8, 0.7 and 0.3, the groups are {0.9}, {0.8,
   0.7}, {0.5} and {0.3}: four thresholds instead of five.

   The detections with the highest score of the block are always a group of their own, because openkws13 must accept at
   least these. tests/conformance/test_term_detection.py compares the best values with those of KWSEval.

   With `pooled`, the detections of all queries are one block, and are read as they were added up by score. #}
{% set rows = "(SELECT '' AS block, score, true_trials > 0 AS target, hit_weight, false_alarm_weight FROM " ~ score_weights ~ ")" if pooled.value else scored_detections %}
WITH steps AS (
    SELECT DISTINCT block, score FROM {{ rows }} WHERE target
),
highest AS (
    SELECT block, max(score) AS highest FROM {{ rows }} GROUP BY ALL
)
SELECT block, min(score) AS score, sum(hit_weight) AS hit_weight, sum(false_alarm_weight) AS false_alarm_weight
FROM (
    SELECT detection_.*, step_.score AS step, detection_.score > step_.score AS above
    FROM {{ rows }} AS detection_
    ASOF LEFT JOIN steps AS step_
        ON detection_.block = step_.block
        AND detection_.score >= step_.score
)
JOIN highest USING (block)
GROUP BY block, step, above, score = highest

{# The detections of each block in groups between which its threshold may be best: those at the score of an aligned one,
   and those above it but below the next. Within a group more are accepted only at a loss, so its lowest score stands
   for it. Those at the highest score of the block are a group of their own: where not all can be rejected, they are
   least. #}
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

{# The detections added up by score: their weights (see scored_detections), and the numbers of aligned detections
   (targets), of unaligned detections, and of detections with the decision YES. Sums of these numbers are exact: they
   are whole numbers below 2^53. #}
SELECT ranked_score(score) AS score, has_targets, sum(hit_weight) AS hit_weight,
    sum(false_alarm_weight) AS false_alarm_weight, count_if(target)::DOUBLE AS true_trials,
    count_if(NOT target)::DOUBLE AS false_trials, count_if(accepted)::DOUBLE AS accepted_trials
FROM {{ scored_detections }}
GROUP BY ALL

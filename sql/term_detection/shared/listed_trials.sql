{# The trials that the system lists: for each score, how many are targets (aligned detections), how many are not (unaligned
   detections), and how many have the decision YES. Sums of these numbers are exact: they are whole numbers below 2^53. #}
SELECT {{ scope }}ranked_score(score) AS score, has_targets, count_if(target)::DOUBLE AS true_trials,
    count_if(NOT target)::DOUBLE AS false_trials, count_if(accepted)::DOUBLE AS accepted_trials
FROM {{ scored_detections }}
GROUP BY ALL

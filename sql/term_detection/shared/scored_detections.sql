{# The detections of the scored queries, each with the weight that it adds if it is accepted: `hit_weight` if it is
   aligned, otherwise `false_alarm_weight` (see scored_queries). TWV at any threshold is a function of the sums of the
   two weights (Eq 6). #}
SELECT query, block, score, target, outcome, decision = 'YES' AS accepted, targets > 0 AS has_targets,
    if(target, hit_weight, 0) AS hit_weight, if(target, 0, false_alarm_weight) AS false_alarm_weight
FROM {{ alignment }}
JOIN {{ scored_queries }} USING (query)
WHERE decision IS NOT NULL

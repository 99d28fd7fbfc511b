{# The detections of the queries that count, each with what it weighs when it is accepted: as a hit when it is aligned,
   as a false alarm otherwise. #}
SELECT {{ scope }}query, block, score, target, outcome, decision = 'YES' AS accepted, targets > 0 AS has_targets,
    if(target, hit_weight, 0) AS hit_weight, if(target, 0, false_alarm_weight) AS false_alarm_weight
FROM {{ alignment }}
JOIN {{ scored_queries }} USING ({{ shared(alignment, scored_queries) }}query)
WHERE decision IS NOT NULL

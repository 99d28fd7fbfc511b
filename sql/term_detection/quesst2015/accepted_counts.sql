{# The queries that have targets, each with the number of its targets and the number of its nontarget trials that have a
   score above the parameter `threshold`, and with the weights of the query. #}
SELECT weight_.query, weight_.hit_weight, weight_.false_alarm_weight,
    targets, nontargets, hits, false_alarms
FROM (
    SELECT query_place, count_if(target) AS targets, count_if(NOT target) AS nontargets,
        count_if(target AND score > {{ threshold }}) AS hits, count_if(NOT target AND score > {{ threshold }}) AS false_alarms
    FROM {{ trial_scores }}
    GROUP BY ALL
) AS counted
JOIN {{ query_weights }} AS weight_ ON weight_.query_place = counted.query_place

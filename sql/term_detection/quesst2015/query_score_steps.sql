{# The trials of each query in the groups of score_steps, which are those of all queries together, and a last row for
   rejecting all trials. Summed over queries, they are the rows of score_steps. A group ends at its highest
   score, so that a trial belongs to the group with the lowest such score that is not below its own. #}
WITH steps AS (
    SELECT DISTINCT rejected, high FROM {{ score_steps }} WHERE targets + nontargets > 0
)
SELECT score_.query_place, step_.rejected, score_.yes,
    coalesce(sum(weight_.hit_weight) FILTER (WHERE score_.target), 0)::HUGEINT AS hit_weight,
    coalesce(sum(weight_.false_alarm_weight) FILTER (WHERE NOT score_.target), 0)::HUGEINT AS false_alarm_weight
FROM {{ trial_scores }} AS score_
ASOF JOIN steps AS step_ ON score_.score <= step_.high
JOIN {{ query_weights }} AS weight_ ON weight_.query_place = score_.query_place
GROUP BY ALL
UNION ALL
SELECT weight_.query_place, last_.high, false, 0, 0
FROM {{ query_weights }} AS weight_
CROSS JOIN (SELECT max(high) AS high FROM steps) AS last_

{# The trials of all queries in groups of adjacent scores, from which the best threshold for all queries is found and the
   curve is drawn. A trial is accepted if its score is above the threshold. `rejected` is the largest score below the
   group; as a threshold, it accepts the group and everything above. The last row, without trials, is the threshold that
   rejects all trials.

   The naive way tries every score. But as the threshold falls, TWV rises only where a target is accepted, so that the
   nontarget trials between the scores of two targets can be added up. With targets at 0.9 and 0.5 and nontarget trials
   at 0.8, 0.7 and 0.3, the groups are {0.9}, {0.8, 0.7}, {0.5} and {0.3}. In each group, the trials with the decision
   YES and those with NO are separate rows, so that the point of the decisions can be computed, too. #}
WITH grouped AS (
    SELECT step_.score AS step, coalesce(score_.score > step_.score, false) AS above, score_.yes,
        max(score_.score) AS high,
        count(*) FILTER (WHERE score_.target) AS targets, count(*) FILTER (WHERE NOT score_.target) AS nontargets,
        coalesce(sum(weight_.hit_weight) FILTER (WHERE score_.target), 0)::HUGEINT AS hit_weight,
        coalesce(sum(weight_.false_alarm_weight) FILTER (WHERE NOT score_.target), 0)::HUGEINT AS false_alarm_weight
    FROM {{ trial_scores }} AS score_
    ASOF LEFT JOIN (SELECT DISTINCT score FROM {{ trial_scores }} WHERE target) AS step_
        ON score_.score >= step_.score
    JOIN {{ query_weights }} AS weight_ ON weight_.query_place = score_.query_place
    GROUP BY ALL
),
highest AS (
    SELECT step, above, max(high) AS high FROM grouped GROUP BY ALL
),
below AS (
    SELECT step, above, high, coalesce(lag(high) OVER (ORDER BY step NULLS FIRST, above), '-inf'::DOUBLE) AS rejected
    FROM highest
)
SELECT below.rejected, below.high, grouped.yes,
    grouped.targets, grouped.nontargets, grouped.hit_weight, grouped.false_alarm_weight
FROM grouped JOIN below ON grouped.step IS NOT DISTINCT FROM below.step AND grouped.above = below.above
UNION ALL
SELECT max(high), 'inf'::DOUBLE, false, 0, 0, 0, 0 FROM highest HAVING count(*) > 0

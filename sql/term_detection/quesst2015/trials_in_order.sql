{# The rows that the function pool_adjacent_violators reads for min_cnxe: the trials in the order of their scores. Trials
   with equal scores are in the order of `place`. The nontarget trials between the scores of two targets are one row,
   because they get the same value in any case. #}
SELECT score, positives, negatives
FROM (
    SELECT score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives, place
    FROM {{ trial_scores }}
    SEMI JOIN (FROM {{ trial_scores }} WHERE target) AS target_ USING (score)
    UNION ALL
    SELECT high, 0, sum(nontargets)::BIGINT, 0
    FROM {{ score_steps }}
    GROUP BY high
    HAVING sum(targets) = 0 AND sum(nontargets) > 0
)
ORDER BY score, place

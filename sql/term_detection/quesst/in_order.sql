{# The rows that the function pool_adjacent_violators reads for min_cnxe: the trials by score, trials with equal scores
   one by one in the order of `place`. Trials between the scores of two targets are all non-targets and are one row. #}
SELECT {{ scope }}score, positives, negatives
FROM (
    SELECT {{ scope }}score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives, place
    FROM {{ quesst_scores }}
    SEMI JOIN (FROM {{ quesst_scores }} WHERE target) AS target_ USING ({{ scope }}score)
    UNION ALL
    SELECT {{ scope }}high, 0, sum(nontargets)::BIGINT, 0
    FROM {{ quesst_steps }}
    GROUP BY {{ scope }}high
    HAVING sum(targets) = 0 AND sum(nontargets) > 0
)
ORDER BY {{ scope }}score, place

{# What pool_adjacent_violators is fed: the trials by score, equal ones in the order of their places. Between the scores
   of targets there are no targets, so that those trials need not be told apart. #}
SELECT {{ scope }}score, positives, negatives
FROM (
    SELECT {{ scope }}score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives, place
    FROM {{ trial_scores }}
    SEMI JOIN (FROM {{ trial_scores }} WHERE target) AS target_ USING ({{ scope }}score)
    UNION ALL
    SELECT {{ scope }}high, 0, sum(nontargets)::BIGINT, 0
    FROM {{ score_steps }}
    GROUP BY {{ scope }}high
    HAVING sum(targets) = 0 AND sum(nontargets) > 0
)
ORDER BY {{ scope }}score, place

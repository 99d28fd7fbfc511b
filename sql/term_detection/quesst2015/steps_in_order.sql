{# What pool_adjacent_violators is fed where equal scores are pooled: the groups of trials between targets, by score;
   in those between two targets are no targets, so that they need not be told apart. #}
SELECT {{ scope }}high AS score, sum(targets)::BIGINT AS positives, sum(nontargets)::BIGINT AS negatives
FROM {{ score_steps }}
GROUP BY ALL
HAVING sum(targets + nontargets) > 0
ORDER BY {{ scope }}high

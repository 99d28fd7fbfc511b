{# The rows that the function pool_adjacent_violators reads for min_cnxe_pooled: the trials by score, trials with equal
   scores as one row. Trials between the scores of two targets are all non-targets and are one row too. #}
SELECT {{ scope }}high AS score, sum(targets)::BIGINT AS positives, sum(nontargets)::BIGINT AS negatives
FROM {{ quesst_steps }}
GROUP BY ALL
HAVING sum(targets + nontargets) > 0
ORDER BY {{ scope }}high

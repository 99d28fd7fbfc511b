{# The rows that the function pool_adjacent_violators reads for min_cnxe_pooled: the trials in the order of their scores.
   Trials with equal scores are one row, so that they are in one block. The nontarget trials between the scores of two
   targets are also one row, because they get the same value in any case. #}
SELECT high AS score, sum(targets)::BIGINT AS positives, sum(nontargets)::BIGINT AS negatives
FROM {{ score_steps }}
GROUP BY ALL
HAVING sum(targets + nontargets) > 0
ORDER BY score

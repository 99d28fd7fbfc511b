{# The rows that the function pool_adjacent_violators reads for lower_bound_cnxe: the trials of each query in the order of
   their scores. Trials with equal scores are in the order of `place`. The nontarget trials between the scores of two
   targets of the query are one row, because they get the same value in any case. #}
SELECT query, score, positives, negatives
FROM (
    SELECT query_.query, score_.score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives, score_.place
    FROM {{ trial_scores }} AS score_
    SEMI JOIN (FROM {{ trial_scores }} WHERE target) AS target_ USING (query_place, score)
    JOIN {{ scored_queries }} AS query_ ON query_.place = score_.query_place
    UNION ALL
    SELECT query, high, 0, nontargets, 0
    FROM {{ query_steps }}
    WHERE above OR step IS NULL
)
ORDER BY query, score, place

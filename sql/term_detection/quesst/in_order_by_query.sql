{# The rows that the function pool_adjacent_violators reads for lower_bound_cnxe: the trials of each query by score,
   trials with equal scores one by one in the order of `place`. Trials between the scores of two targets of the query
   are all non-targets and are one row. #}
SELECT {{ scope }}query, score, positives, negatives
FROM (
    SELECT {% for column in scope_columns %}score_.{{ column | name }}, {% endfor %}query_.query, score_.score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives, score_.place
    FROM {{ quesst_scores }} AS score_
    SEMI JOIN (FROM {{ quesst_scores }} WHERE target) AS target_ USING ({{ scope }}query_place, score)
    JOIN {{ quesst_queries }} AS query_ ON query_.place = score_.query_place{{ same("score_", quesst_scores, "query_", quesst_queries) }}
    UNION ALL
    SELECT {{ scope }}query, high, 0, nontargets, 0
    FROM {{ quesst_query_steps }}
    WHERE above OR step IS NULL
)
ORDER BY {{ scope }}query, score, place

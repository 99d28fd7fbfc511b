{# What pool_adjacent_violators is fed: the trials of each query by score, equal ones in the order of their places.
   Between the scores of targets there are no targets, so that those trials need not be told apart. #}
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

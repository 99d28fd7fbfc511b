{# The trials of each query in groups; the groups are enough to find the best threshold of the query. A group is the
   trials at the score of a target (`step`), or the trials above it (`above`) and below the next higher target. For
   trials below all targets, `step` is NULL.

   TWV rises only where the threshold passes a target, so that no threshold within a group can be the best. #}
SELECT {% for column in scope_columns %}grouped.{{ column | name }}, {% endfor %}query_.query, grouped.* EXCLUDE ({{ scope }}query_place)
FROM (
    SELECT {% for column in scope_columns %}score_.{{ column | name }}, {% endfor %}score_.query_place, step_.score AS step,
        coalesce(score_.score > step_.score, false) AS above, max(score_.score) AS high,
        count(*) FILTER (WHERE score_.target) AS targets, count(*) FILTER (WHERE NOT score_.target) AS nontargets
    FROM {{ quesst_scores }} AS score_
    ASOF LEFT JOIN (SELECT DISTINCT {{ scope }}query_place, score FROM {{ quesst_scores }} WHERE target) AS step_
        ON score_.query_place = step_.query_place AND score_.score >= step_.score{{ same("score_", quesst_scores, "step_", quesst_scores) }}
    GROUP BY ALL
) AS grouped
JOIN {{ quesst_queries }} AS query_ ON query_.place = grouped.query_place{{ same("grouped", quesst_scores, "query_", quesst_queries) }}

{# The trials of each query in groups of adjacent scores. The best threshold of the query is never inside a group: as the
   threshold falls, TWV rises only where a target is accepted.

   Let `step` be the score of a target. The trials with this score are a group, and the trials above it and below the
   next higher score of a target are another group (`above`). The trials below all targets are a group without `step`. #}
SELECT query_.query, grouped.* EXCLUDE (query_place)
FROM (
    SELECT score_.query_place, step_.score AS step,
        coalesce(score_.score > step_.score, false) AS above, max(score_.score) AS high,
        count(*) FILTER (WHERE score_.target) AS targets, count(*) FILTER (WHERE NOT score_.target) AS nontargets
    FROM {{ trial_scores }} AS score_
    ASOF LEFT JOIN (SELECT DISTINCT query_place, score FROM {{ trial_scores }} WHERE target) AS step_
        ON score_.query_place = step_.query_place AND score_.score >= step_.score
    GROUP BY ALL
) AS grouped
JOIN {{ scored_queries }} AS query_ ON query_.place = grouped.query_place

{# The queries that have targets, with the numbers of their trials by outcome: at the decisions of the system, and with
   YES when score > θ_mincost (bayes). `target_bits` and `nontarget_bits` are the sums of the logarithmic costs of their
   scores in bits (Eq 37, divided by ln 2). Infinite costs are counted, not summed. #}
SELECT {% for column in scope_columns %}counted.{{ column | name }}, {% endfor %}query_.query, counted.* EXCLUDE ({{ scope }}query_place)
FROM (
    SELECT {{ scope }}query_place,
        count(*) AS trials,
        count(*) FILTER (WHERE target) AS targets,
        count(*) FILTER (WHERE NOT target) AS nontargets,
        count(*) FILTER (WHERE target AND yes) AS hits,
        count(*) FILTER (WHERE target AND NOT yes) AS misses,
        count(*) FILTER (WHERE NOT target AND yes) AS false_alarms,
        count(*) FILTER (WHERE NOT target AND NOT yes) AS correct_rejections,
        coalesce(max(score) FILTER (WHERE NOT yes) >= min(score) FILTER (WHERE yes), false) AS unordered,
        count(*) FILTER (WHERE target AND score > theta) AS bayes_hits,
        count(*) FILTER (WHERE NOT target AND score > theta) AS bayes_false_alarms,
        coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE target), 0) AS target_bits,
        coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE NOT target), 0) AS nontarget_bits,
        count(*) FILTER (WHERE cost IS NULL) AS infinite_bits
    FROM (
        SELECT *, if(bits < 1e15, bits, NULL) AS cost
        FROM (
            SELECT score_.*, theta, bits_of_odds(if(target, score + log_odds, -score - log_odds)) AS bits
            FROM {{ quesst_scores }} AS score_ CROSS JOIN {{ quesst_prior }}
        )
    )
    GROUP BY {{ scope }}query_place
) AS counted
JOIN {{ quesst_queries }} AS query_ ON query_.place = counted.query_place{{ same("counted", quesst_scores, "query_", quesst_queries) }}

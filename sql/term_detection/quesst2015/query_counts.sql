{# The queries that have targets, each with its numbers of hits, misses, false alarms and correct rejections at the
   decisions of the system. Scores are then mapped to llr = γ·score + δ (Eq 44). Further columns are its hits and false
   alarms if the trials with an llr above θ_mincost are accepted (bayes_…), and the sums of the logarithmic costs of llr,
   in bits (Eq 37, divided by ln 2): `target_bits` and `nontarget_bits`, with 15 decimals. Infinite costs are left out of
   the sums, and `infinite_bits` counts them. Costs of 10^15 bits or more count as infinite. #}
SELECT query_.query, counted.* EXCLUDE (query_place)
FROM (
    SELECT query_place,
        count(*) AS trials,
        count(*) FILTER (WHERE target) AS targets,
        count(*) FILTER (WHERE NOT target) AS nontargets,
        count(*) FILTER (WHERE target AND yes) AS hits,
        count(*) FILTER (WHERE target AND NOT yes) AS misses,
        count(*) FILTER (WHERE NOT target AND yes) AS false_alarms,
        count(*) FILTER (WHERE NOT target AND NOT yes) AS correct_rejections,
        coalesce(max(score) FILTER (WHERE NOT yes) >= min(score) FILTER (WHERE yes), false) AS unordered,
        count(*) FILTER (WHERE target AND llr > theta_mincost) AS bayes_hits,
        count(*) FILTER (WHERE NOT target AND llr > theta_mincost) AS bayes_false_alarms,
        coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE target), 0) AS target_bits,
        coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE NOT target), 0) AS nontarget_bits,
        count(*) FILTER (WHERE cost IS NULL) AS infinite_bits
    FROM (
        SELECT *, if(bits < 1e15, bits, NULL) AS cost
        FROM (
            SELECT score_.*, theta_mincost, bits_of_odds(if(target, llr + log_odds, -llr - log_odds)) AS bits
            FROM (SELECT *, calibrated(score, {{ score_scale }}, {{ score_offset }}) AS llr FROM {{ trial_scores }}) AS score_
            CROSS JOIN {{ operating_point }}
        )
    )
    GROUP BY query_place
) AS counted
JOIN {{ scored_queries }} AS query_ ON query_.place = counted.query_place

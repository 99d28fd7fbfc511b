{# What each query's trials come to: at the decisions, at the Bayes threshold (YES iff score > theta), and what the
   scores cost as log likelihood ratios (bits; infinite ones are counted apart). #}
SELECT {{ scope }}query,
    count(*) AS trials,
    count(*) FILTER (WHERE target) AS targets,
    count(*) FILTER (WHERE NOT target) AS nontargets,
    count(*) FILTER (WHERE outcome = 'hit') AS hits,
    count(*) FILTER (WHERE outcome = 'miss') AS misses,
    count(*) FILTER (WHERE outcome = 'false_alarm') AS false_alarms,
    count(*) FILTER (WHERE outcome = 'correct_rejection') AS correct_rejections,
    count(*) FILTER (WHERE target AND score > theta) AS bayes_hits,
    count(*) FILTER (WHERE NOT target AND score > theta) AS bayes_false_alarms,
    coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE target), 0) AS target_bits,
    coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE NOT target), 0) AS nontarget_bits,
    count(*) FILTER (WHERE cost IS NULL) AS infinite_bits
FROM (
    SELECT *, if(bits < 1e15, bits, NULL) AS cost
    FROM (
        SELECT trial.*, theta, bits_of_odds(if(target, score + log_odds, -score - log_odds)) AS bits
        FROM {{ quesst_trials }} AS trial CROSS JOIN {{ quesst_prior }}
    )
)
GROUP BY {{ scope }}query

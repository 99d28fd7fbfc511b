{# The queries, each with its number of target trials, N_act(q), and its number of nontarget trials, N_nt(q) = trials −
   N_act(q) (Eq 2). #}
WITH counted AS (
    SELECT query, count(*) AS targets FROM {{ targets }} GROUP BY ALL
)
SELECT query, coalesce(targets, 0) AS targets, trials - coalesce(targets, 0) AS nontargets,
    targets IS NULL{{ " AND false" if pooled.value or include_queries_without_targets.value }} AS unscored
FROM (SELECT DISTINCT query FROM {{ queries }})
CROSS JOIN {{ audio_size }}
LEFT JOIN counted USING (query)

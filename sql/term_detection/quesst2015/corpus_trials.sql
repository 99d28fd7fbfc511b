{# The trials of the queries that are in some document, and the operating point. p is the empirical prior (Eq 12): α is Eq
   20, and the weight of a miss is the inverse of the weight that Eq 15 gives a false alarm. #}
SELECT targets, all_trials, beta, p_target, p AS p_target_empirical, (1 - p) / nullif(1 - queries * p, 0) AS alpha,
    (1 - p) / (p * beta) AS miss_weight
FROM (
    SELECT count(*) AS queries, coalesce(sum(targets), 0)::BIGINT AS targets, coalesce(sum(documents), 0)::DOUBLE AS all_trials,
        sum(targets)::DOUBLE / sum(documents) AS p
    FROM {{ scored_queries }}
    WHERE targets > 0
), {{ operating_point }}

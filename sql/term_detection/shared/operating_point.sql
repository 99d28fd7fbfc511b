{# The operating point, once for the whole set: costs and priors (Eqs 3, 12, 16-20, 24), and the smallest score, which
   trials that no system lists are given (section 4.2.4). #}
WITH sizes AS (
    SELECT count(*) AS queries, sum(targets)::BIGINT AS targets FROM {{ query_sizes }} WHERE targets > 0
),
lowest AS (
    SELECT coalesce(min(ranked_score(score)), 0) AS smallest_score FROM {{ scored_detections }} WHERE has_targets
),
chosen AS (
    SELECT *, {{ "targets / trials" if p_target.value is none else p_target }}::DOUBLE AS p_target
    FROM sizes, lowest, {{ audio_size }}
)
SELECT *, 1 / (1 + beta) AS p_tar, ln(beta) AS theta_mincost,
    (1 - p_target_empirical) / nullif(1 - queries * p_target_empirical, 0) AS alpha,
    {{ "queries * alpha" if p_target.value is none else "c_miss / c_fa" }} AS miss_weight
FROM (
    SELECT queries, targets, trials, smallest_score, p_target, {{ c_miss }} AS c_miss, {{ c_fa }} AS c_fa,
        ({{ c_fa }} / {{ c_miss }}) * (1 / p_target - 1) AS beta, targets / (queries * trials) AS p_target_empirical
    FROM chosen
)

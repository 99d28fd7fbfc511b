{# The operating point, one row for the whole set in every breakdown: costs and priors, β (Eq 7), the empirical prior (Eq
   12), α (Eq 20), the weight of a miss, the effective prior P_tar (Eq 23) and the threshold of minimum expected cost
   θ_mincost = −logit(P_tar) = ln β (Eq 31). With p_target = null, the prior is that of SWS 2012, N_true / (n_tps ·
   T_audio) (Eq 17).

   Eq 15 weighs a false alarm with β · p / (1 − p) misses, where p is the empirical prior. The weight of a miss is the
   inverse. If p_target is the empirical prior, it is C_miss / C_fa (Eq 16). For Eq 17 and costs of 1 it is |Q|·α (Eq 19).

   With C_miss = 100, C_fa = 1 and P_target = 0.00015 (Eq 21): β = 66.657, P_tar = 0.0148, θ_mincost = 4.2. #}
WITH sizes AS (
    SELECT count(*) AS queries, sum(targets)::BIGINT AS targets FROM {{ query_sizes }} WHERE targets > 0
),
chosen AS (
    SELECT *, {{ "targets / trials" if p_target.value is none else p_target }}::DOUBLE AS p_target
    FROM sizes, {{ audio_size }}
)
SELECT *, 1 / (1 + beta) AS p_tar, ln(beta) AS theta_mincost,
    (1 - p_target_empirical) / nullif(1 - queries * p_target_empirical, 0) AS alpha,
    {{ "c_miss / c_fa" if miss_weight_prior.value == "empirical" else "(1 - p_target_empirical) / (p_target_empirical * beta)" }} AS miss_weight
FROM (
    SELECT queries, targets, trials, p_target, {{ c_miss }} AS c_miss, {{ c_fa }} AS c_fa,
        ({{ c_fa }} / {{ c_miss }}) * (1 / p_target - 1) AS beta, targets / (queries * trials) AS p_target_empirical
    FROM chosen
)

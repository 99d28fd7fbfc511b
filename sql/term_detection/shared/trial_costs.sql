{# The scores of trials, each with its logarithmic cost in bits (Eq 37, divided by ln 2). With llr = γ·score + δ (Eq 44),
   which is read as a log-likelihood ratio, it is log2(1 + exp(−(llr + logit(P_tar)))) for a target trial, and
   log2(1 + exp(llr + logit(P_tar))) for a nontarget trial. Costs of 10^15 bits or more count as infinite. #}
SELECT {{ scope }}score, true_trials, false_trials,
    if(true_trials = 0, 0, if(true_bits < 1e15, true_bits, 'inf'::DOUBLE)) AS true_bits,
    if(false_trials = 0, 0, if(false_bits < 1e15, false_bits, 'inf'::DOUBLE)) AS false_bits
FROM (
    SELECT *, bits_of_odds(llr + log_odds) AS true_bits, bits_of_odds(-llr - log_odds) AS false_bits
    FROM (SELECT *, calibrated(score, {{ score_scale }}, {{ score_offset }}) AS llr FROM {{ trial_scores }}),
        (SELECT logit(p_tar) AS log_odds FROM {{ operating_point }})
)

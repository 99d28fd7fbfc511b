{# The effective prior P_tar (Eq 23), and the values that follow from it: β = (1 − P_tar) / P_tar (Eqs 7 and 22),
   logit(P_tar), the threshold θ_mincost (Eq 31) and the prior entropy (Eq 39). As in the QUESST scorer, P_tar is cut off
   after `prior_decimals` (7) decimals: 0.0741289844 becomes 0.0741289. This is an exact division of whole numbers, for
   which costs are rounded to 6 decimals and p_target to 12. #}
SELECT {{ p_target }} AS p_target, p_tar, (1 - p_tar) / p_tar AS beta, logit(p_tar) AS log_odds, ln((1 - p_tar) / p_tar) AS theta_mincost,
    shared_bits(p_tar, 1 - p_tar) AS prior_entropy
FROM (
    SELECT (targets * pow(10, {{ prior_decimals }})::HUGEINT // nullif(targets + others, 0))::DOUBLE
            / pow(10e0, {{ prior_decimals }}) AS p_tar
    FROM (
        SELECT round({{ c_miss }} * 1e6)::HUGEINT * round({{ p_target }} * 1e12)::HUGEINT AS targets,
            round({{ c_fa }} * 1e6)::HUGEINT * round((1e0 - {{ p_target }}) * 1e12)::HUGEINT AS others
    )
)

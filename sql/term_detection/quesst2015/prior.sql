{# The effective prior of a target (Eq 23), cut after prior_decimals decimals as the scorer is given it, and what
   follows from it (Eqs 7, 24, 31). Whole numbers, so that the cut is exact: costs count to six decimals, p_target
   to twelve. #}
SELECT {{ p_target }} AS p_target, p_tar, (1 - p_tar) / p_tar AS beta, logit(p_tar) AS log_odds, ln((1 - p_tar) / p_tar) AS theta,
    shared_bits(p_tar, 1 - p_tar) AS prior_entropy
FROM (
    SELECT (targets * pow(10, {{ prior_decimals }})::HUGEINT // nullif(targets + others, 0))::DOUBLE
            / pow(10e0, {{ prior_decimals }}) AS p_tar
    FROM (
        SELECT round({{ c_miss }} * 1e6)::HUGEINT * round({{ p_target }} * 1e12)::HUGEINT AS targets,
            round({{ c_fa }} * 1e6)::HUGEINT * round((1e0 - {{ p_target }}) * 1e12)::HUGEINT AS others
    )
)

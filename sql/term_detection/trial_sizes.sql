{# One row for each slice: the effective prior P_tar (Eq 23), and whether the trials can be counted (NOT overfull, see
   trial_scores). #}
SELECT {{ scope }}bool_or(overfull) AS overfull, any_value(p_tar) AS p_tar
FROM {{ trial_scores }}, (SELECT p_tar FROM {{ operating_point }})
GROUP BY ALL

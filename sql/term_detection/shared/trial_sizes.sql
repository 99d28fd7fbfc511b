{# Whether the trials of each slice can be counted, with the effective prior. #}
SELECT {{ scope }}bool_or(overfull) AS overfull, any_value(p_tar) AS p_tar
FROM {{ trial_scores }}, (SELECT p_tar FROM {{ operating_point }})
GROUP BY ALL

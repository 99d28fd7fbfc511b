{# The operating points of the parameter `operating_points`; what is not a prior or a cost is NULL. A detection cost is
   divided by the cost of the better of two systems without information, so that only the weights of the two error rates
   matter. #}
SELECT point, text, bayes_threshold(p_target, c_miss, c_fa) AS threshold,
    miss_weight(p_target, c_miss, c_fa) AS miss_weight,
    false_alarm_weight(p_target, c_miss, c_fa) AS false_alarm_weight
FROM (
    SELECT point, text, if(p_target > 0 AND p_target < 1, p_target, NULL) AS p_target,
        if(c_miss > 0 AND c_miss <= 1e9, c_miss, NULL) AS c_miss, if(c_fa > 0 AND c_fa <= 1e9, c_fa, NULL) AS c_fa
    FROM (
        SELECT point, text, try_cast(parts[1] AS DOUBLE) AS p_target,
            if(len(parts) = 1, 1, try_cast(parts[2] AS DOUBLE)) AS c_miss,
            CASE len(parts) WHEN 1 THEN 1 WHEN 3 THEN try_cast(parts[3] AS DOUBLE) END AS c_fa
        FROM (
            SELECT unnest(range(1, len(texts) + 1)) AS point, unnest(texts) AS text,
                string_split_regex(trim(unnest(texts)), ' +') AS parts
            FROM (SELECT {{ operating_points }} AS texts)
        )
    )
)

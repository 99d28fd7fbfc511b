{# One row for each slice: the number of queries over which rates are averaged, how many of them have target trials
   (P_miss) and how many have no non-target trial (P_fa is then undefined), with the operating point. #}
SELECT *
FROM (
    SELECT {{ scope }}count(*) AS queries, count_if(targets > 0) AS occurring, count_if(block_nontargets <= 0) AS overfull,
        sum(targets)::BIGINT AS targets, any_value({{ pooled }}) AS pooled
    FROM {{ scored_queries }}
    GROUP BY ALL
)
CROSS JOIN (SELECT beta, c_miss, c_fa, p_target FROM {{ operating_point }})

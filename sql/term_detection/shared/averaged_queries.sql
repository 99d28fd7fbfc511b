{# Over how many queries rates are means, in each slice, with the operating point of the whole set. #}
SELECT *
FROM (
    SELECT {{ scope }}count(*) AS queries, count_if(targets > 0) AS occurring, count_if(block_nontargets <= 0) AS overfull,
        sum(targets)::BIGINT AS targets, any_value({{ pooled }}) AS pooled
    FROM {{ scored_queries }}
    GROUP BY ALL
)
CROSS JOIN (SELECT beta, c_miss, c_fa, p_target FROM {{ operating_point }})

{# The number of scored queries, the number of those with a target (over which P_miss is averaged) and the number of those
   with a nontarget trial (over which P_fa is averaged), with the operating point. #}
SELECT *
FROM (
    SELECT count(*) AS queries, count_if(targets > 0) AS queries_with_targets, count_if(block_nontargets > 0) AS queries_with_nontargets,
        sum(targets)::BIGINT AS targets, any_value({{ pooled }}) AS pooled
    FROM {{ scored_queries }}
)
CROSS JOIN (SELECT beta, c_miss, c_fa, p_target FROM {{ operating_point }})

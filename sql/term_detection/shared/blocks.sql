{# The blocks over which rates are averaged: a query each, or one of all queries. #}
SELECT {{ scope }}block, count(*) OVER ({{ "PARTITION BY " ~ (scope_columns | names) if scope_columns }}) AS blocks, overfull, beta
FROM (SELECT DISTINCT {{ scope }}block, true AS here FROM {{ scored_queries }})
JOIN (SELECT {{ scope }}overfull, beta, true AS here FROM {{ averaged_queries }}) USING ({{ scope }}here)

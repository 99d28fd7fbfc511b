{# The blocks over which rates are averaged: the queries, or one block of all queries with pooled. #}
SELECT {{ scope }}block, count(*) OVER ({{ "PARTITION BY " ~ (scope_columns | names) if scope_columns }}) AS blocks, overfull, beta
FROM (SELECT DISTINCT {{ scope }}block, true AS here FROM {{ scored_queries }})
JOIN (SELECT {{ scope }}overfull, beta, true AS here FROM {{ averaged_queries }}) USING ({{ scope }}here)

{# The blocks over which rates are averaged: the queries or, if `pooled` is true, one block of all queries. #}
SELECT {{ scope }}block, count(*) OVER ({{ "PARTITION BY " ~ (scope_columns | names) if scope_columns }}) AS blocks, queries_without_nontargets, beta
FROM (SELECT DISTINCT {{ scope }}block, true AS here FROM {{ scored_queries }})
JOIN (SELECT {{ scope }}queries_without_nontargets, beta, true AS here FROM {{ curve_totals }}) USING ({{ scope }}here)

{# The blocks over which rates are averaged: the queries or, if `pooled` is true, one block of all queries. #}
SELECT block, count(*) OVER () AS blocks, queries_without_nontargets, beta
FROM (SELECT DISTINCT block, true AS here FROM {{ scored_queries }})
JOIN (SELECT queries_without_nontargets, beta, true AS here FROM {{ curve_totals }}) USING (here)

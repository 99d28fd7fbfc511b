{# The totals of each slice, joined with the one row of submitted_scores: a metric that reads them has its warnings. #}
SELECT queries_with_targets, queries_without_nontargets, beta
FROM {{ query_totals }}, {{ submitted_scores }}

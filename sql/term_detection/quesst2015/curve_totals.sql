{# The operating point, joined with the one row of submitted_scores: a metric that reads it has its warnings. #}
SELECT beta, p_tar, prior_entropy
FROM {{ operating_point }}, {{ submitted_scores }}

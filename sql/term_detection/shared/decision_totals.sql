{# The totals, with the smallest score that the system accepts (θ_act) and the largest score that it
   rejects. If the smallest accepted score is above the largest rejected score, accepting the scores from θ_act on gives
   exactly the decisions of the system. #}
SELECT *
FROM {{ query_totals }}
CROSS JOIN (
    SELECT min(score) FILTER (WHERE accepted_trials > 0) AS smallest_accepted,
        max(score) FILTER (WHERE accepted_trials < true_trials + false_trials) AS largest_rejected
    FROM {{ score_weights }}
)

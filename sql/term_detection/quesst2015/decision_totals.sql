{# β, with the smallest score that the system accepts and the largest score that it rejects (θ_act). If the smallest
   accepted score is above the largest rejected score, accepting the scores above θ_act gives exactly the decisions of the
   system. #}
SELECT *
FROM (
    SELECT min(score) FILTER (WHERE yes) AS smallest_accepted, max(score) FILTER (WHERE NOT yes) AS largest_rejected
    FROM {{ trial_scores }}
    GROUP BY ALL
)
CROSS JOIN (SELECT beta FROM {{ operating_point }})

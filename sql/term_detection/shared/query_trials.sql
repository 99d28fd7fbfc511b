{# The trials of each query that has targets, by score. Summed over queries, they are the rows of trial_scores, where
   the trials are explained. A row without trials represents a query that may have no other row. #}
WITH listed AS (
    SELECT query, ranked_score(score) AS score, count_if(target) AS true_trials, count_if(NOT target) AS false_trials
    FROM {{ scored_detections }}
    WHERE has_targets
    GROUP BY ALL
),
sizes AS (
    FROM {{ query_sizes }} WHERE targets > 0
)
SELECT query, score, true_trials::DOUBLE AS true_trials, false_trials::DOUBLE AS false_trials FROM listed
UNION ALL
{% if score_set.value == "all" %}
SELECT query, smallest_score, targets - coalesce(aligned, 0), nontargets - coalesce(unaligned, 0)
FROM (SELECT query, targets, nontargets FROM sizes)
LEFT JOIN (
    SELECT query, sum(true_trials) AS aligned, sum(false_trials) AS unaligned FROM listed GROUP BY ALL
) USING (query)
CROSS JOIN {{ smallest_score }}
{% else %}
SELECT query, NULL, 0, 0 FROM sizes
{% endif %}

{# The rows that the inputs should have: each token in each task of each submission and, if it is given, in the baseline.
   `verdict` is NULL if the input has the row; otherwise the parameter `unusable` decides it. #}
WITH every_task AS (
    SELECT submission, task
    FROM {{ tasks }}
{% if baseline.given %}
    UNION ALL
    SELECT '', 'baseline'
{% endif %}
), present AS (
    SELECT coalesce(submission, '') AS submission, task, token, true AS there
    FROM {{ submission }}
{% if baseline.given %}
    UNION ALL
    SELECT '', 'baseline', token, true
    FROM {{ baseline }}
{% endif %}
)
SELECT submission, task, token, label,
    if(there, NULL, '{{ "refused" if unusable.value == "refuse" else "left out" }}') AS verdict
FROM every_task
CROSS JOIN {{ tokens }}
LEFT JOIN present USING (submission, task, token)

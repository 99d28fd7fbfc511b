{# The rows that there must be: every token in every task of every submission, and in the baseline if it is given.
   `verdict` is NULL when the row is there; otherwise it says what the parameter `unusable` does about the missing row.
   #}
WITH tasks AS (
    SELECT DISTINCT coalesce(submission, '') AS submission, task
    FROM {{ submission }}
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
SELECT {{ scope }}submission, task, token, label,
    if(there, NULL, '{{ "refused" if unusable.value == "refuse" else "left out" }}') AS verdict
FROM tasks
CROSS JOIN {{ tokens }}
LEFT JOIN present USING (submission, task, token)

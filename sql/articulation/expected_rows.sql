{# Every token in every task of every submission, and in the baseline where there is one. #}
SELECT {{ scope }}submission, task, token, label
FROM (
    SELECT DISTINCT coalesce(submission, '') AS submission, task
    FROM {{ submission }}
{% if baseline.given %}
    UNION ALL
    SELECT '', 'baseline'
{% endif %}
)
CROSS JOIN {{ tokens }}

{# The sequences that the function rmse compares: the tongue height of each synthesis and the measured (ultrasound)
   tongue height of the token. #}
{% import "articulation/shared/syntheses.jinja" as syntheses with context %}
SELECT submission, task, token, tongue_height, reference_tongue_height
FROM (
    {{ syntheses.rows(["tongue_height"]) | indent }}
)
JOIN {{ tokens }} USING (token)

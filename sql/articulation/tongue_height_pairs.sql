{# The sequences that the function rmse compares: the tongue height of each synthesis and the measured (ultrasound)
   tongue height of the token. #}
{% import "articulation/produced.jinja" as outputs with context %}
SELECT submission, task, token, tongue_height, reference_tongue_height
FROM (
    {{ outputs.produced(["tongue_height"]) | indent }}
)
JOIN {{ tokens }} USING (token)

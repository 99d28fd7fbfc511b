{# The height of the tongue beside the measured one. #}
{% import "articulation/produced.jinja" as made with context %}
SELECT submission, task, token, tongue_height, reference_tongue_height
FROM (
    {{ made.produced(["tongue_height"]) | indent }}
)
JOIN {{ tokens }} USING (token)

{# The height of the tongue beside the measured one. #}
{% import "articulation/shared/produced.jinja" as made with context %}
SELECT submission, task, token, tongue_height, reference_tongue_height
FROM (
    {{ made.produced(["tongue_height"]) }}
)
JOIN {{ tokens }} USING (token)

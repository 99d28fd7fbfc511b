{# The vector that is heard beside the one that was to be expressed. #}
{% import "articulation/produced.jinja" as made with context %}
SELECT submission, task, token, semantic_vector, target_semantic_vector AS reference_semantic_vector
FROM (
    {{ made.produced(["semantic_vector"]) | indent }}
)
JOIN {{ tokens }} USING (token)

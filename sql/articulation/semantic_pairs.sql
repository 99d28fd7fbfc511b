{# The sequences that the function rmse compares: the semantic vector recognised from each synthesis and the target
   vector of the token. #}
{% import "articulation/produced.jinja" as outputs with context %}
SELECT submission, task, token, semantic_vector, target_semantic_vector AS reference_semantic_vector
FROM (
    {{ outputs.produced(["semantic_vector"]) | indent }}
)
JOIN {{ tokens }} USING (token)

{# The sequences that the function rmse compares: the semantic vector recognised from each synthesis and the target
   vector of the token. #}
{% import "articulation/shared/syntheses.jinja" as syntheses with context %}
SELECT submission, task, token, semantic_vector, target_semantic_vector AS reference_semantic_vector
FROM (
    {{ syntheses.rows(["semantic_vector"]) | indent }}
)
JOIN {{ tokens }} USING (token)

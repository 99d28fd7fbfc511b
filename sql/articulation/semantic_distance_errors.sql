{# The distance of the semantic vector of each token from its target, beside the baseline's. #}
{% import "articulation/errors.jinja" as errors with context %}
WITH measured AS (
    SELECT submission, task, token, rmse AS error, {{ errors.said("'semantic_vector'", "'target_semantic_vector'") }} AS left_out,
        {{ errors.matter() }} AS matter
    FROM {{ semantic_rmse }}
    WHERE compared = 'semantic_vector'
)
{{ errors.beside_baseline("semantic_distance", "measured", baseline_semantic_distance, true) }}

{# The distance of the semantic vector of each token from its target, beside the baseline's. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{{ errors.of_sequence("semantic_distance", semantic_rmse, "semantic_vector", "semantic_vector", "target_semantic_vector", baseline_semantic_distance) }}

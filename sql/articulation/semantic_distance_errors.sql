{# The error of each token in semantic_distance, the RMSE between recognised and target vector (their Euclidean distance
   / √dimensions), with the error of the baseline for the same token. #}
{% import "articulation/errors.jinja" as errors with context %}
{{ errors.of_sequence("semantic_distance", semantic_rmse, "semantic_vector", "semantic_vector", "target_semantic_vector", baseline_semantic_distance) }}

{# The error of each token in semantic_distance, with the error of the baseline for the same token. The error is the RMSE
   between the recognised vector and the target vector, that is, their Euclidean distance / √dimensions. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{{ errors.of_sequence("semantic_distance", semantic_rmse, "semantic_vector", "semantic_vector", "target_semantic_vector", baseline_semantic_distance) }}

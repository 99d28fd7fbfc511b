{# The error of the height of the tongue of each token, beside the baseline's. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{{ errors.of_sequence("tongue_height", tongue_height_rmse, "tongue_height", "tongue_height", "reference_tongue_height", baseline_tongue_height) }}

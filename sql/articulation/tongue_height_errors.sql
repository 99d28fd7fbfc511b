{# The error of each token in tongue_height, the RMSE between synthesised and measured tongue height, with the error of
   the baseline for the same token. #}
{% import "articulation/errors.jinja" as errors with context %}
{{ errors.of_sequence("tongue_height", tongue_height_rmse, "tongue_height", "tongue_height", "reference_tongue_height", baseline_tongue_height) }}

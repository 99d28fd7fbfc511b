{# The error of each token in tongue_height, with the error of the baseline for the same token. The error is the RMSE
   between synthesised and measured tongue height. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{{ errors.of_sequence("tongue_height", tongue_height_rmse, "tongue_height", "tongue_height", "reference_tongue_height", baseline_tongue_height) }}

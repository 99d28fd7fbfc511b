{# The error of the height of the tongue of each token, beside the baseline's. #}
{% import "articulation/errors.jinja" as errors with context %}
WITH measured AS (
    SELECT submission, task, token, rmse AS error, {{ errors.said("'tongue_height'", "'reference_tongue_height'") }} AS left_out,
        {{ errors.matter() }} AS matter
    FROM {{ tongue_height_rmse }}
    WHERE compared = 'tongue_height'
)
{{ errors.beside_baseline("tongue_height", "measured", baseline_tongue_height, true) }}

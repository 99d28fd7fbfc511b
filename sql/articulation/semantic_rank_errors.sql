{# The error of each token in semantic_rank: rank − 1, the number of labels nearer than that of the token, with the
   error of the baseline for the same token. #}
{% import "articulation/errors.jinja" as errors with context %}
WITH measured AS (
    SELECT submission, task, token, rank - 1 AS error,
        CASE
            WHEN shape IS NULL THEN 'there is no semantic_vector'
            WHEN fault IS NOT NULL THEN 'semantic_vector: ' || fault
            ELSE concat('semantic_vector is ', shape, ', the vectors of the labels are ', dimensions)
        END AS left_out,
        CASE WHEN shape IS NULL THEN 'unusable' WHEN rank IS NULL THEN 'not comparable' END AS matter
    FROM {{ semantic_ranks }}
)
{{ errors.beside_baseline("semantic_rank", "measured", none, normalise.value == "baseline") }}

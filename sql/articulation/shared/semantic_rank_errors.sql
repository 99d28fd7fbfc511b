{# The error of each token in semantic_rank, with the error of the baseline for the same token. The error is the rank − 1,
   the number of labels that are nearer than the label of the token. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
WITH measured AS (
    SELECT submission, task, token, rank - 1 AS error,
        CASE
            WHEN shape IS NULL THEN 'there is no semantic_vector'
            WHEN fault IS NOT NULL THEN 'semantic_vector: ' || fault
            ELSE concat('semantic_vector is ', shape, ', the vectors of the labels are ', dimensions)
        END AS left_out,
        CASE WHEN shape IS NULL THEN 'unusable' WHEN rank IS NULL THEN 'not comparable' END AS problem
    FROM {{ semantic_ranks }}
)
{{ errors.with_baseline("semantic_rank", "measured", none, normalise.value == "baseline") }}

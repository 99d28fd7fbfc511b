{# The scores of the metric: the components, computed from the minimum cost of each slice and from the slope and shift of
   the affine map with this cost. `prior_cost`, the entropy of the prior, is the cost without scores. #}
{# Variables: the fields of FitScores in plan/kinds/fit.py. #}
{% from "kinds/shared/components.sql" import computed, noted %}
SELECT {{ slices.keys | comma_ended }}scope, slice, breakdown,
{{ computed(components) }}
    if(defined, remark, NULL) AS remark,
{% set otherwise %}
CASE
        WHEN positives = 0 OR negatives = 0 THEN concat_ws(', ', if(positives = 0, 'positives = 0', NULL), if(negatives = 0, 'negatives = 0', NULL))
        WHEN NOT coalesce(prior > 0 AND prior < 1, false) THEN concat('prior = ', prior)
        WHEN below_0 THEN 'a weight below 0'
    END
{%- endset %}
    {{ noted(notes, otherwise) }} AS note
FROM (
    SELECT parts.*,
        shared_bits(prior, 1 - prior) AS prior_cost,
        CASE WHEN defined THEN if(flat, shared_bits(prior, 1 - prior), least_cost) END AS cost,
        CASE WHEN defined THEN if(flat, 0, best_slope) END AS slope,
        CASE WHEN defined THEN if(flat, 0, intercept - logit(prior)) END AS shift
    FROM (
        SELECT * EXCLUDE (cost, slope, centre, scale, slope_left, intercept_left), cost AS least_cost, slope AS best_slope,
            coalesce(positives > 0 AND negatives > 0 AND prior > 0 AND prior < 1 AND NOT below_0, false) AS defined
        FROM {{ parts }} LEFT JOIN {{ minimum }} USING (part)
    ) AS parts
)

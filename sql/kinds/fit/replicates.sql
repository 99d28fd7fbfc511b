{# The components in each replicate, from the sums of the costs of its blocks, and of the derivatives of these costs.

   `cost` is the cost at the calibration of all rows, which is right up to terms of second order (block_costs.sql).

   `slope` and `shift` are the calibration with the least cost of the replicate, up to terms of third order. With the
   gradient g and the matrix H of second derivatives, both at the calibration of all rows and for the weights that the
   blocks have in the replicate, a step of Newton's method is d = −H⁻¹ · g. The third derivatives change the gradient at
   the end of this step by u / 2, where u_k = Σ p · q · (q − p) · (intercept of d + slope of d · z)² · z^k. So the least
   cost is at −H⁻¹ · (g + u / 2). What minimum.sql left of its last step is subtracted, so that the corpus itself has
   the scores that are reported. As in minimum.sql, slope and intercept are found one by one for z measured from its
   mean. #}
{# Variables: the fields of ReplicatedScores in plan/kinds/fit.py. #}
{% from "kinds/shared/slices.sql" import agree, sums %}
{% from "kinds/shared/components.sql" import computed, joined_given %}
{# The step −H⁻¹ · g for the gradient `one` by the intercept and `other` by the slope. The names of the steps differ: a name
   of the rows that are read would hide the same name of the step. #}
{% macro step(name, one, other) -%}
({{ one }} * mean - {{ other }}) / (curvature_0 * variance) AS {{ name }}_slope,
        -{{ one }} / curvature_0 - mean * {{ name }}_slope AS {{ name }}_intercept
{%- endmacro %}
WITH sums AS (
{{ sums(slices, block_sums) }}
),
weighted AS (
    SELECT *, ({{ prior }})::DOUBLE AS prior
    FROM (
        SELECT sums.*{% for name in (given.columns if given else ()) %}, given.{{ name | name }}{% endfor %}

        FROM sums
{{ joined_given(given) | indent(8, true) }}
    )
),
-- the weights of all positives add up to the prior, as in points.sql
derivatives AS (
    SELECT weighted.*, best_slope, best_intercept, centre, scale, slope_left, intercept_left,
        shared_bits(prior, 1 - prior) AS prior_cost,
        CASE WHEN positives > 0 AND negatives > 0 AND prior > 0 AND prior < 1
            THEN prior * positive_bits / positives + (1 - prior) * negative_bits / negatives END AS cost,
{% for name in derivatives %}
        prior / nullif(positives, 0) * positive_{{ name }} + (1 - prior) / nullif(negatives, 0) * negative_{{ name }} AS {{ name }}{{ "," if not loop.last }}
{% endfor %}
    FROM weighted LEFT JOIN (
        SELECT {{ fitted.keys | comma_ended }}breakdown, minimum.slope AS best_slope, intercept AS best_intercept, centre, scale, slope_left, intercept_left
        FROM {{ parts }} LEFT JOIN {{ minimum }} AS minimum USING (part)
    ) AS fits ON {{ agree(fitted, "fits", "weighted") }}
),
newton AS (
    SELECT *, {{ step("newton", "gradient_0", "gradient_1") }}
    FROM (
        SELECT *, curvature_1 / curvature_0 AS mean,
            nullif(greatest(curvature_2 / curvature_0 - pow(curvature_1 / curvature_0, 2), 0), 0) AS variance
        FROM (SELECT * REPLACE (nullif(curvature_0, 0) AS curvature_0) FROM derivatives)
    )
),
least AS (
    SELECT *, {{ step("least", "bent_0", "bent_1") }}
    FROM (
        SELECT *,
{% for k in (0, 1) %}
            gradient_{{ k }} + third_{{ k }} * newton_intercept * newton_intercept / 2
                + third_{{ k + 1 }} * newton_intercept * newton_slope
                + third_{{ k + 2 }} * newton_slope * newton_slope / 2 AS bent_{{ k }}{{ "," if not loop.last }}
{% endfor %}
        FROM newton
    )
)
SELECT {{ slices.keys | comma_ended }}scope, slice, breakdown,
{{ computed(components) }}
    NULL::VARCHAR AS remark, NULL::VARCHAR AS note
FROM (
    SELECT * EXCLUDE (mean, variance, centre, scale, slope_left, intercept_left),
        best_slope + (least_slope - slope_left) / scale AS slope,
        best_intercept + (least_intercept - intercept_left) - (least_slope - slope_left) * centre / scale - logit(prior) AS shift
    FROM least
)

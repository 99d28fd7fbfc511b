{# The error of each token in velocity_jerk, with the error of the baseline for the same token. The error is velocity +
   jerk. Both are quantiles x of cps_quantiles on the logarithmic scale ln(1 + x) / ln(1 + `movement_constant`). With the
   constant 150, a quantile of 150 is 1, and a quantile of 11.3 is 0.5. #}
{% import "articulation/shared/errors.jinja" as errors with context %}
{% macro scaled(quantile) %}
if({{ quantile }} > -1, ln(1 + {{ quantile }}) / ln(1 + {{ movement_constant }}), NULL)
{%- endmacro %}
WITH measured AS (
    SELECT submission, task, token, {{ scaled("cps_.velocity") }} AS velocity, {{ scaled("cps_.jerk") }} AS jerk,
        {{ scaled("cps_.velocity") }} + {{ scaled("cps_.jerk") }} AS error,
        CASE
            WHEN shape IS NULL THEN 'there are no cps'
            WHEN NOT enough_frames AND shape NOT LIKE '%?' THEN concat('cps are ', shape, ': there must be 4 frames or more')
            WHEN fault IS NOT NULL THEN 'cps: ' || fault
            WHEN enough_frames IS NULL THEN 'cps: the differences are too large'
            ELSE concat('the quantiles ', cps_.velocity, ' of velocity and ', cps_.jerk, ' of jerk have no logarithm')
        END AS left_out,
        CASE WHEN NOT enough_frames THEN 'not comparable' WHEN error IS NULL THEN 'unusable' END AS problem
    FROM {{ cps_quantiles }} AS cps_
)
{{ errors.with_baseline("velocity_jerk", "measured", none, normalise.value == "baseline", ["velocity", "jerk"]) }}

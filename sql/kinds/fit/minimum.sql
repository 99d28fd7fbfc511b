{# The slope and intercept with the least logistic cost, and this cost, for each part. This is logistic regression with
   one variable, solved by Newton's method.

   The cost. A point has a score and the weights `positive` and `negative`; all weights of a part add up to 1. With the
   log odds o = slope · score + intercept, a point costs positive · ln(1 + exp(−o)) + negative · ln(1 + exp(o)). The
   cost of the part is the sum over its points, and is reported in bits. The cost is convex: its minimum is where its
   derivatives are 0.

   Newton's method. Near any slope and intercept, the cost is nearly a paraboloid. Its shape follows from the first and
   second derivatives of the cost, which are sums over the points. A step goes to the lowest point of the paraboloid,
   and the next paraboloid is computed there. Close to the minimum, each step doubles the number of correct digits. For
   example, take the score −1 with the weights positive 0.1 and negative 0.4, and the score 1 with positive 0.4 and
   negative 0.1. From the slope 0, the steps lead to the slopes 1.2, 1.377, 1.38627 and 1.386294. The best slope is ln
   4, because the odds of a positive at the score 1 are 4.

   One step. Write z = (score − centre) / scale and p = 1 / (1 + exp(−o)). The residual of a point is r = negative · p −
   positive · (1 − p), and its curvature is c = (positive + negative) · p · (1 − p). The derivative of the cost is Σ r
   by the intercept and Σ r · z by the slope. The second derivatives are Σ c, Σ c · z and Σ c · z². Let m and v be the
   mean and the variance of z with the weights c. If z is measured from m, the sum Σ c · z is 0, so that slope and
   intercept are found one by one: the intercept changes by −Σ r / Σ c, and the slope by −(Σ r · z − m · Σ r) / (v · Σ
   c). Therefore each step moves the centre to m, and divides z by its standard deviation √v. Thus z keeps its digits
   where the classes meet, even if most scores are a floor such as −1e9.

   A step that increases the cost is tried again with a quarter of its length. The method ends when the paraboloid is at
   most 5e-19 deep or flat. These limits do not show in a score: 5e-19 is less than the last digit of a cost, and a sum
   of curvatures that counts as flat (1e-17) is less than that of a prior of 1e-14. The method also ends when the length
   is below 1e-30, or after 500 steps, and a note reports this. A step of Newton's method decreases the cost if it is
   short enough. Where the curvature is nearly 0, a step can be 1e11 times too long.

   All parts take their steps together: one round of the recursion is one aggregate over the points. If there are more
   than 5,000 points, the minimum over about 2,000 bins of near scores is found first, and the first step over all
   points goes there. The numbers of points, bins and rounds only change how long that takes.

   Before, the cases without a minimum are recognised exactly, from the ranges of the scores of both classes. (1) If the
   classes are separated, the cost falls towards a limit as the slope grows. With positives at 3 and 4 and negatives at
   1 and 2, the limit is 0. With negatives at 1 and 3, both ranges contain the score 3, and the limit is the entropy of
   the classes at this score. (2) If all scores are equal, slope 0 is best, and the cost is the entropy of the classes
   (`flat`). (3) An infinite score can forbid slopes of one sign: with a positive at −∞, the cost is infinite at every
   slope above 0. If the best slope has the forbidden sign, the cost is the limit towards slope 0, the entropy of the
   classes among the finite scores. If both signs are forbidden, slope 0 is best (`flat`). In all these cases, slope and
   intercept are NULL here; scores.sql reports 0 for them if `flat`. In the limits, `limit` has the weights of the
   classes at the scores that cost something, and the score if there is only one, as in case 1. For the cost of single
   scores, `limit_odds` are the log odds at these scores (block_costs.sql). With a best slope, `centre` and `scale` are
   those of z at the minimum, and `slope_left` and `intercept_left` are the step that was too small to take.

   tests/unit/test_fit.py compares the result with a minimiser of scipy, and has the example. #}
{# Variables: the fields of Minimum in plan/kinds/fit.py. #}
{# A sum of whole numbers in units of 2^-60, which does not depend on the order of rows. Terms are limited to ±7.5, so
   that they fit into BIGINT: 8 · 2^60 does not. If the limit changes the cost of a step, the step is rejected in any
   case: all weights add up to 1, so that slope 0 costs at most ln 2. #}
{% macro total(sql, limit="7.5e0", type="BIGINT") -%}
sum((least(greatest({{ sql }}, -{{ limit }}), {{ limit }}) * pow(2e0, 60))::{{ type }})::DOUBLE / pow(2e0, 60)
{%- endmacro %}
{# The sum of products with z. Their limit is ±1e11, because z of a score can be thousands if most other scores are equal.
   10⁹ terms of 1e11 fit into HUGEINT. #}
{% macro total_of_z(sql) -%}
{{ total(sql, "1e11", "HUGEINT") }}
{%- endmacro %}
{# Newton's method over `points`, with at most `most` steps. A row has the best slope and intercept so far (for z =
   (score − centre) / scale), their cost, and the next step to try: `length` is the fraction of it. The first step leads
   from `starts` to a guess. If the guess costs more, the next step stays at the start, which
   is then accepted whatever it costs. #}
{% macro steps(name, starts, points, most) %}
{{ name }} AS (
    SELECT part, 0 AS number, false AS done, cost, centre, scale, slope, intercept, slope_step, intercept_step, 1e0 AS length
    FROM {{ starts }}
    UNION ALL
    SELECT part, number + 1 AS number,
        if(accepted, decrement <= 1e-18 OR curvature_0 <= 1e-17, length < 1e-30) OR number >= {{ most }} AS done,
        if(accepted, new_cost, if(number = 0, 'inf'::DOUBLE, cost)) AS cost,
        -- z is measured again, from its mean and in units of its standard deviation
        if(accepted, centre + scale * mean, centre) AS centre,
        if(accepted, scale * deviation, scale) AS scale,
        if(accepted, new_slope * deviation, slope) AS slope,
        if(accepted, new_intercept + new_slope * mean, intercept) AS intercept,
        CASE WHEN accepted THEN newton_slope * deviation WHEN number = 0 THEN 0e0 ELSE slope_step END AS slope_step,
        CASE WHEN accepted THEN -gradient_0 / curvature_0 WHEN number = 0 THEN 0e0 ELSE intercept_step END AS intercept_step,
        if(accepted OR number = 0, 1, length / 4) AS length
    FROM (
        -- decrement: twice the depth of the paraboloid below the present cost. 1e-13 is more than the rounding error of a
        -- cost: near the minimum a step is not tried again because of the last digits.
        SELECT *, new_cost <= cost + 1e-13 AS accepted, sqrt(variance) AS deviation,
            (gradient_0 * mean - gradient_1) / (curvature_0 * variance) AS newton_slope,
            gradient_0 * gradient_0 / curvature_0
                + pow(gradient_1 - gradient_0 * mean, 2) / (curvature_0 * variance) AS decrement
        FROM (
            -- One step divides the scale by 100 at most: the variance is 0 if only one score has a curvature.
            SELECT before.*, slope + length * slope_step AS new_slope, intercept + length * intercept_step AS new_intercept,
                new_cost, gradient_0, gradient_1, curvature_0, curvature_1 / curvature_0 AS mean,
                greatest(curvature_2 / curvature_0 - pow(curvature_1 / curvature_0, 2), 1e-4) AS variance
            FROM {{ name }} AS before JOIN (
                SELECT part,
                    {{ total("weight * ln(1 + tail) + limit_weight * log_odds") }} AS new_cost,
                    {{ total("residual") }} AS gradient_0,
                    {{ total_of_z("residual * z") }} AS gradient_1,
                    greatest({{ total("curvature") }}, 1e-18) AS curvature_0,  -- not 0: the step ends as flat
                    {{ total_of_z("curvature * z") }} AS curvature_1,
                    {{ total_of_z("curvature * z * z") }} AS curvature_2
                FROM (
                    -- ln(1 + exp(o)) is ln(1 + exp(-o)) + o, so that exp of a large number is never needed
                    SELECT part, z, log_odds, positive + negative AS weight,
                        if(log_odds > 0, negative, -positive) AS limit_weight,
                        exp(-abs(log_odds)) AS tail,
                        limit_weight + if(log_odds > 0, -weight, weight) * tail / (1 + tail) AS residual,
                        weight * tail / ((1 + tail) * (1 + tail)) AS curvature
                    FROM (
                        SELECT part, positive, negative, (score - centre) / scale AS z,
                            (slope + length * slope_step) * z + intercept + length * intercept_step AS log_odds
                        FROM {{ name }} JOIN {{ points }} AS points USING (part)
                        WHERE NOT done AND isfinite(score)
                    )
                )
                GROUP BY part
            ) USING (part)
        )
    )
)
{% endmacro %}
{% set binned_from = 5000 %}
WITH RECURSIVE extremes AS (
    SELECT part,
        coalesce(sum(positive::DECIMAL(38, 24)) FILTER (WHERE isfinite(score)), 0)::DOUBLE AS positive,
        coalesce(sum(negative::DECIMAL(38, 24)) FILTER (WHERE isfinite(score)), 0)::DOUBLE AS negative,
        min(score) FILTER (WHERE isfinite(score) AND positive > 0) AS positive_low,
        max(score) FILTER (WHERE isfinite(score) AND positive > 0) AS positive_high,
        min(score) FILTER (WHERE isfinite(score) AND negative > 0) AS negative_low,
        max(score) FILTER (WHERE isfinite(score) AND negative > 0) AS negative_high,
        arg_min(positive, score) FILTER (WHERE isfinite(score) AND positive > 0) AS at_positive_low,
        arg_max(positive, score) FILTER (WHERE isfinite(score) AND positive > 0) AS at_positive_high,
        arg_min(negative, score) FILTER (WHERE isfinite(score) AND negative > 0) AS at_negative_low,
        arg_max(negative, score) FILTER (WHERE isfinite(score) AND negative > 0) AS at_negative_high,
        -- never_up: a positive at -inf or a negative at inf, so that the cost is infinite at every slope above 0
        bool_or(if(score > 0, negative, positive) > 0) FILTER (WHERE isinf(score)) AS never_up,
        bool_or(if(score > 0, positive, negative) > 0) FILTER (WHERE isinf(score)) AS never_down,
        min(least(positive, negative)) < 0 AS below_0
    FROM {{ points }}
    GROUP BY part
),
cases AS (
    SELECT * REPLACE (coalesce(never_up, false) AS never_up, coalesce(never_down, false) AS never_down),
        least(positive_low, negative_low) AS low, greatest(positive_high, negative_high) AS high,
        CASE
            WHEN coalesce(never_up, false) AND coalesce(never_down, false) THEN 'contradictory'
            WHEN least(positive, negative) <= 0 THEN 'one class'
            WHEN least(positive_low, negative_low) = greatest(positive_high, negative_high) THEN 'constant'
            WHEN positive_low >= negative_high THEN 'upwards'
            WHEN positive_high <= negative_low THEN 'downwards'
            ELSE 'mixed'
        END AS shape
    FROM extremes
),
-- The start: slope 0, where the cost is the entropy of the classes. `binned` and `rough` find the first step.
level AS (
    SELECT part, low / 2 + high / 2 AS centre, high / 2 - low / 2 AS scale, 0e0 AS slope, ln(positive / negative) AS intercept,
        shared_bits(positive, negative) * ln(2e0) AS cost, 0e0 AS slope_step, 0e0 AS intercept_step
    FROM cases
    WHERE shape = 'mixed' AND NOT below_0
),
binned AS MATERIALIZED (
    SELECT part, centre + scale * moment / (positive + negative) AS score, positive, negative
    FROM (
        SELECT part, centre, scale, {{ total("z * (positive + negative)") }} AS moment,
            {{ total("positive") }} AS positive, {{ total("negative") }} AS negative
        FROM (
            SELECT part, (score - centre) / scale AS z, centre, scale, points.positive, points.negative
            FROM {{ points }} AS points JOIN level USING (part)
            WHERE isfinite(score) AND (SELECT count(*) FROM {{ points }}) > {{ binned_from }}
        )
        GROUP BY part, floor(z * 1e3), centre, scale
    )
),
{{ steps("rough", "level", "binned", 40) }},
guesses AS (
    SELECT level.* REPLACE (
        coalesce(slope_ * (level.scale / scale_), 0) AS slope_step,
        coalesce(intercept_ + slope_ * ((level.centre - centre_) / scale_) - level.intercept, 0) AS intercept_step)
    FROM level LEFT JOIN (
        SELECT part, slope AS slope_, intercept AS intercept_, centre AS centre_, scale AS scale_ FROM rough WHERE done
    ) USING (part)
),
{{ steps("steps", "guesses", points, 500) }},
found AS (
    SELECT part, cost / ln(2) AS cost, slope / scale AS slope, intercept - slope / scale * centre AS intercept, centre, scale,
        slope_step, intercept_step,
        CASE WHEN number > 500 THEN 'not settled after 500 steps'
             WHEN length < 1 THEN 'not settled: even short steps increase the cost' END AS unsettled
    FROM steps
    WHERE done
)
SELECT part, below_0,
    CASE
        WHEN way = 'best' THEN cost
        WHEN "limit" IS NOT NULL THEN shared_bits("limit".positive, "limit".negative)
        ELSE 0
    END AS cost,
    if(way = 'best', slope, NULL) AS slope,
    if(way = 'best', intercept, NULL) AS intercept,
    if(way = 'best', centre, NULL) AS centre,
    if(way = 'best', scale, NULL) AS scale,
    if(way = 'best', slope_step, NULL) AS slope_left,
    if(way = 'best', intercept_step, NULL) AS intercept_left,
    way IN ('constant', 'contradictory') AS flat,
    ln("limit".positive / "limit".negative) AS limit_odds,
    "limit".score AS limit_score,
    CASE way
        WHEN 'constant' THEN 'constant scores'
        WHEN 'contradictory' THEN 'infinite scores on the wrong side of both classes'
        WHEN 'flattened' THEN 'the limit as the slope goes to 0: infinite scores'
        WHEN 'apart' THEN concat('the limit of an endless slope: separated scores', if(shape = 'downwards', ', inverted', ''))
        WHEN 'best' THEN nullif(concat_ws(', ', if(slope < 0, 'inverted scores', NULL), unsettled), '')
    END AS remark
FROM (
    SELECT *,
        CASE
            WHEN shape = 'contradictory' THEN shape
            WHEN shape = 'constant' AND NOT never_up AND NOT never_down THEN shape
            WHEN (shape = 'upwards' OR slope > 0) AND never_up
                OR (shape = 'downwards' OR slope < 0) AND never_down THEN 'flattened'
            WHEN shape = 'mixed' THEN 'best'
            ELSE 'apart'
        END AS way,
        CASE
            WHEN way = 'flattened' OR shape = 'constant' THEN {positive: positive, negative: negative, score: NULL::DOUBLE}
            WHEN positive_low = negative_high THEN {positive: at_positive_low, negative: at_negative_high, score: positive_low}
            WHEN positive_high = negative_low THEN {positive: at_positive_high, negative: at_negative_low, score: positive_high}
        END AS "limit"
    FROM cases LEFT JOIN found USING (part)
)

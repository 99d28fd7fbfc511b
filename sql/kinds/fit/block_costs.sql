{# The costs of the rows of each block in each slice, in bits, by the calibration with the least cost in the slice; the
   weights of both classes; and the derivatives of the cost, from which a resample finds a calibration of its own
   (replicates.sql).

   At the minimum, the derivatives of the cost by slope and intercept are 0. So a resample of blocks that keeps the
   calibration of all rows has the cost of a resample with a calibration of its own, up to terms of second order.

   The derivatives are Σ residual · z^k (gradient_k), Σ p · q · z^k (curvature_k) and Σ p · q · (q − p) · z^k (third_k)
   for k = 0, 1, …, where p is the probability of a positive at a score, q = 1 − p, and z has the `centre` and the
   `scale` that it has at the minimum (minimum.sql). All are 0 if there is no best slope. Both classes have sums of
   their own, because the weight of a class in a resample depends on all its blocks. tests/unit/test_fit_intervals.py
   compares costs and calibrations with those of resamples that are fitted again.

   If there is no best slope, minimum.sql has the limit: with `flat`, all rows have the log odds of the prior. Otherwise
   the finite scores, or only those equal to `limit_score` if there is one, have the log odds `limit_odds`, and other
   scores cost nothing. A row without a block stands for a slice that may have no rows. #}
{# Variables: the fields of BlockCosts in plan/kinds/fit.py. #}
{% from "kinds/shared/slices.sql" import agree, key_columns %}
{% set keys = slices.by + ("slice", "breakdown") + slices.columns %}
{# A sum of terms that fit into the DECIMAL of exact_sum; terms that are NULL are 0. #}
{% macro total(sql) -%}
exact_sum(greatest(least(coalesce({{ sql }}, 0e0), 1e18), -1e18))::DOUBLE
{%- endmacro %}
WITH points AS (
{% for breakdown in slices.breakdowns %}
{% set columns %}
    SELECT {{ slices.by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
        unit_block,
{%- endset %}
{{ columns }} ranked_score({{ score }}) AS score,
{% for name, sql in statistics.items() %}
        coalesce({{ sql }}, 0)::DOUBLE AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM {{ rows }} AS counted_rows
    WHERE {{ where }}
    GROUP BY ALL
    UNION ALL
    -- blocks without a row that counts are drawn, too
{{ columns }} NULL, 0, 0
    FROM {{ rows }} AS counted_rows
    GROUP BY ALL
    {{ "UNION ALL" if not loop.last }}
{% endfor %}
),
calibrated_points AS (
    SELECT {% for column in slices.keys %}points.{{ column | name }}, {% endfor %}points.breakdown, unit_block, parts.slice,
        points.positives, points.negatives,
        CASE WHEN NOT coalesce(parts.positives > 0 AND parts.negatives > 0 AND prior > 0 AND prior < 1 AND NOT below_0, false) THEN NULL
            WHEN flat THEN logit(prior)
            WHEN slope IS NOT NULL THEN if(slope = 0, intercept, slope * score + intercept)
            WHEN score = limit_score OR limit_score IS NULL AND isfinite(score) THEN limit_odds END AS log_odds,
        if(isfinite(score), (score - centre) / scale, NULL) AS z
    FROM points
    JOIN {{ parts }} AS parts ON {{ agree(slices, "parts", "points") }}
    LEFT JOIN {{ minimum }} AS minimum USING (part)
),
classified_points AS (
    SELECT * EXCLUDE (tail), if(log_odds > 0, 1, tail) / (1 + tail) AS p, if(log_odds > 0, tail, 1) / (1 + tail) AS q
    FROM (SELECT *, exp(-abs(log_odds)) AS tail FROM calibrated_points)
)
SELECT {{ keys | names }}, unit_block,
{% for class, sign, residual in (("positive", "", "-q"), ("negative", "-", "p")) %}
{% set weight = class ~ "s" %}
    exact_sum(if({{ weight }} = 0 OR log_odds IS NULL, 0e0, {{ weight }} * bits_of_odds({{ sign }}log_odds)))::DOUBLE AS {{ class }}_bits,
{% for name, sql, powers in (("gradient", residual, (0, 1)), ("curvature", "p * q", (0, 1, 2)), ("third", "p * q * (q - p)", (0, 1, 2, 3))) %}
{% for power in powers %}
    {{ total(weight ~ " * " ~ sql ~ " * pow(z, " ~ power ~ ")") }} AS {{ class }}_{{ name }}_{{ power }},
{% endfor %}
{% endfor %}
    sum({{ weight }}) AS {{ weight }}{{ "," if not loop.last }}
{% endfor %}
FROM classified_points
GROUP BY ALL
UNION ALL BY NAME
SELECT {{ keys | names }}, NULL AS unit_block{% for name in sums %}, 0 AS {{ name }}{% endfor %}

FROM {{ parts }}

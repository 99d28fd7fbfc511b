{# The costs of the rows of each block in each slice, in bits, by the calibration with the least cost in the slice; and the
   weights of both classes. At the minimum, the derivatives of the cost by slope and intercept are 0. So a resample of
   blocks that keeps the calibration of all rows has the cost of a resample with a calibration of its own, up to terms of
   second order. tests/unit/test_fit_intervals.py compares the two.

   If there is no best slope, minimum.sql has the limit: with `flat`, the log odds of all rows are those of the prior.
   Otherwise the finite scores, or only those equal to `limit_score` if there is one, have the log odds `limit_odds`, and
   other scores cost nothing. A row without a block stands for a slice that may have no rows. #}
{# Variables: the fields of BlockCosts in compiler/kinds/fit.py. #}
{% from "kinds/shared/slices.sql" import agree, key_columns %}
{% set keys = slices.by + ("slice", "breakdown") + slices.columns %}
{% macro bits(sign, weight) -%}
exact_sum(CASE WHEN NOT defined OR {{ weight }} = 0 THEN 0e0
        WHEN flat THEN {{ weight }} * bits_of_odds({{ sign }}logit(prior))
        WHEN slope IS NOT NULL THEN {{ weight }} * bits_of_odds({{ sign }}if(slope = 0, intercept, slope * score + intercept))
        WHEN score = limit_score OR limit_score IS NULL AND isfinite(score) AND limit_odds IS NOT NULL
        THEN {{ weight }} * bits_of_odds({{ sign }}limit_odds) ELSE 0e0 END)::DOUBLE
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
    SELECT {% for column in slices.keys %}points.{{ column | name }}, {% endfor %}points.breakdown, points.unit_block, points.score,
        points.positives, points.negatives, parts.slice, parts.prior, minimum.* EXCLUDE (part),
        coalesce(parts.positives > 0 AND parts.negatives > 0 AND prior > 0 AND prior < 1 AND NOT below_0, false) AS defined
    FROM points
    JOIN {{ parts }} AS parts ON {{ agree(slices, "parts", "points") }}
    LEFT JOIN {{ minimum }} AS minimum USING (part)
)
SELECT {{ keys | names }}, unit_block,
    {{ bits("", "positives") }} AS positive_bits,
    sum(positives) AS positives,
    {{ bits("-", "negatives") }} AS negative_bits,
    sum(negatives) AS negatives
FROM calibrated_points
GROUP BY ALL
UNION ALL
SELECT {{ keys | names }}, NULL, 0, 0, 0, 0
FROM {{ parts }}

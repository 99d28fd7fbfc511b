{# The points of the calibration: each distinct score of a part, with the weight of the positives and the weight of the
   negatives at this score. In each part, the weights of all positives add up to the prior, and the weights of all
   negatives to 1 − prior. Rows with equal scores have equal costs, so that they are one point. #}
{# Variables: the fields of Points in compiler/kinds/fit.py. #}
{% from "kinds/shared/slices.sql" import agree, key_columns %}
{% for breakdown in slices.breakdowns %}
SELECT part, points.score,
    points.positives::DOUBLE * (prior / nullif(parts.positives, 0)) AS positive,
    points.negatives::DOUBLE * ((1 - prior) / nullif(parts.negatives, 0)) AS negative
FROM (
    SELECT {{ slices.by | comma_ended }}
        {{ loop.index0 }} AS breakdown,
{{ key_columns(slices, breakdown) }}
        ranked_score({{ score }}) AS score,
{% for name, sql in statistics.items() %}
        coalesce({{ sql }}, 0) AS {{ name | name }}{{ "," if not loop.last }}
{% endfor %}
    FROM {{ rows }} AS counted_rows
    WHERE {{ where }}
    GROUP BY ALL
) AS points
JOIN {{ parts }} AS parts ON {{ agree(slices, "parts", "points") }}
{{ "UNION ALL" if not loop.last }}
{% endfor %}

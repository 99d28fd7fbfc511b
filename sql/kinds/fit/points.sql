{# The points of the calibration: each distinct score of a part, with the weight of the positives and the weight of the
   negatives at this score. In each part, the weights of all positives add up to the prior, and the weights of all
   negatives to 1 − prior. Rows with equal scores have equal costs, so that they are one point. #}
{# Variables: the fields of Points in plan/kinds/fit.py. #}
{% from "kinds/shared/slices.sql" import agree %}
SELECT part, weights.score,
    weights.positives::DOUBLE * (prior / nullif(parts.positives, 0)) AS positive,
    weights.negatives::DOUBLE * ((1 - prior) / nullif(parts.negatives, 0)) AS negative
FROM {{ weights }} AS weights JOIN {{ parts }} AS parts ON {{ agree(slices, "parts", "weights") }}

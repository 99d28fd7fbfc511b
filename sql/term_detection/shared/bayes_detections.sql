{# The detections with a score above θ_mincost = −logit(P_tar), after the map γ·score + δ (Eq 44). If mapped scores are
   calibrated log-likelihood ratios, accepting exactly these has the least expected cost (Eqs 30 and 31). #}
SELECT detection_.*
FROM {{ scored_detections }} AS detection_, {{ operating_point }}
WHERE calibrated(score, {{ score_scale }}, {{ score_offset }}) > theta_mincost

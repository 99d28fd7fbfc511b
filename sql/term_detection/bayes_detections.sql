{# The detections with a score above θ_mincost = −logit(P_tar), which a system with calibrated log-likelihood ratios
   would accept (Eqs 30 and 31). #}
SELECT detection_.*
FROM {{ scored_detections }} AS detection_, {{ operating_point }}
WHERE score > theta_mincost

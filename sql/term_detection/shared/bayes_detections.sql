{# The detections above the threshold that is best for calibrated scores (Eqs 29-31). #}
SELECT detection_.*
FROM {{ scored_detections }} AS detection_, {{ operating_point }}
WHERE score > theta_mincost

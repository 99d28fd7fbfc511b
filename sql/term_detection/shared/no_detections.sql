{# No detections: the system rejects every trial. #}
SELECT query, NULL::VARCHAR AS doc, NULL::VARCHAR AS channel, NULL::DOUBLE AS tbeg, NULL::DOUBLE AS dur,
    NULL::DOUBLE AS score, NULL::VARCHAR AS decision
FROM {{ queries }}
LIMIT 0

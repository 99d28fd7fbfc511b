{# Each query in each trial: in an excerpt of 3.5 s with one trial per second, three detections of 1 s. #}
SELECT query, doc, channel, tbeg + number / {{ n_tps }} AS tbeg, 1e0 / {{ n_tps }} AS dur, 0e0 AS score, 'YES' AS decision
FROM {{ queries }}
CROSS JOIN (
    SELECT doc, channel, tbeg, unnest(range(floor(dur * {{ n_tps }})::BIGINT)) AS number FROM {{ audio }}
)

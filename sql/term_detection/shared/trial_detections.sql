{# The detections, each with the number of its trial, if trials are segments or documents: the first segment that
   contains the midpoint of the detection (both ends included), or the document; NULL if there is none. `best`: the
   detection has the highest score of its query and trial, and is the only one that counts there. Among equal scores,
   YES comes before NO, then earlier detections before later ones. #}
{% import "term_detection/shared/times.jinja" as time with context %}
WITH places AS (
    SELECT doc, channel, tbeg, dur FROM {{ searched_detections }} GROUP BY ALL
),
placed AS (
    SELECT place_.doc, place_.channel, tbeg, dur, min(trial) AS trial
    FROM places AS place_
    LEFT JOIN {{ trial_spans }} AS trial_
        ON {{ time.in_trial("place_", "trial_") }}
    GROUP BY ALL
)
SELECT query, doc, channel, tbeg, dur, score, decision, trial,
    row_number() OVER (PARTITION BY query, trial ORDER BY score DESC, decision DESC, tbeg, dur, doc, channel) = 1 AS best
FROM {{ searched_detections }}
JOIN placed USING (doc, channel, tbeg, dur)

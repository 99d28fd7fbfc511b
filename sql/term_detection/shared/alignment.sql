{# The alignment: each detection that counts, with its occurrence (NULL if it is not aligned), and each occurrence
   without a detection. Outcomes (section 2.1): an aligned detection with YES is a hit, and with NO a miss; an unaligned
   detection with YES is a false_alarm, and with NO a correct_rejection; an occurrence without a detection is a miss. #}
{% set keys = "query, doc, channel" %}
WITH judged AS (
{% if trials.value == "virtual" %}
    SELECT {{ keys }}, tbeg, dur, score, decision, occurrence_onset, occurrence_offset, target
    FROM {{ aligned_rows }}
    WHERE inside
{% else %}
    SELECT detection_.query, detection_.doc, detection_.channel,
        tbeg, dur, score, decision, onset_s AS occurrence_onset, offset_s AS occurrence_offset, onset_s IS NOT NULL AS target
    FROM (
        FROM {{ trial_detections }}
        ANTI JOIN (FROM {{ left_out }} WHERE kind = 'detection' AND outside) USING ({{ keys }}, tbeg, dur)
        WHERE best
    ) AS detection_
    LEFT JOIN {{ targets }} AS target_
        ON detection_.query = target_.query AND detection_.trial = target_.trial
    UNION ALL
    SELECT {{ keys }}, NULL, NULL, NULL, NULL, onset_s, offset_s, true
    FROM {{ targets }}
    ANTI JOIN (FROM {{ trial_detections }} WHERE best) USING (query, trial)
{% endif %}
    UNION ALL
    SELECT {{ keys }}, tbeg, dur, score, decision, NULL, NULL, false
    FROM {{ left_out }}
    WHERE verdict = 'false alarm'
)
SELECT *,
    CASE
        WHEN target AND decision = 'YES' THEN 'hit'
        WHEN target THEN 'miss'
        WHEN decision = 'YES' THEN 'false_alarm'
        ELSE 'correct_rejection'
    END AS outcome
FROM judged

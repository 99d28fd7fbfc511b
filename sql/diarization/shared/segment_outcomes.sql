{# Speakers whose partner also speaks are correct. Of the others, as many as both sides have are confused; the rest is
   missed or a false alarm. #}
WITH correct AS (
    SELECT doc, segment, sum(correct)::BIGINT AS n_correct
    FROM {{ shared_speech }}
    SEMI JOIN {{ speaker_mapping }} USING (doc, reference_speaker, hypothesis_speaker)
    GROUP BY doc, segment
)
SELECT doc, onset, "offset", duration, n_reference, n_hypothesis, coalesce(n_correct, 0) AS n_correct,
    greatest(n_reference - n_hypothesis, 0) AS n_missed, greatest(n_hypothesis - n_reference, 0) AS n_false_alarm,
    least(n_reference, n_hypothesis) - coalesce(n_correct, 0) AS n_confused,
    CASE
    WHEN n_reference = 0 AND n_hypothesis = 0 THEN 'silence'
    ELSE coalesce(nullif(concat_ws(' and ', if(n_missed > 0, 'missed', NULL), if(n_false_alarm > 0, 'false alarm', NULL),
        if(n_confused > 0, 'confusion', NULL)), ''), 'correct')
    END AS outcome
FROM {{ segments }}
LEFT JOIN correct USING (doc, segment)
WHERE scored

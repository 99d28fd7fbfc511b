{# Detections and occurrences that take no part in the alignment, with the reason and the verdict: left out, a false
   alarm (detections outside the audio, where they count as that) or refused, which ends the run. #}
{% import "term_detection/times.jinja" as time %}
WITH outside AS (
{% if trials.value == "virtual" %}
    SELECT {{ scope }}'detection' AS kind, query, doc, channel, tbeg, dur, score, decision, 'outside the audio' AS reason
    FROM {{ searched_detections }} AS detection_
    ANTI JOIN {{ excerpts }} AS excerpt_
        ON detection_.doc = excerpt_.doc AND detection_.channel = excerpt_.channel{{ same("detection_", searched_detections, "excerpt_", excerpts) }}
        AND {{ time.stretch(time.onset("detection_", times), 60, times) }} = excerpt_.minute
        AND {{ time.onset("detection_", times) }} >= excerpt_.onset
        AND {{ time.end("detection_", times) }} <= excerpt_.excerpt_end
    UNION ALL
    SELECT {{ scope }}'occurrence', query, doc, channel, onset_s, offset_s - onset_s, NULL, NULL, 'outside the audio'
    FROM {{ located_occurrences }} AS occurrence_
    ANTI JOIN {{ excerpts }} AS excerpt_
        ON occurrence_.doc = excerpt_.doc AND occurrence_.channel = excerpt_.channel{{ same("occurrence_", located_occurrences, "excerpt_", excerpts) }}
        AND {{ time.stretch("occurrence_.onset", 60, times) }} = excerpt_.minute
        AND occurrence_.onset >= excerpt_.onset AND occurrence_.first_end <= excerpt_.excerpt_end
{% else %}
    SELECT {{ scope }}'detection' AS kind, query, doc, channel, tbeg, dur, score, decision,
        if(trial IS NULL, 'outside the audio', 'another of its trial has a higher score') AS reason
    FROM {{ trial_detections }}
    WHERE trial IS NULL OR NOT best
    UNION ALL
    SELECT {{ scope }}'occurrence', query, doc, channel, onset_s, offset_s - onset_s, NULL, NULL, 'outside the audio'
    FROM {{ trial_occurrences }}
    WHERE trial IS NULL
{% endif %}
)
SELECT *,
    CASE
        WHEN reason <> 'outside the audio' THEN 'left out'
        WHEN {{ outside_audio }} = 'error' THEN 'refused'
        WHEN {{ outside_audio }} = 'false_alarm' AND kind = 'detection' THEN 'false alarm'
        ELSE 'left out'
    END AS verdict
FROM outside

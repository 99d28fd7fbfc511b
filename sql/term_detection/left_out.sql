{# Detections and occurrences that take no part in the alignment, with the reason and the verdict: left out, a false
   alarm (detections outside the audio, where they count as that) or refused, which ends the run. #}
{% import "term_detection/times.jinja" as time %}
WITH outside AS (
{% if trials.value == "virtual" %}
    SELECT {{ scope }}'detection' AS kind, query, doc, channel, tbeg, dur, score, decision, 'outside the audio' AS reason
    FROM {{ searched_detections }} AS detection_
    ANTI JOIN {{ excerpts }} AS excerpt_
        ON {{ time.covers("excerpt_", "detection_", time.onset("detection_", times), time.end("detection_", times), times) }}
        {{- same("detection_", searched_detections, "excerpt_", excerpts) }}
    UNION ALL
    SELECT {{ scope }}'occurrence', query, doc, channel, onset_s, offset_s - onset_s, NULL, NULL, 'outside the audio'
    FROM {{ located_occurrences }} AS occurrence_
    ANTI JOIN {{ excerpts }} AS excerpt_
        ON {{ time.covers("excerpt_", "occurrence_", "occurrence_.onset", "occurrence_.first_end", times) }}
        {{- same("occurrence_", located_occurrences, "excerpt_", excerpts) }}
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

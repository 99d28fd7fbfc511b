{# The detections and occurrences that take no part in the alignment, with the reason and the verdict. The verdict
   depends on the parameter `outside_audio`. left out: the detection or occurrence does not count. false alarm: the
   detection counts as unaligned. refused: the run ends with an error. #}
{% import "term_detection/shared/times.jinja" as time %}
{% macro in_excerpts(row, rows, onset, end) %}
{{ excerpts }} AS excerpt_
        ON {{ time.covers("excerpt_", row, onset, end, times) }}
        {{- same(row, rows, "excerpt_", excerpts) }}
{%- endmacro %}
WITH outside AS (
{% if trials.value == "virtual" %}
    SELECT {{ scope }}'detection' AS kind, query, doc, channel, tbeg, dur, score, decision, true AS outside
    FROM {{ searched_detections }} AS detection_
    ANTI JOIN {{ in_excerpts("detection_", searched_detections, time.onset("detection_", times), time.end("detection_", times)) }}
    UNION ALL
    SELECT {{ scope }}'occurrence', query, doc, channel, onset_s, offset_s - onset_s, NULL, NULL, true
    FROM {{ located_occurrences }} AS occurrence_
    ANTI JOIN {{ in_excerpts("occurrence_", located_occurrences, "occurrence_.onset", "occurrence_.first_end") }}
{% else %}
    SELECT {{ scope }}'detection' AS kind, query, doc, channel, tbeg, dur, score, decision, trial IS NULL AS outside
    FROM {{ trial_detections }}
    WHERE trial IS NULL OR NOT best
    UNION ALL
    SELECT {{ scope }}'occurrence', query, doc, channel, onset_s, offset_s - onset_s, NULL, NULL, true
    FROM {{ trial_occurrences }}
    WHERE trial IS NULL
{% endif %}
),
reasons AS (
    SELECT *,
        CASE
            WHEN NOT outside THEN 'another of its trial has a higher score'
{% if trials.value == "segment" %}
            WHEN (doc, channel) IN (SELECT (doc, channel) FROM {{ excerpts }}) THEN 'in no segment'
{% endif %}
            ELSE 'outside the audio'
        END AS reason
    FROM outside
)
SELECT *,
{% if outside_audio.value == "error" %}
    if(outside, 'refused', 'left out') AS verdict
{% elif outside_audio.value == "false_alarm" %}
    if(outside AND kind = 'detection', 'false alarm', 'left out') AS verdict
{% else %}
    'left out' AS verdict
{% endif %}
FROM reasons

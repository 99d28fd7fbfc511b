{# The detections and occurrences that do not count as they are, with the reason and the verdict. The verdict depends on
   the parameter `outside_audio`. left out: the detection or occurrence does not count. false alarm: the detection counts
   as unaligned. refused: the run ends with an error. With inside_audio = midpoint, an occurrence outside the audio and the
   detection that is aligned with it are always left out; without the gold, it is unknown whether a detection is aligned. #}
{% set whole = trials.value != "virtual" or inside_audio.value == "whole" %}
{% set known = whole or references.given or occurrences.given %}
WITH reasons AS (
{% if trials.value == "virtual" %}
    SELECT 'detection' AS kind, query, doc, channel, tbeg, dur, score, decision, true AS outside,
        if(target, 'aligned with an occurrence outside the audio', 'outside the audio') AS reason
    FROM {{ aligned_rows }}
    WHERE NOT inside AND tbeg IS NOT NULL
    UNION ALL
    SELECT 'occurrence', query, doc, channel, occurrence_onset, occurrence_offset - occurrence_onset, NULL, NULL, true,
        'outside the audio'
    FROM {{ aligned_rows }}
    WHERE NOT inside AND target
{% else %}
    SELECT 'detection' AS kind, query, doc, channel, tbeg, dur, score, decision, trial IS NULL AS outside,
        if(trial IS NULL, 'outside the audio', 'another of its trial has a higher score') AS reason
    FROM {{ trial_detections }}
    WHERE trial IS NULL OR NOT best
    UNION ALL
    SELECT 'occurrence', query, doc, channel, onset_s, offset_s - onset_s, NULL, NULL, true,
{% if trials.value == "segment" %}
        if((doc, channel) IN (SELECT (doc, channel) FROM {{ excerpts }}), 'in no segment', 'outside the audio')
{% else %}
        'outside the audio'
{% endif %}
    FROM {{ trial_occurrences }}
    WHERE trial IS NULL
{% endif %}
)
SELECT *,
{% if not known %}
    {{ {"false_alarm": "'false alarm unless aligned'", "drop": "'left out unless aligned'", "error": "'refused unless aligned'"}[outside_audio.value] }} AS verdict
{% elif outside_audio.value == "error" %}
    if(outside{{ " AND kind = 'detection' AND reason = 'outside the audio'" if not whole }}, 'refused', 'left out') AS verdict
{% elif outside_audio.value == "false_alarm" %}
    if(kind = 'detection' AND reason = 'outside the audio', 'false alarm', 'left out') AS verdict
{% else %}
    'left out' AS verdict
{% endif %}
FROM reasons

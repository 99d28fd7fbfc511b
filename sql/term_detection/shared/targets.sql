{# The target trials. If trials are virtual, these are the occurrences in the audio: those whose midpoint lies in an
   excerpt or, with inside_audio = whole, those whose first word does.
   If trials are segments or documents, these are the segments or documents that contain an occurrence of the query: two
   occurrences in one segment are one target. #}
{% import "term_detection/shared/times.jinja" as time with context %}
{% if trials.value == "virtual" %}
SELECT query, doc, channel, onset, "offset", onset_s, offset_s,
    NULL::BIGINT AS trial
FROM {{ located_occurrences }} AS occurrence_
SEMI JOIN {{ excerpts }} AS excerpt_
{% if inside_audio.value == "midpoint" %}
    ON {{ time.holds_middle("excerpt_", "occurrence_", time.middle_of("occurrence_.onset", 'occurrence_."offset"')) }}
{% else %}
    ON {{ time.covers("excerpt_", "occurrence_", "occurrence_.onset", "occurrence_.first_end") }}
{% endif %}
{% else %}
{% set unit = "" if times.value == "microseconds" else " / 1e6" %}
WITH found AS (
    SELECT query, doc, trial, min(microseconds(onset_s)) AS first_onset, max(microseconds(offset_s)) AS last_offset
    FROM {{ trial_occurrences }}
    WHERE trial IS NOT NULL
    GROUP BY ALL
)
SELECT query, found_.doc, trial_.channel,
    coalesce(trial_.onset, first_onset){{ unit }} AS onset, coalesce(trial_."offset", last_offset){{ unit }} AS "offset",
    coalesce(trial_.onset, first_onset) / 1e6 AS onset_s, coalesce(trial_."offset", last_offset) / 1e6 AS offset_s, found_.trial
FROM found AS found_
JOIN {{ trial_spans }} AS trial_
    ON found_.trial = trial_.trial
{% endif %}

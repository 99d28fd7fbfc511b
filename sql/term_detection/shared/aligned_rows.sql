{# The detections, each with its occurrence (NULL if it is not aligned), and the occurrences without a detection, if trials
   are virtual. `inside`: the row lies in the audio. With inside_audio = midpoint, all detections and occurrences are
   aligned, and a row is then judged by a midpoint: that of its occurrence or, if the detection is not aligned, that of the
   detection. With inside_audio = whole, as in F4DE, only what lies in the audio is aligned.

   A slice of a breakdown by the audio has the rows inside its excerpts. Rows outside every excerpt are in no slice. #}
{% import "term_detection/shared/times.jinja" as time with context %}
{% set keys = "query, doc, channel" %}
{% set columns = keys ~ ", tbeg, dur, score, decision, occurrence_onset, occurrence_offset, target" %}
WITH joined AS (
    SELECT {{ keys }}, tbeg, dur, score, decision,
        NULL::DOUBLE AS occurrence_onset, NULL::DOUBLE AS occurrence_offset, false AS target
    FROM {{ searched_detections }}
    ANTI JOIN {{ candidate_pairs }} USING ({{ keys }}, tbeg, dur)
    UNION ALL
    SELECT {{ keys }}, tbeg, dur, score, decision,
        if(found, occurrence_onset, NULL), if(found, occurrence_offset, NULL), coalesce(found, false)
    FROM {{ candidate_pairs }}
    LEFT JOIN (SELECT island, detection, occurrence, true AS found FROM {{ aligned_pairs }}) USING (island, detection, occurrence)
    QUALIFY row_number() OVER (PARTITION BY island, detection ORDER BY found NULLS LAST, occurrence) = 1
    UNION ALL
    SELECT {{ keys }}, NULL, NULL, NULL, NULL, onset_s, offset_s, true
    FROM {{ occurrence_islands }}
    ANTI JOIN {{ aligned_pairs }} USING (island, occurrence)
),
{% if inside_audio.value == "midpoint" %}
{% set from, to = ("microseconds(occurrence_onset)", "microseconds(occurrence_offset)") if times.value == "microseconds"
    else ("occurrence_onset", "occurrence_offset") %}
placed AS (
    SELECT *, if(target, {{ time.middle_of(from, to) }}, {{ time.middle("row_") }}) AS middle FROM joined AS row_
),
places AS (
    SELECT *, true AS found
    FROM (SELECT DISTINCT doc, channel, middle FROM placed) AS place_
    SEMI JOIN {{ excerpts }} AS excerpt_
        ON {{ time.holds_middle("excerpt_", "place_", "place_.middle") }}
)
SELECT {{ columns }}, coalesce(found, false) AS inside
FROM placed
LEFT JOIN places USING (doc, channel, middle)
{% if audio.slices %}
WHERE found
{% endif %}
{% else %}
places AS (
    SELECT *, true AS found
    FROM (SELECT DISTINCT doc, channel, tbeg, dur FROM {{ searched_detections }}) AS place_
    SEMI JOIN {{ excerpts }} AS excerpt_
        ON {{ time.covers("excerpt_", "place_", time.onset("place_"), time.end("place_")) }}
)
SELECT {{ columns }}, target OR coalesce(found, false) AS inside
FROM joined
LEFT JOIN places USING (doc, channel, tbeg, dur)
UNION ALL
SELECT {{ keys }}, NULL, NULL, NULL, NULL, onset_s, offset_s, true, false
FROM {{ located_occurrences }} AS occurrence_
ANTI JOIN {{ excerpts }} AS excerpt_
    ON {{ time.covers("excerpt_", "occurrence_", "occurrence_.onset", "occurrence_.first_end") }}
{% endif %}

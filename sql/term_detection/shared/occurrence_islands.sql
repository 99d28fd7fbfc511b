{# The occurrences that are aligned, grouped into islands: all occurrences or, with inside_audio = whole, those in the
   audio. The reach of an occurrence is its time span, extended by `tolerance` (0.5 s) at both ends; a detection can be
   aligned with the occurrence if its midpoint is in the reach. An island is a chain of occurrences of one query, in one
   document and channel, whose reaches overlap. With occurrences at 1.0–1.4, 2.2–2.6 and 9.0–9.4 s, the first two are one
   island (0.5–1.9 and 1.7–3.1 s overlap), and the third is another. A detection can be aligned with occurrences of one
   island only, so that each island is aligned by itself. #}
{% import "term_detection/shared/times.jinja" as time with context %}
WITH extended AS (
    SELECT query, doc, channel, onset_s, offset_s,
        {{ time.reach_from("onset", tolerance) }} AS reach_from,
        {{ time.reach_to('"offset"', tolerance) }} AS reach_to
    FROM {{ located_occurrences if inside_audio.value == "midpoint" else targets }}
),
parted AS (
    SELECT *, coalesce(reach_from > max(reach_to) OVER before, true) AS begins
    FROM extended
    WINDOW before AS (PARTITION BY query, doc, channel ORDER BY reach_from, reach_to
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT * EXCLUDE (begins),
        count_if(begins) OVER (ORDER BY query, doc, channel, reach_from, begins DESC, reach_to ROWS UNBOUNDED PRECEDING) AS island
    FROM parted
)
SELECT *, row_number() OVER (PARTITION BY island ORDER BY reach_from, reach_to) AS occurrence,
    min(reach_from) OVER (PARTITION BY island) AS island_from, max(reach_to) OVER (PARTITION BY island) AS island_to
FROM numbered

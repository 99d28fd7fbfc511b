{# The pairs of a detection and an occurrence that can be aligned: the midpoint of the detection lies in the occurrence
   or at most `tolerance` (0.5 s) outside of it (section 2.1). A detection from 3.0 to 3.4 s has its midpoint at 3.2 s,
   and can be aligned with an occurrence that ends at 2.7 s, but not with an occurrence that ends at 2.6 s.

   Among the alignments with the most pairs, the largest sum of `gain_1` is preferred, then of `gain_2`, then of
   `gain_3`. With assignment = ranks these are the rank of the score in the island, the overlap, and the rank by time
   and decision. With assignment = gain, `gain_1` is the gain of F4DE times 1e8: `gain_score_weight` · relative score +
   relative overlap; `gain_2` is 0. `contested`: some detection of the island can be aligned with several occurrences. #}
{% import "term_detection/shared/times.jinja" as time with context %}
{% set keys = "query, doc, channel" %}
{% set width = 10 + 2 * tolerance.value %}
WITH aligned AS (
    SELECT *
    FROM {{ searched_detections }} AS row_
{% if inside_audio.value == "whole" %}
    SEMI JOIN {{ excerpts }} AS excerpt_
        ON {{ time.covers("excerpt_", "row_", time.onset("row_"), time.end("row_")) }}
{% endif %}
),
islands AS (
    SELECT DISTINCT {{ keys }}, island, island_from, island_to FROM {{ occurrence_islands }}
),
-- one row for each interval of {{ width }} s that an island touches, so that an equality join finds the island of a detection
stretches AS (
    SELECT *, unnest(range({{ time.middle_stretch("island_from", width) }}, {{ time.middle_stretch("island_to", width) }} + 1)) AS stretch
    FROM islands
),
near AS (
    SELECT {{ keys }}, tbeg, dur, ranked_score(score) AS score, decision, min_score, max_score, island, middle
    FROM (
        SELECT *, {{ time.middle_stretch("middle", width) }} AS stretch
        FROM (SELECT *, {{ time.middle("detection_") }} AS middle FROM aligned AS detection_)
    )
    JOIN stretches USING ({{ keys }}, stretch)
    WHERE middle BETWEEN island_from AND island_to
),
numbered AS (
    SELECT *, microseconds(tbeg) AS onset, microseconds(tbeg) + microseconds(dur) AS "offset",
        row_number() OVER (PARTITION BY island ORDER BY microseconds(tbeg), microseconds(dur), score DESC, decision DESC) AS detection
    FROM near
),
{% if assignment.value == "gain" %}
-- F4DE scales scores by min_score and max_score of the list or, without these, by the extremes in the document and channel
limits AS (
    SELECT {{ keys }},
        coalesce(min(min_score) FILTER (WHERE isfinite(min_score)), min(score) FILTER (WHERE isfinite(score)), 0) AS lowest,
        coalesce(max(max_score) FILTER (WHERE isfinite(max_score)), max(score) FILTER (WHERE isfinite(score)), 0) AS highest
    FROM aligned
    SEMI JOIN islands USING ({{ keys }})
    GROUP BY ALL
),
{% endif %}
paired AS (
    SELECT detection_.*, occurrence_.occurrence, occurrence_.onset_s, occurrence_.offset_s,
        dense_rank() OVER (PARTITION BY island ORDER BY detection_.onset DESC, detection_."offset" DESC, decision = 'YES') AS gain_3,
{% if assignment.value == "gain" %}
        {{ gain_score_weight }} * CASE
            WHEN isinf(score) THEN if(score > 0, 1e0, 0e0)
            WHEN isinf(highest - lowest) THEN (score / 2 - lowest / 2) / (highest / 2 - lowest / 2)  -- too large to be subtracted
            ELSE (score - lowest) / greatest(highest - lowest, {{ gain_smallest }})
        END
            + (least(four_decimals(tbeg + dur), four_decimals(offset_s)) - greatest(tbeg, onset_s))
            / greatest(four_decimals(offset_s) - onset_s, {{ gain_smallest }}) AS gain_1,
        0 AS gain_2
{% else %}
        dense_rank() OVER (PARTITION BY island ORDER BY score) AS gain_1,
        least(detection_."offset", microseconds(offset_s)) - greatest(detection_.onset, microseconds(onset_s)) AS gain_2
{% endif %}
    FROM numbered AS detection_
    JOIN (SELECT island, occurrence, onset_s, offset_s, reach_from, reach_to FROM {{ occurrence_islands }}) AS occurrence_ USING (island)
{% if assignment.value == "gain" %}
    JOIN limits USING ({{ keys }})
{% endif %}
    WHERE middle BETWEEN reach_from AND reach_to
),
counted AS (
    SELECT *, count(*) OVER (PARTITION BY island, detection) AS partners FROM paired
)
SELECT {{ keys }}, tbeg, dur, score, decision, island, detection, occurrence, onset_s AS occurrence_onset, offset_s AS occurrence_offset,
    gain_1, gain_2, gain_3, max(partners) OVER (PARTITION BY island) > 1 AS contested
FROM counted

{# The trials, if they are segments or documents. With trials = document, each document is a trial. With trials = segment,
   trials are the segments of F4DE: in each excerpt, the turns that lie wholly inside, with overlapping turns merged into
   one, and the gaps before, between and after these turns. Times are whole microseconds.

   In an excerpt of 0–10 s with turns at 2–4, 3–5 and 8–9 s, the segments are 0–2, 2–5, 5–8, 8–9 and 9–10 s. An excerpt
   without a turn is one segment without speech. #}
{% if trials.value == "segment" %}
WITH excerpts AS (
    SELECT doc, channel, microseconds(tbeg) AS excerpt_onset, microseconds(tbeg) + microseconds(dur) AS excerpt_end,
        row_number() OVER (ORDER BY doc, channel, tbeg, dur) AS excerpt
    FROM {{ audio }}
),
turns AS (
    SELECT excerpt_.*, turn_.onset, turn_.turn_end
    FROM excerpts AS excerpt_
    JOIN (
        SELECT *, microseconds(tbeg) AS onset, microseconds(tbeg) + microseconds(dur) AS turn_end FROM {{ speech }}
    ) AS turn_
        ON excerpt_.doc = turn_.doc AND excerpt_.channel = turn_.channel
        AND turn_.onset >= excerpt_onset AND turn_.turn_end <= excerpt_end
),
parted AS (
    SELECT *, coalesce(onset >= max(turn_end) OVER before, true) AS begins
    FROM turns
    WINDOW before AS (PARTITION BY excerpt ORDER BY onset, turn_end ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT *, count_if(begins) OVER (PARTITION BY excerpt ORDER BY onset, turn_end ROWS UNBOUNDED PRECEDING) AS stretch
    FROM parted
),
stretches AS (
    SELECT excerpt, min(onset) AS onset, max(turn_end) AS stretch_end FROM numbered GROUP BY excerpt, stretch
    UNION ALL
    SELECT excerpt, excerpt_end, excerpt_end FROM excerpts
),
gaps AS (
    SELECT *, lag(stretch_end, 1, excerpt_onset) OVER (PARTITION BY excerpt ORDER BY onset, stretch_end) AS gap_onset
    FROM stretches
    JOIN excerpts USING (excerpt)
),
segments AS (
    SELECT excerpt, doc, channel, gap_onset AS onset, onset AS "offset", false AS spoken FROM gaps WHERE onset > gap_onset
    UNION ALL
    SELECT excerpt, doc, channel, onset, stretch_end, true FROM gaps WHERE stretch_end > onset
)
SELECT doc, channel, onset, "offset", row_number() OVER (ORDER BY excerpt, onset) AS trial, spoken
FROM segments
{% else %}
SELECT doc, NULL::VARCHAR AS channel, NULL::BIGINT AS onset, NULL::BIGINT AS "offset",
    row_number() OVER (ORDER BY doc) AS trial, NULL::BOOLEAN AS spoken
FROM (SELECT DISTINCT doc FROM {{ audio }})
{% endif %}

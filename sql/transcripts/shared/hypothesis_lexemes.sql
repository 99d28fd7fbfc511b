{# The words of the hypothesis, including the words of all alternatives, each with its segment of the reference.

   If the hypothesis names the segment of a word, the word belongs to the segment of this name. Otherwise, as in sclite,
   the word belongs to the first segment of its channel that ends after the midpoint of the word, or to the last segment if
   none does. With segments at 0–2 s and 3–5 s, a word with its midpoint at 2.5 s is in the second, and is `outside`. The
   case of channels is ignored. With align_within = document, words have no segment.

   Words stay in order, and alternatives together, as in sclite: the words of an alternation have the latest of their
   midpoints, and no word has a midpoint before that of an earlier word of its channel. The end of a segment is rounded to
   32 bits, as sclite reads it from an STM file: a midpoint of 1.7 s is before the end 1.7 s, which is 1.70000005 s.

   Words of a channel that the reference lacks, and words without a time, belong to no segment. There is one row for all
   such words of a channel, with an error message (`fault`).

   There are no rows if the documents or segments of the two files differ (segment_faults). #}
{% import "transcripts/shared/words.jinja" as words with context %}
{% set of_word = "line, number, part, word, optional, entity, alternation, branch, onset, duration" %}
WITH unplaced AS (
{{ ("FROM " ~ hypothesis_times if times.given and scored_input.value == "hypothesis" else words.of_tokens(hypothesis_tokens)) | indent(4, true) }}
    WHERE NOT EXISTS (FROM {{ segment_faults }} WHERE coalesce(side NOT IN ('missing', 'extra'), true))
)
{% if align_within.value == "document" %}
SELECT document, 0 AS segment_number, {{ of_word }}, false AS outside, NULL::VARCHAR AS fault
FROM unplaced
{% else %}
, named AS (
    SELECT unplaced.*, segment_number, ignored, false AS outside
    FROM unplaced
    LEFT JOIN {{ segments }} AS segment_
        ON unplaced.document = segment_.document AND coalesce(unplaced.segment, '') = segment_.segment
),
{# A segment that ends no later than one before it gets no word. Without it, no two segments end at the same time. #}
endings AS (
    SELECT document, side, segment_number, ignored, onset, reach, if(last, 'inf'::DOUBLE, reach) AS ending
    FROM (
        SELECT *, lower(coalesce(channel, '')) AS side, max("offset") OVER upto AS reach,
            lead(segment_number) OVER in_order IS NULL AS last, coalesce("offset" > max("offset") OVER before, true) AS later
        FROM (SELECT * REPLACE ("offset"::FLOAT::DOUBLE AS "offset") FROM {{ segments }})
        WHERE "offset" IS NOT NULL
        WINDOW in_order AS (PARTITION BY document, lower(channel) ORDER BY segment_number),
            upto AS (in_order ROWS UNBOUNDED PRECEDING),
            before AS (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    WHERE last OR later
),
timed AS (
    SELECT word_.* REPLACE (ending_.segment_number AS segment_number, ending_.ignored AS ignored,
        middle < ending_.onset OR middle >= reach AS outside)
    FROM (
        SELECT * REPLACE (if(middle IS NULL, NULL, max(coalesce(latest, middle)) OVER (
                PARTITION BY document, lower(channel) ORDER BY number, part ROWS UNBOUNDED PRECEDING)) AS middle),
            if(document IN (SELECT document FROM {{ segments }} WHERE channel IS NOT NULL), lower(coalesce(channel, '')), '') AS side
        FROM (SELECT *, onset + coalesce(duration, 0) / 2e0 AS middle FROM named WHERE segment_number IS NULL)
        LEFT JOIN (
            SELECT document, alternation, max(onset + coalesce(duration, 0) / 2e0) AS latest
            FROM named
            WHERE alternation IS NOT NULL
            GROUP BY ALL
        ) AS alternation_ USING (document, alternation)
    ) AS word_
    ASOF LEFT JOIN endings AS ending_ ON word_.document = ending_.document AND word_.side = ending_.side AND middle < ending
)
SELECT document, segment_number, {{ of_word }}, outside, NULL::VARCHAR AS fault
FROM (FROM named WHERE segment_number IS NOT NULL UNION ALL BY NAME FROM timed WHERE segment_number IS NOT NULL)
WHERE NOT ignored
UNION ALL BY NAME
SELECT document, min(line) AS line, concat(CASE
    WHEN middle IS NULL THEN 'words without a time in document '
    WHEN side = '' THEN 'words without a channel in document '
    ELSE concat('channel ', min(channel), ' is not in the reference of document ') END,
    document, ' (', count(*), if(count(*) = 1, ' word', ' words'), ')') AS fault
FROM timed
WHERE segment_number IS NULL
GROUP BY document, side, middle IS NULL
{% endif %}

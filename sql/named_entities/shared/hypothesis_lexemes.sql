{# The words of the hypothesis, including the words of all alternatives, each with its segment of the reference.

   If the hypothesis names the segment of a word, the word belongs to the segment of this name. Otherwise, as in sclite,
   the word belongs to the first segment that ends after the midpoint of the word, or to the last segment if none does.
   With segments at 0–2 s and 3–5 s, a word with its midpoint at 2.5 s is in the second. With align_within = document,
   words have no segment.

   There are no rows if the documents or segments of the two files differ (segment_faults). #}
{% import "named_entities/shared/words.jinja" as words %}
{% set of_word = "line, number, part, word, optional, entity, alternation, branch, onset, duration" %}
WITH unplaced AS (
{{ ("FROM " ~ hypothesis_times if times.given and scored_input.value == "hypothesis" else words.of_tokens(scored_tokens, spellings)) | indent(4, true) }}
    WHERE NOT EXISTS (FROM {{ segment_faults }})
)
{% if align_within.value == "document" %}
SELECT document, 0 AS segment_number, {{ of_word }}
FROM unplaced
{% else %}
, named AS (
    SELECT unplaced.*, segment_number, ignored
    FROM unplaced
    LEFT JOIN {{ segments }} AS segment_
        ON unplaced.document = segment_.document AND coalesce(unplaced.segment, '') = segment_.segment
),
timed AS (
    SELECT word_.* EXCLUDE (middle, side) REPLACE (ending_.segment_number AS segment_number, ending_.ignored AS ignored)
    FROM (
        SELECT *, onset + coalesce(duration, 0) / 2e0 AS middle,
            if(document IN (SELECT document FROM {{ segments }} WHERE channel IS NOT NULL), coalesce(channel, ''), '') AS side
        FROM named
        WHERE segment_number IS NULL
    ) AS word_
    ASOF JOIN (
        SELECT *, coalesce(channel, '') AS side,
            if(segment_number = max(segment_number) OVER (PARTITION BY document, channel), 'inf'::DOUBLE, "offset") AS ending
        FROM {{ segments }}
        WHERE "offset" IS NOT NULL
    ) AS ending_ ON word_.document = ending_.document AND word_.side = ending_.side AND middle < ending
)
SELECT document, segment_number, {{ of_word }}
FROM (FROM named WHERE segment_number IS NOT NULL UNION ALL FROM timed)
WHERE NOT ignored
{% endif %}

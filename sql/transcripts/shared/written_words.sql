{# The words of both texts as they are written, after case, punctuation and hyphens, including the words of all
   alternatives. Each has its segment of the reference.

   If the hypothesis names the segment of a word, the word belongs to the segment of this name. Otherwise, as in sclite,
   the word belongs to the first segment of its channel that ends after the midpoint of the word, or to the last segment if
   none does. With segments at 0–2 s and 3–5 s, a word with its midpoint at 2.5 s is in the second, and is `outside`. The
   case of channels is ignored. With align_within = document, words of the hypothesis have no segment.

   In a document `by_time` (text_checks), the segments of the hypothesis are others than those of the reference, so that
   their names are not used. A word without a time then gets one: word k (from 0) of the K words of a segment is at
   (k + 0.5) / K of the duration of the segment.

   Words stay in order, and alternatives together, as in sclite: the words of an alternation have the latest of their
   midpoints, and no word has a midpoint before that of an earlier word of its channel. The end of a segment is rounded to
   32 bits, as sclite reads it from an STM file: a midpoint of 1.7 s is before the end 1.7 s, which is 1.70000005 s.

   Words of a channel that the reference lacks, and words without a time, belong to no segment. There is one row for all
   such words of a channel, with an error message (`fault`).

   There are no words of the hypothesis if the documents or segments of the two files do not fit (text_checks). #}
{% import "transcripts/shared/words.jinja" as words with context %}
{% set of_word = "line, number, part, word, attached, optional, entity, alternation, branch, onset, duration" %}
WITH heard AS (
    FROM {{ hypothesis_times if times.given and scored_input.value == "hypothesis"
        else words.in_recordings("(\n" ~ words.of_tokens(hypothesis_tokens) | indent(4, true) ~ "\n)", text_checks) | indent(4) }}
    WHERE NOT EXISTS (FROM {{ text_checks }} WHERE kind = 'fault')
),
named AS (
    SELECT heard.*, if({{ align_within }} = 'document', 0, segment_number) AS segment_number,
        {{ align_within }} = 'segment' AND ignored AS ignored, false AS outside
    FROM heard
    LEFT JOIN {{ segments }} AS segment_
        ON heard.document = segment_.document AND coalesce(heard.segment, '') = segment_.segment
            AND heard.document NOT IN (SELECT document FROM {{ text_checks }} WHERE kind = 'by time')
),
{# A segment that ends no later than one before it gets no word. Without it, no two segments end at the same time. #}
endings AS (
    SELECT document, channel_of_words, segment_number, ignored, onset, reach, if(last, 'inf'::DOUBLE, reach) AS ending
    FROM (
        SELECT *, lower(coalesce(channel, '')) AS channel_of_words, max("offset") OVER upto AS reach,
            lead(segment_number) OVER in_order IS NULL AS last, coalesce("offset" > max("offset") OVER before, true) AS later
        FROM (SELECT * REPLACE ("offset"::FLOAT::DOUBLE AS "offset") FROM {{ segments }})
        WHERE "offset" IS NOT NULL
        WINDOW in_order AS (PARTITION BY document, lower(channel) ORDER BY segment_number),
            upto AS (in_order ROWS UNBOUNDED PRECEDING),
            before AS (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    WHERE last OR later
),
{# The channel of all words of a document if only the reference names channels, and only one, or if it names none. #}
only_channels AS (
    SELECT document, coalesce(min(lower(ref_.channel)), '') AS only_channel
    FROM {{ segments }} AS ref_
    JOIN (SELECT document, count(channel) AS channels FROM named GROUP BY ALL) USING (document)
    GROUP BY document, channels
    HAVING count(ref_.channel) = 0 OR channels = 0 AND count(DISTINCT lower(ref_.channel)) = 1
),
timed AS (
    SELECT word_.* REPLACE (ending_.segment_number AS segment_number, ending_.ignored AS ignored,
        middle < ending_.onset OR middle >= reach AS outside)
    FROM (
        SELECT * REPLACE (if(middle IS NULL, NULL, max(coalesce(latest, middle)) OVER (
                PARTITION BY document, lower(channel) ORDER BY number, part ROWS UNBOUNDED PRECEDING)) AS middle),
            coalesce(only_channel, lower(coalesce(channel, ''))) AS channel_of_words
        FROM (
            SELECT *, coalesce(onset + coalesce(duration, 0) / 2e0, segment_onset + (row_number() OVER (within ORDER BY number, part)
                - 0.5e0) / count(*) OVER within * (segment_offset - segment_onset)) AS middle
            FROM named
            WHERE segment_number IS NULL
            WINDOW within AS (PARTITION BY document, segment)
        )
        LEFT JOIN (
            SELECT document, alternation, max(onset + coalesce(duration, 0) / 2e0) AS latest
            FROM named
            WHERE alternation IS NOT NULL
            GROUP BY ALL
        ) AS alternation_ USING (document, alternation)
        LEFT JOIN only_channels USING (document)
    ) AS word_
    ASOF LEFT JOIN endings AS ending_
        ON word_.document = ending_.document AND word_.channel_of_words = ending_.channel_of_words AND middle < ending
)
SELECT 1 AS side, document, segment_number, {{ of_word }}, outside, NULL::VARCHAR AS fault
FROM (FROM named WHERE segment_number IS NOT NULL UNION ALL BY NAME FROM timed WHERE segment_number IS NOT NULL)
WHERE NOT ignored
UNION ALL BY NAME
SELECT 1 AS side, document, min(line) AS line, concat(CASE
    WHEN middle IS NULL THEN 'words without a time in document '
    WHEN channel_of_words = '' THEN 'words without a channel in document '
    ELSE concat('channel ', min(channel), ' is not in the reference of document ') END,
    document, ' (', count(*), if(count(*) = 1, ' word', ' words'), ')') AS fault
FROM timed
WHERE segment_number IS NULL
GROUP BY document, channel_of_words, middle IS NULL
UNION ALL BY NAME
SELECT 0 AS side, word_.document, segment_number, word_.line, number, part, word, attached, optional, entity, alternation, branch,
    word_.onset, duration, false AS outside
FROM (
{{ words.of_tokens(reference_tokens) | indent(4, true) }}
) AS word_
JOIN {{ segments }} AS segment_
    ON word_.document = segment_.document AND coalesce(word_.segment, '') = segment_.segment AND NOT ignored

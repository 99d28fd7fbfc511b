{# Boundaries of turns cut a recording into segments, and each turn covers those from its first to its last boundary. #}
{% import "diarization/shared/turns.jinja" as turns_ with context %}
WITH spans AS (
    {{ turns_.merged("(FROM " ~ frame_turns ~ " WHERE onset < \"offset\")") | trim | indent }}
),
segments AS (
    SELECT doc, boundary, row_number() OVER upto AS segment, lead(boundary) OVER upto - boundary AS frames
    FROM (SELECT DISTINCT doc, unnest([onset, "offset"]) AS boundary FROM spans)
    WINDOW upto AS (PARTITION BY doc ORDER BY boundary)
),
covered AS (
    SELECT side, span_.doc, speaker, unnest(range(first_.segment, last_.segment)) AS segment
    FROM spans AS span_
    JOIN segments AS first_ ON span_.doc = first_.doc AND span_.onset = first_.boundary
    JOIN segments AS last_ ON span_.doc = last_.doc AND span_."offset" = last_.boundary
)
SELECT side, doc, speaker, segment, frames
FROM covered
JOIN segments USING (doc, segment)

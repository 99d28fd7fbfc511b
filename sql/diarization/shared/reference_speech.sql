{# A running sum over the boundaries of turns says how many speakers speak after each boundary. #}
{% import "diarization/shared/turns.jinja" as turns with context %}
WITH spans AS (
    SELECT 'reference' AS side, doc, speaker, microseconds(tbeg) AS onset, microseconds(tbeg + dur) AS "offset"
    FROM {{ reference }}
    WHERE onset < "offset"
),
boundaries AS (
    SELECT doc, boundary, sum(step) AS step
    FROM (SELECT doc, unnest([onset, "offset"]) AS boundary, unnest([1, -1]) AS step FROM ({{ turns.merged("spans") }}))
    GROUP BY doc, boundary
)
SELECT doc, lead(boundary) OVER upto - boundary AS duration, (sum(step) OVER upto)::BIGINT AS n_speakers
FROM boundaries
WINDOW upto AS (PARTITION BY doc ORDER BY boundary ROWS UNBOUNDED PRECEDING)

{# The turns of both sides. A turn shorter than a microsecond is none. #}
WITH turns AS (
    SELECT 'reference' AS side, doc, speaker, tbeg, dur FROM {{ reference }}
    UNION ALL
    SELECT 'hypothesis', doc, speaker, tbeg, dur FROM {{ hypothesis }}
)
SELECT side, doc, speaker, microseconds(tbeg) AS onset, microseconds(tbeg + dur) AS "offset"
FROM turns
WHERE onset < "offset"

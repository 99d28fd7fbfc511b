{# The turns of both sides. A turn shorter than a microsecond is none. #}
{% import "diarization/shared/named.jinja" as named with context %}
WITH turns AS (
    SELECT 'reference' AS side, doc, speaker, tbeg, dur FROM {{ named.recordings(reference) | trim | indent }}
    UNION ALL
    SELECT 'hypothesis', doc, speaker, tbeg, dur FROM {{ named.recordings(hypothesis) | trim | indent }}
)
SELECT side, doc, speaker, microseconds(tbeg) AS onset, microseconds(tbeg + dur) AS "offset"
FROM turns
WHERE onset < "offset"

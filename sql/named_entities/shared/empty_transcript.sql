{# The first row of each segment, without its token. #}
SELECT * REPLACE (
    NULL AS token, NULL AS entity, NULL AS tag, NULL AS onset, NULL AS duration, NULL AS alternation, NULL AS branch)
FROM {{ gold_transcript }}
QUALIFY row_number() OVER (PARTITION BY document, segment ORDER BY line) = 1

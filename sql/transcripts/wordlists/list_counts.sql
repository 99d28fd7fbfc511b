{# Besides the occurrences, each list has the duration of each segment, and so has the corpus, without a list. The duration of
   the corpus would else be counted once for each list. #}
SELECT document, segment, speaker, list, possible, actual, correct, 0e0 AS seconds, 0e0 AS list_seconds, false AS untimed
FROM {{ list_outcomes }}
UNION ALL
SELECT document, segment, speaker, list, 0, 0, 0, if(list IS NULL, "offset" - onset, 0), if(list IS NULL, 0, "offset" - onset),
    "offset" - onset IS NULL
FROM (FROM {{ segments }} WHERE NOT ignored)
CROSS JOIN (SELECT DISTINCT list FROM {{ lists }} UNION ALL SELECT NULL)

{# The spans of `min_phones` (3) consecutive phones of an utterance whose transcription occurs at least twice in the
   corpus. Together they are the gold time of coverage.

   By definition, the gold time is that of all recurring spans of 3 to 20 phones. Here only spans of 3 phones are
   listed. Their time is equal, because every part of a recurring span recurs: if abcd occurs twice, so do abc and bcd,
   and the two cover abcd. #}
WITH stretches AS (
    SELECT file, onset, lead("offset", ({{ min_phones }} - 1)::INTEGER) OVER in_utterance AS "offset",
        string_agg(code, '') OVER (in_utterance ROWS BETWEEN CURRENT ROW AND {{ min_phones }} - 1 FOLLOWING) AS text
    FROM {{ speech_phones }}
    WHERE utterance IS NOT NULL
    WINDOW in_utterance AS (PARTITION BY file, utterance ORDER BY number)
)
SELECT file, onset, "offset"
FROM stretches
WHERE "offset" IS NOT NULL
QUALIFY count(*) OVER (PARTITION BY text) > 1

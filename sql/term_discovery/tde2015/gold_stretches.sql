{# The spans of `min_phones` phones of an utterance of which the transcription occurs again in the corpus. They hold
   all that longer ones do: of a string that recurs every part does. #}
WITH stretches AS (
    SELECT {{ scope }}file, onset, lead("offset", ({{ min_phones }} - 1)::INTEGER) OVER in_utterance AS "offset",
        string_agg(code, '') OVER (in_utterance ROWS BETWEEN CURRENT ROW AND {{ min_phones }} - 1 FOLLOWING) AS text
    FROM {{ speech_phones }}
    WHERE utterance IS NOT NULL
    WINDOW in_utterance AS (PARTITION BY {{ scope }}file, utterance ORDER BY number)
)
SELECT {{ scope }}file, onset, "offset"
FROM stretches
WHERE "offset" IS NOT NULL
QUALIFY count(*) OVER (PARTITION BY {{ scope }}text) > 1

{# Each phone token, and whether it is in the transcription of some fragment. A phone is covered when a span
   that begins at it or before reaches it. #}
WITH reach AS (
    SELECT {{ scope }}file, first_phone AS phone, max(last_phone) AS last_phone
    FROM {{ fragment_texts }}
    GROUP BY ALL
)
SELECT {{ scope }}file, onset, "offset", label, silent,
    coalesce(max(last_phone) OVER (PARTITION BY {{ scope }}file ORDER BY phone) >= phone, false) AS covered
FROM {{ phone_tokens }}
LEFT JOIN reach USING ({{ scope }}file, phone)

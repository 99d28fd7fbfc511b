{# The phone tokens. `covered`: the phone is in the transcription of at least one fragment.

   By definition, a phone is covered if a span of a fragment has first_phone ≤ phone ≤ last_phone. Here spans and phones
   are not compared one by one: a phone is covered if the maximum of last_phone, over the spans that begin at or before
   the phone, is at least the phone. With the spans 1–3 and 2–2, that maximum is 3 from phone 1 on, so phones 1 to 3 are
   covered and phone 4 is not. #}
WITH reach AS (
    SELECT file, first_phone AS phone, max(last_phone) AS last_phone
    FROM {{ fragment_texts }}
    GROUP BY ALL
)
SELECT file, onset, "offset", label, silent,
    coalesce(max(last_phone) OVER (PARTITION BY file ORDER BY phone) >= phone, false) AS covered
FROM {{ phone_tokens }}
LEFT JOIN reach USING (file, phone)

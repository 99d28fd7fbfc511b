{# The phone tokens. `covered`: the phone is in the transcription of some fragment.

   By definition a phone is covered when some span of a fragment has first_phone ≤ phone ≤ last_phone. Here no spans are
   compared with phones: the maximum of last_phone over all spans that begin at the phone or before it must reach the
   phone. With the spans 1–3 and 2–2 the maximum is 3 from phone 1 on, so that phones 1 to 3 are covered and phone 4 is
   not. #}
WITH reach AS (
    SELECT {{ scope }}file, first_phone AS phone, max(last_phone) AS last_phone
    FROM {{ fragment_texts }}
    GROUP BY ALL
)
SELECT {{ scope }}file, onset, "offset", label, silent,
    coalesce(max(last_phone) OVER (PARTITION BY {{ scope }}file ORDER BY phone) >= phone, false) AS covered
FROM {{ phone_tokens }}
LEFT JOIN reach USING ({{ scope }}file, phone)

{# The distinct spans of phones that fragments have, with their transcription. Several fragments can have one span:
   `onset` is the latest of their onsets, `offset` the earliest of their offsets. With these, "some fragment of span A
   ends before some fragment of span B begins" is A.offset ≤ B.onset. #}
SELECT {{ scope }}file, first_phone, last_phone, text, first_onset, last_offset, max(onset) AS onset, min("offset") AS "offset"
FROM {{ fragment_texts }}
GROUP BY ALL

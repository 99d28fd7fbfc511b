{# The distinct spans of phones of fragments, with their transcriptions. If several fragments have the span, `onset` is
   the latest of their onsets and `offset` the earliest of their offsets. Then A.offset ≤ B.onset says that some
   fragment of span A ends before some fragment of span B begins. #}
SELECT file, first_phone, last_phone, text, first_onset, last_offset, max(onset) AS onset, min("offset") AS "offset"
FROM {{ fragment_texts }}
GROUP BY ALL

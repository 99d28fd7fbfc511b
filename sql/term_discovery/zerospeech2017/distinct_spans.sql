{# The spans of phones that fragments are, with the latest onset and the earliest offset of these. #}
SELECT {{ scope }}file, first_phone, last_phone, text, first_onset, last_offset, max(onset) AS onset, min("offset") AS "offset"
FROM {{ fragment_texts }}
GROUP BY ALL

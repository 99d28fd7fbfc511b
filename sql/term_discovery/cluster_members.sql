{# The clusters (C_disc) with the transcriptions of their members; a member listed twice is two rows. #}
SELECT {{ scope }}cluster, file, onset, "offset", first_phone, last_phone, text
FROM {{ fragments_of_fold }}
JOIN {{ fragment_texts }} USING ({{ shared(fragments_of_fold, fragment_texts) }}file, onset, "offset")

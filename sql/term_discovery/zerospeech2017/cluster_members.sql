{# The clusters (C_disc) with the transcriptions of their members; a member listed twice is two rows. #}
SELECT {{ scope }}cluster, file, onset, "offset", first_phone, last_phone, text
FROM {{ fold_fragments }}
JOIN {{ fragment_texts }} USING ({{ shared(fold_fragments, fragment_texts) }}file, onset, "offset")

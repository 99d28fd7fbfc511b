{# The clusters (C_disc), one row for each member of a cluster, with its span of phones and its transcription. A
   fragment that a cluster lists twice has two rows, because tdev2 counts pairs of lines. Members without a
   transcription have no row. #}
SELECT {{ scope }}cluster, file, onset, "offset", first_phone, last_phone, text
FROM {{ fragments_of_fold }}
JOIN {{ fragment_texts }} USING ({{ shared(fragments_of_fold, fragment_texts) }}file, onset, "offset")

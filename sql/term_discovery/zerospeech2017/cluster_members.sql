{# The members of clusters (C_disc), each with its span of phones and its transcription. A fragment that a cluster lists
   twice has two rows, because tdev2 forms pairs of lines. Members without a transcription are left out. #}
SELECT cluster, file, onset, "offset", first_phone, last_phone, text
FROM {{ fold_fragments }}
JOIN {{ fragment_texts }} USING (file, onset, "offset")

{# The phone tokens of the whole corpus, each with its talker, or NULL if the talker of the file is unknown. #}
SELECT file, label, talker, label IN {{ silence }} AS silent, microseconds("offset") - microseconds(onset) AS duration
FROM {{ phones }}
{{ "LEFT " if "talker" not in file_talkers.slices }}JOIN {{ file_talkers }} USING (file)

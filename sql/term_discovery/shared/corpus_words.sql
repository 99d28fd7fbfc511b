{# The word tokens of the whole corpus that are not silence. #}
SELECT file, label, microseconds("offset") - microseconds(onset) AS duration
FROM {{ words }}
WHERE label NOT IN {{ silent_words }}

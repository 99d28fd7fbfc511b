{# The phone tokens of the corpus or fold, numbered from 1 within their file by onset and offset. `silent` marks the
   labels that the parameter `silence` lists; coverage leaves them out. #}
SELECT {{ scope }}file, onset, "offset", label, code, label IN {{ silence }} AS silent,
    row_number() OVER (PARTITION BY {{ scope }}file ORDER BY onset, "offset") AS phone
FROM {{ phones_of_fold }}
JOIN {{ phone_codes }} USING (label)

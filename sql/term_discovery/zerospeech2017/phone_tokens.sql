{# The phone tokens of the corpus, numbered within their file from 1. #}
SELECT {{ scope }}file, onset, "offset", label, code, label IN {{ silence }} AS silent,
    row_number() OVER (PARTITION BY {{ scope }}file ORDER BY onset, "offset") AS phone
FROM {{ fold_phones }}
JOIN {{ phone_codes }} USING (label)

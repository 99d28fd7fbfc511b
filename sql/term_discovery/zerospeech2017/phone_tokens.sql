{# The phone tokens of the corpus or of the fold, numbered from 1 within their file by onset and offset. `silent`: the
   label is in the parameter `silence`. Coverage leaves such phones out. #}
SELECT file, onset, "offset", label, code, label IN {{ silence }} AS silent,
    row_number() OVER (PARTITION BY file ORDER BY onset, "offset") AS phone
FROM {{ fold_phones }}
JOIN {{ phone_codes }} USING (label)

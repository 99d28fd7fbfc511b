{# The code of each phone label: one character that represents it. With codes, a transcription is a string with one
   character per phone.

   Codes follow the alphabetical order of the labels. Up to 94 labels get printable ASCII characters, which are compared
   fastest. Up to 20,000 labels get characters from U+4E00 on, and more labels get characters from U+20000 on. #}
SELECT label,
    chr((CASE WHEN count(*) OVER () <= 94 THEN 33 WHEN count(*) OVER () <= 20000 THEN 19968 ELSE 131072 END
        + row_number() OVER (ORDER BY label) - 1)::INTEGER) AS code
FROM (SELECT DISTINCT label FROM {{ phones }})

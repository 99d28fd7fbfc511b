{# One character for each phone label, so that a transcription is a string and a phone a character of it.
   Up to 94 labels are printable ASCII (fast byte-wise comparison), more are taken from beyond. #}
SELECT label,
    chr((CASE WHEN count(*) OVER () <= 94 THEN 33 WHEN count(*) OVER () <= 20000 THEN 19968 ELSE 131072 END
        + row_number() OVER (ORDER BY label) - 1)::INTEGER) AS code
FROM (SELECT DISTINCT label FROM {{ phones }})

{# The phones of each fold, numbered through all files: consecutive phones of a file have consecutive positions. A span
   is then identified by two whole numbers, its position and its number of phones. #}
SELECT file, phone, onset, "offset", codes, remaining, row_number() OVER (ORDER BY file, place) AS position
FROM {{ phone_runs }}

{# The input of the function minimal_path_pairs: every two transcriptions that some pair of P_disc has, once. Numbers of
   transcriptions are those of all folds. #}
WITH types AS (
    SELECT DISTINCT type, text FROM {{ path_members }}
)
SELECT type_a, type_b, a.text AS text_a, b.text AS text_b
FROM (SELECT DISTINCT type_a, type_b FROM {{ path_fragment_pairs }})
JOIN types AS a ON a.type = type_a
JOIN types AS b ON b.type = type_b

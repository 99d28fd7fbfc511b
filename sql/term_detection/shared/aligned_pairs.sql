{# The aligned pairs of a detection and an occurrence, one-to-one. If each detection of an island can be aligned with only
   one occurrence, each occurrence takes its best detection. The function best_matching solves the other islands. #}
SELECT query, island, detection, occurrence
FROM {{ candidate_pairs }}
WHERE NOT contested
QUALIFY row_number() OVER (PARTITION BY island, occurrence ORDER BY gain_1 DESC, gain_2 DESC, gain_3 DESC, detection) = 1
UNION ALL
SELECT query, island, left_row, right_row FROM {{ rows }}

{# Which detection is aligned to which occurrence. Where no detection has a choice, each occurrence takes the best. #}
SELECT island, detection, occurrence
FROM {{ candidate_pairs }}
WHERE NOT contested
QUALIFY row_number() OVER (PARTITION BY island, occurrence ORDER BY gain_1 DESC, gain_2 DESC, gain_3 DESC, detection) = 1
UNION ALL
SELECT island, left_row, right_row FROM {{ rows }}

{# What best_matching is fed: the pairs of islands in which a detection could be aligned to several occurrences. #}
SELECT island, detection AS left_row, occurrence AS right_row, gain_1, gain_2, gain_3
FROM {{ candidate_pairs }}
WHERE contested
ORDER BY island, detection, occurrence

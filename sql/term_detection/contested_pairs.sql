{# The rows that the function best_matching reads: the candidate pairs of islands in which some detection may be aligned
   to more than one occurrence. Only there is an assignment problem to solve. #}
SELECT island, detection AS left_row, occurrence AS right_row, gain_1, gain_2, gain_3
FROM {{ candidate_pairs }}
WHERE contested
ORDER BY island, detection, occurrence

{# The rows that the function best_matching reads: the candidate pairs of the islands in which some detection can be
   aligned with several occurrences. Only these islands are assignment problems. #}
SELECT query, island, detection AS left_row, occurrence AS right_row, gain_1, gain_2, gain_3
FROM {{ candidate_pairs }}
WHERE contested
ORDER BY island, detection, occurrence

{# The pairs of entities that are mapped to each other, one-to-one: the only pair of its island, or chosen by the function
   first_best_matching. #}
SELECT * EXCLUDE (island, contested) FROM {{ compared_pairs }} WHERE NOT contested
UNION ALL
SELECT compared_.* EXCLUDE (island, contested)
FROM {{ compared_pairs }} AS compared_
JOIN {{ rows }} AS row_
    ON compared_.island = row_.island AND reference_entity = left_row AND hypothesis_entity = right_row

{# The pairs that are mapped, one-to-one: those without a choice, and of the others those that the mapping takes. #}
SELECT * EXCLUDE (island, contested) FROM {{ compared_pairs }} WHERE NOT contested
UNION ALL
SELECT compared_.* EXCLUDE (island, contested)
FROM {{ compared_pairs }} AS compared_
JOIN {{ rows }} AS row_
    ON compared_.island = row_.island AND reference_entity = left_row AND hypothesis_entity = right_row

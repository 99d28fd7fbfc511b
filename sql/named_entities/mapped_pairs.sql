{# The pairs of entities that are mapped to each other, one-to-one: all pairs without a choice, and the pairs that the
   mapping took where there is one. #}
SELECT * EXCLUDE (island, contested) FROM {{ compared_pairs }} WHERE NOT contested
UNION ALL
SELECT compared_.* EXCLUDE (island, contested)
FROM {{ compared_pairs }} AS compared_
JOIN {{ rows }} AS row_
    ON compared_.island = row_.island AND reference_entity = left_row AND hypothesis_entity = right_row

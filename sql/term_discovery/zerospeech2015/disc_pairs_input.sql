{# The input of the function pairwise_edit_distance: the distinct transcriptions of each cluster, with the number of
   members as weight. Each row of surplus_pairs is a group of two transcriptions with the weights 1 and −excess. The
   weight of a pair is the product of the two weights, so that surplus pairs are subtracted. #}
SELECT pair_group, text, weight
FROM (
    SELECT concat('cluster ', cluster, chr(31), pair_speaker) AS pair_group, text, members AS weight FROM {{ cluster_types }}
    UNION ALL
    SELECT concat('surplus ', pair), unnest([text_a, text_b]), unnest([1, -excess])
    FROM (SELECT *, row_number() OVER () AS pair FROM {{ surplus_pairs }})
)
ORDER BY pair_group

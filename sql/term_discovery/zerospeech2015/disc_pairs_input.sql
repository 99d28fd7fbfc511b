{# The rows that the function pairwise_edit_distance reads: the distinct transcriptions of each group, with the number
   of members as weight, and every row of surplus_pairs as a group of two with the weights 1 and −times. The weight of a
   pair is the product of the two, so that surplus pairs are subtracted. #}
SELECT {{ scope }}pair_group, text, weight
FROM (
    SELECT {{ scope }}concat('group ', cluster, chr(31), pair_talker) AS pair_group, text, members AS weight FROM {{ cluster_types }}
    UNION ALL
    SELECT {{ scope }}concat('surplus ', pair), unnest([text_a, text_b]), unnest([1, -excess])
    FROM (SELECT *, row_number() OVER () AS pair FROM {{ surplus_pairs }})
)
ORDER BY {{ scope }}pair_group

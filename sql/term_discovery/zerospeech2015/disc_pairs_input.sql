{# What pairwise_edit_distance is fed: the transcriptions of each group, and each surplus pair as a group of two. #}
SELECT {{ scope }}pair_group, text, weight
FROM (
    SELECT {{ scope }}concat('group ', cluster, chr(31), pair_talker) AS pair_group, text, members AS weight FROM {{ group_types }}
    UNION ALL
    SELECT {{ scope }}concat('surplus ', pair), unnest([text_a, text_b]), unnest([1, -excess])
    FROM (SELECT *, row_number() OVER () AS pair FROM {{ surplus_pairs }})
)
ORDER BY {{ scope }}pair_group

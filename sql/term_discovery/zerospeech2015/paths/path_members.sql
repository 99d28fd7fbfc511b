{# The members of clusters with at least as many phones as the smallest sub-span, each with the position of its first phone and the number of
   its transcription (`type`). Clusters that path_clusters refuses are left out. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
SELECT cluster, pair_speaker, file, member_.onset, member_."offset", text, position, dense_rank() OVER (ORDER BY text) AS type
FROM (FROM {{ cluster_members }} WHERE length(text) >= {{ subspans.fewest() }}) AS member_
JOIN (FROM {{ path_clusters }} WHERE NOT too_many AND NOT too_long) USING (cluster, pair_speaker)
JOIN {{ phone_positions }} AS phone_ USING (file)
WHERE phone = first_phone

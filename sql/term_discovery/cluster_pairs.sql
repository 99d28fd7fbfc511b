{# The pairs of each cluster (P_disc) by their two transcriptions: how many, and the edit distance of each.
   Linear in the members of a cluster, quadratic only in its distinct transcriptions. #}
SELECT {{ scope }}cluster, a.text AS text_a, b.text AS text_b,
    if(a.text = b.text, a.members * (a.members - 1) // 2, a.members * b.members) AS pairs,
    if(a.text = b.text, 0, edit_distance(a.text, b.text)) AS distance,
    greatest(length(a.text), length(b.text)) AS length
FROM {{ cluster_types }} AS a
JOIN {{ cluster_types }} AS b USING ({{ scope }}cluster)
WHERE a.text < b.text OR (a.text = b.text AND a.members > 1)

{# The groups within which members of clusters make pairs (P_clus): one row for each member of a group. A group is a
   cluster, or with talkers = within the members of a cluster that are of one talker. Two fragments are a pair of P_clus
   when they have a group in common. #}
SELECT {{ scope }}cluster, {{ "talker" if talkers.value == "within" else "''" }} AS pair_talker, file, onset, "offset", text,
    times_listed, first_phone, last_phone, reach_from, reach_to
FROM {{ fold_fragments }}
JOIN {{ disc_fragments }} USING ({{ shared(fold_fragments, disc_fragments) }}file, onset, "offset")
{% if talkers.value == "within" %}
WHERE talker IS NOT NULL
{% endif %}

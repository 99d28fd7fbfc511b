{# The members of clusters, in the groups within which they make pairs: their cluster, or with talkers = within
   their cluster and talker. #}
SELECT {{ scope }}cluster, {{ "talker" if talkers.value == "within" else "''" }} AS pair_talker, file, onset, "offset", text,
    times_listed, first_phone, last_phone, reach_from, reach_to
FROM {{ fold_fragments }}
JOIN {{ disc_fragments }} USING ({{ shared(fold_fragments, disc_fragments) }}file, onset, "offset")
{% if talkers.value == "within" %}
WHERE talker IS NOT NULL
{% endif %}

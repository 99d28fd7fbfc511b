{# The members of clusters: one row per cluster and distinct fragment, with its transcription. Two fragments are a pair
   of P_clus if a cluster has both as members.

   With talkers = within, each cluster is divided by speaker, `pair_talker` names the speaker, and members of unknown
   speakers are left out. Wherever the following relations speak of a cluster, they then mean the members of one
   speaker. #}
SELECT cluster, {{ "talker" if talkers.value == "within" else "''" }} AS pair_talker, file, onset, "offset", text,
    times_listed, first_phone, last_phone, reach_from, reach_to
FROM {{ fold_fragments }}
JOIN {{ disc_fragments }} USING (file, onset, "offset")
{% if talkers.value == "within" %}
SEMI JOIN (FROM {{ recording_talkers }} WHERE talker IS NOT NULL) USING (file)
{% endif %}

{# The members of clusters: one row per cluster and distinct fragment, with its transcription. Two fragments are a pair
   of P_clus if a cluster has both as members.

   With speakers = within, each cluster is divided by speaker, `pair_speaker` names the speaker, and members of unknown
   speakers are left out. Wherever the following relations speak of a cluster, they then mean the members of one
   speaker. #}
SELECT cluster, {{ "speaker" if speakers.value == "within" else "''" }} AS pair_speaker, file, onset, "offset", text,
    times_listed, first_phone, last_phone, reach_from, reach_to
FROM {{ fold_fragments }}
JOIN {{ disc_fragments }} USING (file, onset, "offset")
{% if speakers.value == "within" %}
SEMI JOIN (FROM {{ recording_speakers }} WHERE speaker IS NOT NULL) USING (file)
{% endif %}

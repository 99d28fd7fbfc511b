{# The distinct fragments (F_disc) that type, token and boundary score. With speakers = within, these are the fragments
   in at least one pair of one speaker.

   `empty_fragment` is '' for a fragment with a transcription, and otherwise the onset and offset of the fragment. So
   each fragment without a transcription is an element of its own, and matches no word. #}
SELECT file, onset, "offset", text, coalesce(first_phone, -1) AS first_phone,
    coalesce(last_phone, -1) AS last_phone, if(text = '', concat(onset, '-', "offset"), '') AS empty_fragment
FROM {{ disc_fragments }}
{% if speakers.value == "within" %}
SEMI JOIN (
    FROM {{ cluster_members }} SEMI JOIN (FROM {{ speaker_clusters }} WHERE members > 1) USING (cluster, pair_speaker)
) USING (file, onset, "offset")
{% endif %}

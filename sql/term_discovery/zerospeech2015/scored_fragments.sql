{# The distinct fragments (F_disc) that type, token and boundary count. With talkers = within, only fragments that are
   in a pair of one talker.

   `empty_fragment` is '' for a fragment with a transcription, and otherwise its times, so that fragments without a transcription
   are different elements of the set and match no word. #}
SELECT {{ scope }}file, onset, "offset", text, coalesce(first_phone, -1) AS first_phone,
    coalesce(last_phone, -1) AS last_phone, if(text = '', concat(onset, '-', "offset"), '') AS empty_fragment
FROM {{ disc_fragments }}
{% if talkers.value == "within" %}
SEMI JOIN (
    SELECT *
    FROM {{ cluster_members }}
    QUALIFY count(*) OVER (PARTITION BY {{ scope }}cluster, pair_talker) > 1
) USING ({{ scope }}file, onset, "offset")
{% endif %}

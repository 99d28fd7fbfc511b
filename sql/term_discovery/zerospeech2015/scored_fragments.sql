{# The fragments that type, token and boundary look at: all, or with talkers = within those that are in a pair of
   one talker. `stray` sets a fragment without a transcription apart from every other. #}
SELECT {{ scope }}file, onset, "offset", text, coalesce(first_phone, -1) AS first_phone,
    coalesce(last_phone, -1) AS last_phone, if(text = '', concat(onset, '-', "offset"), '') AS stray
FROM {{ disc_fragments }}
{% if talkers.value == "within" %}
SEMI JOIN (
    SELECT *
    FROM {{ pair_groups }}
    QUALIFY count(*) OVER (PARTITION BY {{ scope }}cluster, pair_talker) > 1
) USING ({{ scope }}file, onset, "offset")
{% endif %}

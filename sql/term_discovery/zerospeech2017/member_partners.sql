{# Whether a fragment of equal transcription is in the cluster. #}
{% import "term_discovery/zerospeech2017/partners.jinja" as partners %}
SELECT {{ scope }}cluster, file, first_phone, last_phone, has_partner
FROM (
{{ partners.with_partner(cluster_members, scope, "cluster, text") }}
)

{# The members of clusters. `has_partner`: another member of the cluster has the same transcription and shares no time
   with the member, so that the two are a pair of P_clus ∩ P_goldclus. #}
{% import "term_discovery/zerospeech2017/partners.jinja" as partners %}
SELECT cluster, file, first_phone, last_phone, has_partner
FROM (
{{ partners.with_partner(cluster_members, "cluster, text") | indent(4, true) }}
)

{# The fragments that share a cluster with another fragment, each with the set of its clusters (`classes`) and the
   number of that set (`signature`). Fragments with equal signatures have the same clusters, so that they can be counted
   together. #}
{% import "term_discovery/zerospeech2015/signatures.jinja" as signatures with context %}
WITH numbered AS (
    SELECT *, dense_rank() OVER (ORDER BY cluster, pair_speaker) AS pair_group
    FROM (FROM {{ cluster_members }} QUALIFY count(*) OVER (PARTITION BY cluster, pair_speaker) > 1)
)
FROM (
{{ signatures.signed("numbered", 'pair_speaker, file, onset, "offset", text', "pair_group") | indent(4, true) }}
)

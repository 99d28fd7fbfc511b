{# The fragments that have another member in one of their groups, each with its signature. The signature stands for the
   set of groups that the fragment is in, listed in `classes`. Fragments with the same signature have the same groups
   and are counted together. #}
{% import "term_discovery/zerospeech2015/signatures.jinja" as signatures %}
WITH numbered AS (
    SELECT *, dense_rank() OVER (ORDER BY {{ scope }}cluster, pair_talker) AS pair_group
    FROM (FROM {{ cluster_members }} QUALIFY count(*) OVER (PARTITION BY {{ scope }}cluster, pair_talker) > 1)
)
FROM (
{{ signatures.signed("numbered", scope ~ 'pair_talker, file, onset, "offset", text', "pair_group") | indent(4, true) }}
)

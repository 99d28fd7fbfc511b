{# The fragments that have others in their groups, each with the signature of its groups; `classes` are the numbers of
   the groups. #}
{% import "term_discovery/zerospeech2015/signatures.jinja" as signatures %}
WITH numbered AS (
    SELECT *, dense_rank() OVER (ORDER BY {{ scope }}cluster, pair_talker) AS pair_group
    FROM (FROM {{ pair_groups }} QUALIFY count(*) OVER (PARTITION BY {{ scope }}cluster, pair_talker) > 1)
)
FROM (
{{ signatures.signed("numbered", scope ~ 'pair_talker, file, onset, "offset", text', "pair_group") }}
)

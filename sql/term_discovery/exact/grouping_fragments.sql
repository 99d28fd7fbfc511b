{# The fragments that are in a pair of P_clus or of P_goldclus, and in which: found, gold, or both. #}
{% import "term_discovery/partners.jinja" as partners %}
WITH spoken AS (
    FROM {{ pair_groups }} WHERE text <> ''
),
distinct_fragments AS (
    SELECT DISTINCT {{ scope }}pair_talker, file, onset, "offset", text FROM spoken
),
found AS (
    SELECT {{ scope }}file, onset, "offset", text
    FROM {{ pair_groups }}
    QUALIFY count(*) OVER (PARTITION BY {{ scope }}cluster, pair_talker) > 1
),
in_clusters AS (
{{ partners.with_partner("spoken", scope, "cluster, pair_talker, text") }}
),
anywhere AS (
{{ partners.with_partner("distinct_fragments", scope, "pair_talker, text") }}
)
SELECT {{ scope }}file, onset, "offset", text, bool_or(set_ = 'found') AS in_found, bool_or(set_ = 'gold') AS in_gold,
    bool_or(set_ = 'both') AS in_both
FROM (
    SELECT *, 'found' AS set_ FROM found
    UNION ALL
    SELECT {{ scope }}file, onset, "offset", text, 'both' FROM in_clusters WHERE has_partner
    UNION ALL
    SELECT {{ scope }}file, onset, "offset", text, 'gold' FROM anywhere WHERE has_partner
)
GROUP BY ALL

{# The tokens of the fragments, and in which sets of pairs each occurs: found (P_clus), gold (P_goldclus), both. #}
{% import "term_discovery/partners.jinja" as partners %}
WITH sizes AS (
    SELECT {{ scope }}cluster, count(*) > 1 AS has_mate FROM {{ cluster_members }} GROUP BY ALL
),
in_clusters AS (
{{ partners.with_partner(cluster_members, scope, "cluster, text") }}
),
anywhere AS (
{% if talkers.value == "within" %}
{{ partners.with_partner("(FROM " ~ fragment_texts ~ " JOIN " ~ file_talkers ~ " USING (file))", scope, "talker, text") }}
{% else %}
{{ partners.with_partner(fragment_texts, scope, "text") }}
{% endif %}
),
found AS (
    SELECT {{ scope }}file, first_phone, last_phone, bool_or(has_mate) AS in_found, bool_or(has_partner) AS in_both
    FROM in_clusters
    JOIN sizes USING ({{ scope }}cluster)
    GROUP BY ALL
),
gold AS (
    SELECT {{ scope }}file, first_phone, last_phone, text, bool_or(has_partner) AS in_gold FROM anywhere GROUP BY ALL
)
SELECT {{ scope }}text, token_file, token_phone,
    bool_or(in_found) AS in_found, bool_or(in_gold) AS in_gold, bool_or(in_both) AS in_both
FROM gold
JOIN found USING ({{ scope }}file, first_phone, last_phone)
JOIN {{ fragment_keys }} USING ({{ scope }}file, first_phone, last_phone)
GROUP BY ALL

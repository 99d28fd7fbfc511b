{# The tokens of the fragments, and in which sets of pairs each occurs: found (P_clus), gold (P_goldclus), both.
   Whether a fragment of a group has a partner that shares no time with it is a question about the files of the
   group, and the earliest offset and latest onset in its own: no pair is made. #}
{% macro with_partner(fragments, group) %}
    SELECT fragment_.*, files > 1 OR earliest_offset <= onset OR latest_onset >= "offset" AS has_partner
    FROM {{ fragments }} AS fragment_
    JOIN (
        SELECT {{ scope }}{{ group }}, file, min("offset") AS earliest_offset, max(onset) AS latest_onset,
            count(*) OVER (PARTITION BY {{ scope }}{{ group }}) AS files
        FROM {{ fragments }}
        GROUP BY {{ scope }}{{ group }}, file
    ) USING ({{ scope }}{{ group }}, file)
{% endmacro %}
WITH sizes AS (
    SELECT {{ scope }}cluster, count(*) > 1 AS has_mate FROM {{ cluster_members }} GROUP BY ALL
),
in_clusters AS (
{{ with_partner(cluster_members, "cluster, text") }}
),
anywhere AS (
{{ with_partner(fragment_texts, "text") }}
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

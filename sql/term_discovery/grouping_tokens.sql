{# The tokens of the fragments, and in which sets of pairs each occurs: found (P_clus), gold (P_goldclus), both.
   Whether a fragment has a partner that shares no time with it is a question about the earliest offset, the
   latest onset and the files of its group: no pair is made. #}
{% macro partner(group) %}
(min(file) OVER {{ group }} <> max(file) OVER {{ group }}
    OR min("offset") OVER {{ group }}_file <= onset OR max(onset) OVER {{ group }}_file >= "offset")
{%- endmacro %}
{% macro windows(name, columns) %}
{{ name }} AS (PARTITION BY {{ scope }}{{ columns }}), {{ name }}_file AS (PARTITION BY {{ scope }}{{ columns }}, file)
{%- endmacro %}
WITH in_clusters AS (
    SELECT {{ scope }}file, onset, "offset", first_phone, last_phone,
        count(*) OVER (PARTITION BY {{ scope }}cluster) > 1 AS in_found,
        {{ partner("cluster_type") }} AS in_both
    FROM {{ cluster_members }}
    WINDOW {{ windows("cluster_type", "cluster, text") }}
),
fragments AS (
    SELECT {{ scope }}file, first_phone, last_phone, text, {{ partner("type") }} AS in_gold
    FROM {{ fragment_texts }}
    WINDOW {{ windows("type", "text") }}
),
spans AS (
    SELECT {{ scope }}file, first_phone, last_phone, bool_or(in_found) AS in_found, bool_or(in_both) AS in_both
    FROM in_clusters
    GROUP BY ALL
),
gold AS (
    SELECT {{ scope }}file, first_phone, last_phone, text, bool_or(in_gold) AS in_gold FROM fragments GROUP BY ALL
)
SELECT {{ scope }}text, token_file, token_phone,
    bool_or(in_found) AS in_found, bool_or(in_gold) AS in_gold, bool_or(in_both) AS in_both
FROM gold
JOIN spans USING ({{ scope }}file, first_phone, last_phone)
JOIN {{ fragment_keys }} USING ({{ scope }}file, first_phone, last_phone)
GROUP BY ALL

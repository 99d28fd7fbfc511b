{# The sizes of the sets that the metrics compare. Each row has the sizes of one set, or of two sets that are compared,
   and the metric `sizes` adds up the rows. #}
{% macro counted(relation, columns) %}
UNION ALL BY NAME
SELECT {{ columns }} FROM {{ relation }}
{%- endmacro %}
{% macro compared(name, found, gold, element) %}
UNION ALL BY NAME
SELECT count(*) FILTER (WHERE in_found) AS {{ name }}_disc, count(*) FILTER (WHERE in_gold) AS {{ name }}_gold,
    count(*) FILTER (WHERE in_found AND in_gold) AS {{ name }}_both
FROM (
    SELECT {{ element }}, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
    FROM (SELECT {{ element }}, true AS found FROM {{ found }} UNION ALL SELECT {{ element }}, false FROM {{ gold }})
    GROUP BY ALL
)
{%- endmacro %}
{% set ends = 1 if pair_ends.value == "later" else 2 %}
WITH paired AS (
    SELECT file, onset, "offset" FROM {{ longest_partners }} WHERE partner_size IS NOT NULL
    UNION
    SELECT unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]) FROM {{ near_pairs }} WHERE NOT overlap
)
SELECT count(DISTINCT cluster) AS clusters FROM {{ fold_fragments }}
{{ counted(disc_fragments, "count(*) AS fragments, count(*) FILTER (WHERE text = '') AS fragments_empty") }}
{{ counted(scored_fragments, "count(*) AS fragments_scored") }}
{{ counted(disc_pairs, "sum(pairs) AS pairs") }}
{{ counted("paired", "count(*) AS pairs_flat") }}
{{ counted(grouping_fragments, 'count_if(found > 0) AS clus_flat, count_if(gold > 0) AS goldclus_flat, count_if("both" > 0) AS clus_goldclus_flat') }}
{{ counted(matching_spans, "count(*) FILTER (WHERE in_found) AS star_flat, count(*) FILTER (WHERE in_gold) AS all_flat, count(*) FILTER (WHERE in_both) AS star_all_flat") }}
{{ counted(grouping_types, "sum(found_ends) // " ~ ends ~ " AS clus_pairs, sum(gold_ends) // " ~ ends ~ " AS goldclus_pairs, sum(both_ends) // " ~ ends ~ " AS clus_goldclus_pairs") }}
{{ counted(gold_types, "sum(ends) // 2 AS all_pairs") }}
{{ compared("type", scored_fragments, gold_fragments, "text") }}
{{ compared("token", scored_fragments, gold_fragments, "file, first_phone, last_phone, empty_fragment") }}
{{ compared("boundary", found_boundaries, gold_boundaries, "file, boundary, far_edge") }}

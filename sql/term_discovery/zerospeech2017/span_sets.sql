{# The spans of the members of clusters, and in which sets of pairs each occurs: found (P_clus), gold (P_goldclus), both. #}
SELECT {{ scope }}file, first_phone, last_phone, text, in_found, in_gold, in_both
FROM {{ span_partners }}
JOIN {{ clustered_spans }} USING ({{ scope }}file, first_phone, last_phone)

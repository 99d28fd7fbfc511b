{# The distinct spans of members of clusters, with the sets of pairs in which each occurs: P_clus (found), P_goldclus
   (gold) and their intersection (both). #}
{# This is a separate relation because a group-by over a join over a group-by keeps all three in memory. Do not join it
   into clustered_spans or grouping_tokens. #}
SELECT file, first_phone, last_phone, text, in_found, in_gold, in_both
FROM {{ span_partners }}
JOIN {{ clustered_spans }} USING (file, first_phone, last_phone)

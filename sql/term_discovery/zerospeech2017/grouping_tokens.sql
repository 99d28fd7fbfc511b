{# The distinct tokens of members of clusters, with the sets of pairs in which each occurs: P_clus (found), P_goldclus
   (gold) and their intersection (both). A token occurs in a set when one of its spans does. Grouping precision is both
   / found, recall is both / gold. #}
SELECT text, token_file, token_phone,
    bool_or(in_found) AS in_found, bool_or(in_gold) AS in_gold, bool_or(in_both) AS in_both
FROM {{ span_sets }}
JOIN {{ span_tokens }} USING (file, first_phone, last_phone)
GROUP BY ALL

{# The transcriptions t of fragments, with the number of fragments with t in pairs of P_clus (found) and of P_goldclus
   (gold), |match(t, P)|, and the number of ends of pairs with t in P_clus, in P_goldclus and in both, N(t, P). With
   pair_ends = later (tde 0.2.1), a pair has only the end that is later by recording and time. #}
SELECT text, count_if(found > 0) AS found_spans, count_if(gold > 0) AS gold_spans,
{% if pair_ends.value == "later" %}
    sum(earlier)::BIGINT AS found_ends, sum(gold)::BIGINT // 2 AS gold_ends, sum("both")::BIGINT // 2 AS both_ends
{% else %}
    sum(found)::BIGINT AS found_ends, sum(gold)::BIGINT AS gold_ends, sum("both")::BIGINT AS both_ends
{% endif %}
FROM {{ grouping_fragments }}
GROUP BY ALL

{# For each transcription t, the fragments that it labels in P_clus and P_goldclus, |match(t, P)|, and the ends of
   pairs that it labels there and in both, N(t, P). #}
SELECT {{ scope }}text, count_if(found > 0) AS found_spans, count_if(gold > 0) AS gold_spans,
{% if pair_ends.value == "later" %}
    sum(earlier)::BIGINT AS found_ends, sum(gold)::BIGINT // 2 AS gold_ends, sum("both")::BIGINT // 2 AS both_ends
{% else %}
    sum(found)::BIGINT AS found_ends, sum(gold)::BIGINT AS gold_ends, sum("both")::BIGINT AS both_ends
{% endif %}
FROM {{ grouping_fragments }}
GROUP BY ALL

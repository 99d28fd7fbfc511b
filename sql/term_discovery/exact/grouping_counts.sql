{# What precision and recall of grouping are made of: fragments found and gold, and how many of either are right. #}
{% if match_counts.value == "pairs" %}
SELECT {{ scope }}found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM {{ grouping_types }}
{% else %}
SELECT {{ scope }}count_if(found > 0) AS found, count_if(gold > 0) AS gold,
    count_if("both" > 0) AS found_hits, found_hits AS gold_hits
FROM {{ grouping_fragments }}
GROUP BY ALL
{% endif %}

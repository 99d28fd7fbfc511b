{# What precision and recall of grouping are made of: fragments found and gold, and how many of either are right. #}
{% if match_counts.value == "pairs" %}
SELECT {{ scope }}found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM {{ grouping_types }}
{% else %}
SELECT {{ scope }}count(*) FILTER (WHERE in_found) AS found, count(*) FILTER (WHERE in_gold) AS gold,
    count(*) FILTER (WHERE in_both) AS found_hits, found_hits AS gold_hits
FROM {{ grouping_fragments }}
GROUP BY ALL
{% endif %}

{# What precision and recall of matching are made of: spans found and gold, and how many of either are right. #}
{% import "term_discovery/zerospeech2015/paired_counts.jinja" as paired with context %}
{% if match_counts.value == "pairs" %}
{{ paired.weighted_counts(matching_types) }}
{% else %}
SELECT {{ scope }}count(*) FILTER (WHERE in_found) AS found, count(*) FILTER (WHERE in_gold) AS gold,
    count(*) FILTER (WHERE in_both) AS found_hits, found_hits AS gold_hits
FROM {{ matching_spans }}
GROUP BY ALL
{% endif %}

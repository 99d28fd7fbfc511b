{# What precision and recall of grouping are made of: fragments found and gold, and how many of either are right. #}
{% import "term_discovery/zerospeech2015/paired_counts.jinja" as paired with context %}
{% if match_counts.value == "pairs" %}
{{ paired.weighted_counts(grouping_types) }}
{% else %}
SELECT {{ scope }}count_if(found > 0) AS found, count_if(gold > 0) AS gold,
    count_if("both" > 0) AS found_hits, found_hits AS gold_hits
FROM {{ grouping_fragments }}
GROUP BY ALL
{% endif %}

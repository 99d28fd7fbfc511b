{# The numbers of found and gold fragments of grouping, and how many of each are correct. With match_counts = fragments,
   the published form, a fragment is correct if it is in a pair of P_clus ∩ P_goldclus. With match_counts = pairs, the
   share of the fragments with transcription t that is correct is the share of the ends of pairs with transcription t
   that is in both sets. #}
{% import "term_discovery/zerospeech2015/paired_counts.jinja" as paired with context %}
{% if match_counts.value == "pairs" %}
{{ paired.weighted_counts(grouping_types) }}
{% else %}
SELECT count_if(found > 0) AS found, count_if(gold > 0) AS gold,
    count_if("both" > 0) AS found_hits, found_hits AS gold_hits
FROM {{ grouping_fragments }}
GROUP BY ALL
{% endif %}

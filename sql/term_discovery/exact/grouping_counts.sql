{# The numbers from which grouping precision and recall are computed: found and gold fragments, and how many of each are
   correct. With match_counts = fragments, the published form, a fragment is correct when it is in some pair of P_clus ∩
   P_goldclus. With match_counts = pairs, the fragments with a transcription t count as correct in the proportion of the
   ends of pairs that t labels in both sets. #}
{% import "term_discovery/exact/paired_counts.jinja" as paired with context %}
{% if match_counts.value == "pairs" %}
{{ paired.weighted_counts(grouping_types) }}
{% else %}
SELECT {{ scope }}count_if(found > 0) AS found, count_if(gold > 0) AS gold,
    count_if("both" > 0) AS found_hits, found_hits AS gold_hits
FROM {{ grouping_fragments }}
GROUP BY ALL
{% endif %}

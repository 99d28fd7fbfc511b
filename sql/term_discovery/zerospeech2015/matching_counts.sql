{# The numbers of found and gold spans of matching, and how many of each are correct. With match_counts = fragments, the
   published form, a span is correct if it is in a pair of P_disc* ∩ P_all. With match_counts = pairs, the share of the
   spans with transcription t that is correct is the share of the ends of pairs with transcription t that is in both
   sets. #}
{% import "term_discovery/zerospeech2015/paired_counts.jinja" as paired with context %}
{% if match_counts.value == "pairs" %}
{{ paired.weighted_counts(matching_types) }}
{% else %}
SELECT {{ scope }}count(*) FILTER (WHERE in_found) AS found, count(*) FILTER (WHERE in_gold) AS gold,
    count(*) FILTER (WHERE in_both) AS found_hits, found_hits AS gold_hits
FROM {{ matching_spans }}
GROUP BY ALL
{% endif %}

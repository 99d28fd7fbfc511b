{# The numbers of found and gold spans of matching, and how many of each are correct. With match_counts = fragments, the
   published form, a span is correct if it is in a pair of P_disc* ∩ P_all. With match_counts = pairs, the share of the
   spans with transcription t that is correct is the share of the ends of pairs with transcription t that is in both
   sets. This share is 0 for all transcriptions that are not in both_types. #}
{% import "term_discovery/zerospeech2015/paired_counts.jinja" as paired with context %}
{% if match_counts.value == "pairs" %}
SELECT * REPLACE (0 AS found, 0 AS gold)
FROM (
    {{ paired.weighted_counts(both_types) | trim | indent(4) }}
)
UNION ALL
SELECT count(*) FILTER (WHERE in_found), count(*) FILTER (WHERE in_gold), 0, 0 FROM {{ matching_spans }} GROUP BY ALL
{% else %}
SELECT count(*) FILTER (WHERE in_found) AS found, count(*) FILTER (WHERE in_gold) AS gold,
    count(*) FILTER (WHERE in_both) AS found_hits, found_hits AS gold_hits
FROM {{ matching_spans }}
GROUP BY ALL
{% endif %}

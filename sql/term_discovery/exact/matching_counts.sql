{# The numbers from which matching precision and recall are computed: found and gold spans, and how many of each are
   correct. With match_counts = fragments, the published form, a span is correct when it is in some pair of both sets.
   With match_counts = pairs, the spans of a transcription t count as correct in the proportion of the ends of pairs
   that t labels in both sets. #}
{% import "term_discovery/exact/paired_counts.jinja" as paired with context %}
{% if match_counts.value == "pairs" %}
{{ paired.weighted_counts(matching_types) }}
{% else %}
SELECT {{ scope }}count(*) FILTER (WHERE in_found) AS found, count(*) FILTER (WHERE in_gold) AS gold,
    count(*) FILTER (WHERE in_both) AS found_hits, found_hits AS gold_hits
FROM {{ matching_spans }}
GROUP BY ALL
{% endif %}

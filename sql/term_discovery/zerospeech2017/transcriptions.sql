{# The distinct transcriptions of fragments, as strings of codes and as phone labels separated by spaces. Evidence shows
   the labels. #}
{% import "term_discovery/shared/phone_labels.jinja" as phone_labels %}
{{ phone_labels.in_labels(fragment_texts, phone_codes) }}

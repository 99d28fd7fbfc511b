{# The distinct transcriptions of fragments, in codes (one character per phone) and in phone labels separated by blanks.
   Evidence shows the labels. #}
{% import "term_discovery/shared/phone_labels.jinja" as phone_labels %}
{{ phone_labels.in_labels(fragment_texts, scope, phone_codes) }}

{# The distinct transcriptions of fragments, in codes (one character per phone) and in phone labels separated by blanks.
   Evidence shows the labels. #}
{% import "term_discovery/transcriptions.jinja" as transcriptions %}
{{ transcriptions.in_labels(fragment_texts, scope, phone_codes) }}

{# The distinct transcriptions of the fragments in phone labels, as people read them. #}
{% import "term_discovery/transcriptions.jinja" as transcriptions %}
{{ transcriptions.in_labels(fragment_texts, scope, phone_codes) }}

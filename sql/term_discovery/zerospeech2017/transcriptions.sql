{# The distinct transcriptions of the fragments in phone labels, as people read them. #}
{% import "term_discovery/shared/transcriptions.jinja" as transcriptions %}
{{ transcriptions.in_labels(fragment_texts, scope, phone_codes) }}

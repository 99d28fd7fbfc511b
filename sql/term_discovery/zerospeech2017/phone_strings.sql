{# For each phone, its onset and the codes of it and the 15 that follow. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{{ spans.strings(phone_tokens, scope) }}

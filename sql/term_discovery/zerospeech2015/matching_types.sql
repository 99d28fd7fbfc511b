{# All transcriptions of sub-spans of members and of spans in pairs of P_all; see matching_types.jinja. #}
{% import "term_discovery/zerospeech2015/matching_types.jinja" as matching with context %}
{{ matching.types() }}

{# For each phoneme of a fold, its onset and the codes of it and of the 15 that follow. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{{ spans.strings(fold_phones, scope) }}

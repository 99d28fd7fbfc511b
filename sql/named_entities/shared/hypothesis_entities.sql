{# The entities of the hypothesis that have words, numbered in the order of the document. #}
{% import "named_entities/shared/words.jinja" as words %}
{{ words.entities(hypothesis_tagged, hypothesis_words, segments) }}

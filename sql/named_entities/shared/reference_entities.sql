{# The entities of the reference that have words, numbered in the order of the document. #}
{% import "named_entities/shared/words.jinja" as words %}
{{ words.entities(reference_tagged, reference_words, segments) }}

{# The entities of the reference that have at least one word, numbered from 0 within their document by their first word.
   #}
{% import "named_entities/words.jinja" as words %}
{{ words.entities(reference_tagged, reference_words, segments) }}

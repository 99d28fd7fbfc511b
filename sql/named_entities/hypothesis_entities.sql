{# The entities of the hypothesis that have at least one word, numbered from 0 within their document by their first
   word. #}
{% import "named_entities/words.jinja" as words %}
{{ words.entities(hypothesis_tagged, hypothesis_words, segments) }}

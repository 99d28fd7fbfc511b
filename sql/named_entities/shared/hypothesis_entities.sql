{# The entities of the hypothesis that have words, numbered from 0 within their document in the order of their first
   words. #}
{% import "named_entities/shared/words.jinja" as words %}
{{ words.entities(hypothesis_tagged, hypothesis_words, segments) }}

{# The tagged entities of the hypothesis, with the words that each has kept. #}
{% import "named_entities/shared/words.jinja" as words %}
{{ words.tagged(hypothesis, hypothesis_words, tags) }}

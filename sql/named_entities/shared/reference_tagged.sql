{# The tagged entities of the reference, with the words that each has kept. #}
{% import "named_entities/shared/words.jinja" as words %}
{{ words.tagged(reference, reference_words, tags) }}

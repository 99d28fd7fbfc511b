{# The tagged entities of the reference, with their type and with the positions of their words after normalisation. The
   flags mark entities that are refused: tokens with different tags, tokens in different segments, or other words
   between their words. #}
{% import "named_entities/words.jinja" as words %}
{{ words.tagged(reference, reference_words, tags) }}

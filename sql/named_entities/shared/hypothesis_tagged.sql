{# The tagged entities of the hypothesis, each with its type and the positions of its words after normalisation. Entities
   are refused if their tokens have different tags (`two_tags`) or are in different segments (`two_segments`), or if
   there are other words between their words (`interrupted`). #}
{% import "named_entities/shared/words.jinja" as words %}
{{ words.tagged(scored_tokens, hypothesis_words, tags) }}

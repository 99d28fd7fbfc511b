{# The tagged entities of the reference, as in tagged_entities, but without an alignment with a hypothesis. #}
{% import "transcripts/shared/words.jinja" as words with context %}
WITH {{ words.types() }}
SELECT *, words AS length
FROM (
{{ words.tagged(reference, corpus_words) | indent(4, true) }}
)

{# The tagged entities of the reference, as in reference_tagged, but without an alignment with a hypothesis. #}
{% import "transcripts/shared/words.jinja" as words with context %}
SELECT *, words AS length
FROM (
{{ words.tagged(reference, corpus_words) | indent(4, true) }}
)

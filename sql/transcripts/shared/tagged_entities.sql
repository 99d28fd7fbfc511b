{# The tagged entities of both texts, each with its type and the positions of its words. #}
{% import "transcripts/shared/words.jinja" as tagged with context %}
WITH {{ tagged.types() }}
{% for tokens in (reference, tagged.in_recordings(hypothesis_tokens, text_checks)) %}
SELECT {{ loop.index0 }} AS side, *
FROM (
{{ tagged.tagged(tokens, "(FROM " ~ words ~ " WHERE side = " ~ loop.index0 ~ ")") | indent(4, true) }}
)
{{ "UNION ALL" if not loop.last }}
{% endfor %}

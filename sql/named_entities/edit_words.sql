{# What cheapest_edits is fed: the words to be aligned. #}
{% import "named_entities/units.jinja" as units %}
SELECT document, unit, side, word AS text, optional
FROM (
{{ units.words(reference_words, hypothesis_words, anchors, align_within) | indent(4, true) }}
)
ORDER BY document, unit, side, position

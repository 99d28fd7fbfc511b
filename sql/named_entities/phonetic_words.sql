{# What phonetic_alignment is fed: the words to be aligned, with their sounds. #}
{% import "named_entities/units.jinja" as units %}
SELECT document, unit, side, word AS text, sounds
FROM (
{{ units.words(reference_words, hypothesis_words, anchors, align_within) | indent(4, true) }}
)
JOIN {{ word_sounds }} USING (word)
ORDER BY document, unit, side, position

{# The rows that the function cheapest_edits reads: the words of both texts in each unit. A unit is a segment, or in a
   document the words between two anchors. #}
{% import "named_entities/units.jinja" as units %}
SELECT document, unit, side, word AS text, optional
FROM (
{{ units.words(reference_words, hypothesis_words, anchors, align_within) | indent(4, true) }}
)
ORDER BY document, unit, side, position

{# The rows that the function phonetic_alignment reads: the words of both texts in each unit, with their phones. A unit
   is a segment or, with align_within = document, the words of a document between two anchors.
   With merge_compounds, neighbours with an equal value of the column `compound` can be joined. #}
{% import "transcripts/shared/units.jinja" as units with context %}
SELECT document, unit, side, word AS text, sounds{{ units.compound() }}
FROM (
{{ units.words_in_units() | indent(4, true) }}
)
JOIN {{ word_sounds }} USING (word)
ORDER BY document, unit, side, position

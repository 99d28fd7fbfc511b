{# The rows that the function cheapest_edits reads: the words of both texts in each unit. A unit is a segment or, with
   align_within = document, the words of a document between two anchors. With fragments = correct, the column `fragment`
   says which words equal all words that begin or end as they do. With merge_compounds, neighbours with an equal value of the
   column `compound` can be joined. #}
{% import "transcripts/shared/units.jinja" as units with context %}
SELECT document, unit, side, word AS text, optional{{ ', ' ~ units.fragment('word') ~ ' AS fragment' if fragments.value == 'correct' }}{{ units.compound() }}
FROM (
{{ units.words_in_units() | indent(4, true) }}
)
ORDER BY document, unit, side, position

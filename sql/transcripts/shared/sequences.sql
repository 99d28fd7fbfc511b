{# The sequences of words that are aligned (units of edit_words and phonetic_words), each with its number of reference
   words, and the anchors between them. A sequence may have words of only one text. #}
{% import "transcripts/shared/units.jinja" as units with context %}
SELECT document, count_if(side = 0) AS words, false AS anchored
FROM (
{{ units.words_in_units() | indent(4, true) }}
)
GROUP BY document, unit
{{ "UNION ALL SELECT document, 1, true FROM " ~ anchors if align_within.value == "document" }}

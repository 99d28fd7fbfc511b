{# The rows that the function cheapest_edits reads: the words of each stretch before (side 0) and after normalisation
   (side 1). #}
{% from "transcripts/shared/spellings.jinja" import folded with context %}
SELECT stretch, side, text, false AS optional
FROM (
    SELECT stretch, 0 AS side, word AS text, row AS place FROM {{ normalized_stretches }}
    UNION ALL
    SELECT stretch, 1, {{ folded("text") }}, place FROM {{ normalized_texts }}
)
ORDER BY stretch, side, place

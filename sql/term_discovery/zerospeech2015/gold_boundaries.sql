{# The boundaries of the words (B_gold); an edge near no phone boundary is left out. #}
{% import "term_discovery/zerospeech2015/edges.jinja" as edges with context %}
SELECT {{ scope }}file, boundary, -1 AS stray
FROM (
{{ edges.snapped(fold_words, scope_columns, fold_words, phone_boundaries) }}
)
WHERE boundary IS NOT NULL

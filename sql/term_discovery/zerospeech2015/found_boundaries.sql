{# The boundaries of the fragments (B_disc); an edge near no phone boundary is an element of its stray. #}
{% import "term_discovery/zerospeech2015/edges.jinja" as edges with context %}
SELECT {{ scope }}file, coalesce(boundary, -1) AS boundary, if(boundary IS NULL, time, -1) AS stray
FROM (
{{ edges.snapped(scored_fragments, scope_columns, scored_fragments, phone_boundaries) }}
)

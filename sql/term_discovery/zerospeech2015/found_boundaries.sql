{# The boundaries of fragments (B_disc): each distinct edge as the nearest phone boundary less than `boundary_tolerance`
   (30 ms) away. An edge without such a boundary has boundary −1 and its time in `edge`, so that it is an element of the
   set that is never in B_gold. Taken literally, the published −1 would make all such edges one element. #}
{% import "term_discovery/zerospeech2015/nearest_boundaries.jinja" as boundaries with context %}
SELECT {{ scope }}file, coalesce(boundary, -1) AS boundary, if(boundary IS NULL, time, -1) AS far_edge
FROM (
{{ boundaries.nearest(scored_fragments, scope_columns, scored_fragments, phone_boundaries) | indent(4, true) }}
)

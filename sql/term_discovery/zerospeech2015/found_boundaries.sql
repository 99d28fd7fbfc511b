{# The boundaries of fragments (B_disc). Each distinct edge counts as the nearest phone boundary, if that is less than
   `boundary_tolerance` (30 ms) away. For any other edge, `boundary` is −1 and `far_edge` is the time of the edge, so
   that the edge is an element of its own and never in B_gold. Taken literally, the −1 of the paper would make all such
   edges one element. #}
{% import "term_discovery/zerospeech2015/nearest_boundaries.jinja" as boundaries with context %}
SELECT file, coalesce(boundary, -1) AS boundary, if(boundary IS NULL, time, -1) AS far_edge
FROM (
{{ boundaries.nearest(scored_fragments, phone_boundaries) | indent(4, true) }}
)

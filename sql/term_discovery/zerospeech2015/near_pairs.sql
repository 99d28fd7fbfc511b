{# The pairs of members of a group that share time, they or the phones of their transcriptions. `overlap`: they share so
   much time that they are no pair of P_disc (more than `overlap_fraction`, half, of the shorter).

   Only for these few pairs does the time of the fragments matter, and two of their sub-spans can overlap or be the same
   span. They are therefore listed one by one. All other pairs are counted in closed form. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
{% set columns = ["onset", "offset", "text", "first_phone", "last_phone"] %}
SELECT *, {{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b") }} AS overlap
FROM (
{{ overlap.sharing_time(cluster_members, scope ~ "cluster, pair_talker", "reach_from", "reach_to", columns) | indent(4, true) }}
)

{# The pairs of members of one cluster that share time, when each member is extended to the edges of its first and last
   phone. `overlap`: the pair is not in P_disc, because the two members share more than `overlap_fraction` (half) of the
   shorter one.

   Only in these pairs can two sub-spans overlap, or be the same span. There are few of them, so they are listed. All
   other pairs are counted in closed form. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
{% set columns = ["onset", "offset", "text", "first_phone", "last_phone"] %}
SELECT *, {{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b") }} AS overlap
FROM (
{{ overlap.sharing_time(cluster_members, "cluster, pair_speaker", "reach_from", "reach_to", columns) | indent(4, true) }}
)

{# The pairs of members of a group that share time, they or the phones of their transcriptions; `overlap` is whether
   they share so much that they are no pair. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
{% set columns = ["onset", "offset", "text", "first_phone", "last_phone"] %}
SELECT * RENAME (first_phone_a AS first_a, first_phone_b AS first_b, last_phone_a AS last_a, last_phone_b AS last_b),
    {{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b") }} AS overlap
FROM (
{{ overlap.sharing_time(pair_groups, scope ~ "cluster, pair_talker", "reach_from", "reach_to", columns) }}
)

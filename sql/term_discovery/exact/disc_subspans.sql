{# The sub-spans of `min_phones` to `max_phones` phones of the members of groups, with the number of phones of the
   member that are `before` and `after` each. One row for each member and sub-span; a sub-span of two members has two
   rows.

   Size, `before` and `after` decide which sub-spans of another member are aligned with it: the shorter transcription is
   laid along the longer, and two sub-spans of one size are at the same places at some offset when one of them has no
   more phones before it and no more phones after it than the other. ab of abcd has 0 before and 2 after; ef of efg has
   0 and 1, so that the two are aligned; fg of efg has 1 and 0, so that ab and fg are not. #}
{% import "term_discovery/exact/subspans.jinja" as subspans with context %}
SELECT {{ scope }}cluster, pair_talker, file, onset, "offset", reach_from, reach_to, partner_size, size,
    first_phone + before AS phone, before, span_size - size - before AS after
FROM (
    SELECT *, unnest(range(0, span_size - size + 1)) AS before
    FROM (SELECT *, unnest({{ subspans.sizes("span_size") }}) AS size FROM {{ longest_partners }})
)

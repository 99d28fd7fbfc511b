{# The spans that are in a pair of P_disc*, flat(P_disc*).

   By definition, the pairs are listed and their spans collected (pairs/pairs_star.sql). But if two members of a cluster
   share no time, a sub-span of n phones of the one is aligned with a sub-span of the other whenever the other has n
   phones or more, because the shorter transcription is laid along all of the longer one. So a sub-span is in a pair if
   the longest partner of its member (longest_partners) has at least n phones. And if a span is in a pair, so are the
   shorter spans that begin at the same phone; the longest one at each phone represents them. Pairs of members that
   share time are listed (near_disc_subspans). With completion = minimal_paths, all pairs are listed (path_pairs).

   For example, with found_min_phones = 2, the longest partner of abcd is efg, with 3 phones. The longest spans in pairs are
   abc, bcd and cd. So ab, abc, bc, bcd and cd are in pairs, and abcd is not.

   tests/conformance/test_zerospeech2015_pairs.py compares the two. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{% if completion.value == "minimal_paths" %}
SELECT file, phone, size FROM {{ path_spans }}
{% else %}
WITH in_members AS MATERIALIZED (
    SELECT file, first_phone + before AS phone, max(least(span_size - before, partner_size)) AS longest
    FROM {{ subspans.starts("(FROM " ~ longest_partners ~ " WHERE partner_size IS NOT NULL)") }}
    GROUP BY ALL
),
touching AS MATERIALIZED (
    SELECT file, phone, max(size) AS longest_touching
    FROM (SELECT unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size FROM {{ near_disc_subspans }})
    GROUP BY ALL
)
SELECT file, phone, unnest({{ subspans.sizes("greatest(longest, longest_touching)") }}) AS size
FROM in_members
FULL JOIN touching USING (file, phone)
{% endif %}

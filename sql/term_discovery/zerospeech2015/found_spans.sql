{# The spans that are in a pair of P_disc*, flat(P_disc*).

   By definition, the pairs are listed and their spans collected (pairs/pairs_star.sql). But for members that share no
   time, a sub-span of n phones has an aligned sub-span in every other member of n phones or more: the shorter
   transcription slides along the whole longer one. So a sub-span is found when the longest partner of its member
   (longest_partners) has at least its n phones. And if a span is found, so are the shorter spans with the same first
   phone, so that for each first phone the longest found span represents all. Pairs of members that share time are
   listed (near_disc_subspans).

   Example with min_phones = 2: the longest partner of abcd is efg, 3 phones. The longest found spans are abc at a, bcd
   at b and cd at c. All found spans of abcd are ab, abc, bc, bcd and cd, but not abcd.

   tests/conformance/test_zerospeech2015_pairs.py compares the two. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
WITH in_members AS MATERIALIZED (
    SELECT {{ scope }}file, first_phone + before AS phone, max(least(span_size - before, partner_size)) AS longest
    FROM {{ subspans.starts("(FROM " ~ longest_partners ~ " WHERE partner_size IS NOT NULL)") }}
    GROUP BY ALL
),
touching AS MATERIALIZED (
    SELECT {{ scope }}file, phone, max(size) AS longest_touching
    FROM (SELECT {{ scope }}unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size FROM {{ near_disc_subspans }})
    GROUP BY ALL
)
SELECT {{ scope }}file, phone, unnest({{ subspans.sizes("greatest(longest, longest_touching)") }}) AS size
FROM in_members
FULL JOIN touching USING ({{ scope }}file, phone)

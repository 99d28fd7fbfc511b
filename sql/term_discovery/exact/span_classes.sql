{# The classes of sub-spans, with `partners`, the number of sub-spans of the group that are aligned with a sub-span of
   the class. A class is a group, a size, a number of phones before and a number of phones after the sub-span in its
   member. `pool` numbers the combinations of group and size: only classes of one pool can be aligned.

   By definition the aligned sub-spans are listed (pairs/pairs_star.sql). But whether two sub-spans are aligned depends
   on their classes alone (disc_subspans), so that it is enough to count for each class and each length of a member. Let
   m = before + size + after be the length of the sub-span's member. A member of n ≥ m phones has one aligned sub-span
   for each of its n − m + 1 offsets. A member of n < m phones, n ≥ size, has min(before, n − size) − max(0, n − size −
   after) + 1. The sum includes the sub-span itself, which is subtracted.

   Example: in the group of abcd and efg, the sub-span ab has 0 phones before and 2 after it. In efg, n − size = 1, it
   has min(0, 1) − max(0, 1 − 2) + 1 = 1 partner, ef. The sub-span bc has min(1, 1) − max(0, 1 − 1) + 1 = 2 partners, ef
   and fg. The sub-span ef has 4 − 3 + 1 = 2 partners in abcd, ab and bc.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, matching_types, with the definition. #}
WITH lengths AS (
    SELECT {{ scope }}cluster, pair_talker, span_size, count(*) AS spans
    FROM (SELECT DISTINCT {{ scope }}cluster, pair_talker, file, first_phone, span_size FROM {{ longest_partners }})
    GROUP BY ALL
),
classes AS (
    SELECT DISTINCT {{ scope }}cluster, pair_talker, size, before, after FROM {{ disc_subspans }}
),
counted AS (
    SELECT classes.*, sum(spans * if(span_size >= before + size + after, span_size - (before + size + after),
        least(before, span_size - size) - greatest(0, span_size - size - after)) + spans) - 1 AS partners
    FROM classes
    JOIN lengths USING ({{ scope }}cluster, pair_talker)
    WHERE span_size >= size
    GROUP BY ALL
)
SELECT *, row_number() OVER () AS class, dense_rank() OVER (ORDER BY {{ scope }}cluster, pair_talker, size) AS pool
FROM counted

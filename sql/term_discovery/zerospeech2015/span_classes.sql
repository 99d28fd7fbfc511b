{# The classes of sub-spans, with the number of `partners` of a sub-span of the class: the sub-spans of the cluster that
   are aligned with it (see disc_subspans). A class is a cluster, a size, and the numbers of phones before and after the
   sub-span in its member. `size_group` numbers the pairs of cluster and size; only classes of one size group can be
   aligned.

   By definition, the aligned sub-spans are listed (pairs/pairs_star.sql). But whether two sub-spans are aligned depends
   only on their classes, so it is enough to count once per class and length of a member. Let m = before + size + after
   be the length of the member that the sub-span is in. A member of n ≥ m phones has one aligned sub-span for each of
   its n − m + 1 offsets. A member of n < m phones, n ≥ size, has min(before, n − size) − max(0, n − size − after) + 1
   of them. The sum over members includes the sub-span itself, so 1 is subtracted. Members with the same phones count
   once, because a sub-span is identified by its phones.

   For example, a cluster has abcd and efg. The sub-span ab has 0 phones before and 2 after it. In efg, with n − size =
   1, it has min(0, 1) − max(0, 1 − 2) + 1 = 1 partner, ef. The sub-span bc has min(1, 1) − max(0, 1 − 1) + 1 = 2
   partners, ef and fg. The sub-span ef has 4 − 3 + 1 = 2 partners in abcd, ab and bc.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, matching_types, with the enumerated form. #}
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
SELECT *, row_number() OVER () AS class, dense_rank() OVER (ORDER BY {{ scope }}cluster, pair_talker, size) AS size_group
FROM counted

{# The classes of sub-spans, with the number of `partners` of a sub-span of the class: the sub-spans of the cluster that
   are aligned with it (see disc_subspans). A class is a cluster, a size, and the numbers of phones before and after the
   sub-span in its member. `size_group` numbers the pairs of cluster and size; only classes of one size group can be
   aligned.

   By definition, the aligned sub-spans are listed (pairs/pairs_star.sql). But whether two sub-spans are aligned depends
   only on their classes, so it is enough to count once per class and length of a member (member_lengths). Let m = before +
   size + after be the length of the member that the sub-span is in. A member of n ≥ m phones has one aligned sub-span for
   each of its n − m + 1 offsets. A member of n < m phones, n ≥ size, has min(before, n − size) − max(0, n − size − after) + 1
   of them. The sum over members includes the sub-span itself, so 1 is subtracted. Members with the same phones count
   once, because a sub-span is identified by its phones.

   For example, a cluster has abcd and efg. The sub-span ab has 0 phones before and 2 after it. In efg, with n − size =
   1, it has min(0, 1) − max(0, 1 − 2) + 1 = 1 partner, ef. The sub-span bc has min(1, 1) − max(0, 1 − 1) + 1 = 2
   partners, ef and fg. The sub-span ef has 4 − 3 + 1 = 2 partners in abcd, ab and bc.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, matching_types, with the enumerated form. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
WITH lengths AS (
    SELECT {{ scope }}cluster, pair_talker, list({span_size: span_size, spans: spans}) AS lengths
    FROM {{ member_lengths }}
    GROUP BY ALL
),
classes AS (
    SELECT *, span_size - size - before AS after
    FROM (
        SELECT *, unnest(range(0, span_size - size + 1)) AS before
        FROM (
            SELECT *, unnest({{ subspans.sizes("span_size") }}) AS size
            FROM {{ member_lengths }}
            JOIN lengths USING ({{ scope }}cluster, pair_talker)
        )
    )
)
SELECT {{ scope }}{{ subspans.class_number("first_class", "before", "size") }} AS class, first_group + size AS size_group, before, after,
    list_sum([
        other.spans * (if(other.span_size >= span_size, other.span_size - span_size,
            least(before, other.span_size - size) - greatest(0, other.span_size - size - after)) + 1)
        for other in lengths if other.span_size >= size
    ]) - 1 AS partners
FROM classes

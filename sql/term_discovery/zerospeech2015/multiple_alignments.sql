{# The ordered pairs of signatures (recounted_spans) whose sub-spans are aligned in more than one way. A signature is also
   paired with itself. `ways` is the number of pairs of a class of the first and a class of the second signature that
   are aligned.

   By definition, P_disc* is a set that contains a pair of sub-spans once (pairs/pairs_star.sql). A sum over classes
   counts the pair once per way, and matching_types subtracts the surplus. For example, the spans ab at 2.0 s and ab at
   3.0 s are members of both cluster 2 and cluster 3. Each has two classes, and the two spans are aligned in both
   clusters: `ways` is 2.

   Not all signatures are compared. More than one way is possible only if the two signatures have two size groups
   (recounted_subspans) in common, or if one of them has two classes of one size group. Equality joins find these candidates,
   and only their ways are counted.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, matching_types, with the enumerated form. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
WITH signatures AS (
    SELECT signature, any_value(classes) AS classes FROM {{ recounted_spans }} GROUP BY ALL
),
members AS (
    SELECT signature, repeated, class, size_group, before, after
    FROM (SELECT signature, len(classes) > 1 AS repeated, unnest(classes) AS class FROM signatures)
    JOIN (SELECT DISTINCT class, size_group, before, after FROM {{ recounted_subspans }}) USING (class)
),
group_pairs AS (
    SELECT signature, a.size_group, a.before, a.after, b.size_group AS other_size_group, b.before AS other_before, b.after AS other_after
    FROM (FROM members WHERE repeated) AS a
    JOIN (FROM members WHERE repeated) AS b USING (signature)
    WHERE a.size_group < b.size_group
),
one_group AS (
    SELECT a.signature AS one, b.signature AS other
    FROM (SELECT signature, size_group FROM members WHERE repeated GROUP BY ALL HAVING count(*) > 1) AS a
    JOIN members AS b USING (size_group)
),
candidates AS (
    SELECT a.signature AS signature_a, b.signature AS signature_b
    FROM group_pairs AS a
    JOIN group_pairs AS b USING (size_group, other_size_group)
    WHERE {{ subspans.aligned("a.before", "a.after", "b.before", "b.after") }}
        AND {{ subspans.aligned("a.other_before", "a.other_after", "b.other_before", "b.other_after") }}
    UNION
    SELECT one, other FROM one_group
    UNION
    SELECT other, one FROM one_group
)
SELECT signature_a, signature_b, count(*) AS ways
FROM candidates
JOIN members AS a ON a.signature = signature_a
JOIN members AS b ON b.signature = signature_b AND b.size_group = a.size_group
WHERE {{ subspans.aligned("a.before", "a.after", "b.before", "b.after") }}
GROUP BY ALL
HAVING count(*) > 1

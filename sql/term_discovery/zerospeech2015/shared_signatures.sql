{# The ordered pairs of signatures (fragment_signatures) that have k ≥ 2 clusters in common, with the surplus k − 1. A
   signature is also paired with itself. A sum over clusters counts a pair of fragments with such signatures k times,
   but P_clus is a set and contains it once.

   For example, a fragment in the clusters {1, 2} and a fragment in {1, 2, 3} have two clusters in common: surplus 1.
   Two fragments in {1, 2, 3} have three: surplus 2.

   By definition, all signatures are compared. Here an equality join on pairs of clusters finds the signatures with at
   least two clusters in common. The enumerated form of the pairs is pairs/pairs_clus.sql;
   tests/conformance/test_zerospeech2015_pairs.py compares the results, disc_pairs and grouping_fragments, with it. #}
WITH multiple AS (
    SELECT DISTINCT signature, classes FROM {{ fragment_signatures }} WHERE len(classes) > 1
),
members AS (
    SELECT signature, unnest(classes) AS class FROM multiple
),
class_pairs AS (
    SELECT signature, a.class AS lower, b.class AS upper
    FROM members AS a JOIN members AS b USING (signature)
    WHERE a.class < b.class
),
sharing AS (
    SELECT DISTINCT a.signature AS signature_a, b.signature AS signature_b
    FROM class_pairs AS a JOIN class_pairs AS b USING (lower, upper)
)
SELECT signature_a, signature_b, count(*) - 1 AS surplus
FROM sharing
JOIN members AS a ON a.signature = signature_a
JOIN members AS b ON b.signature = signature_b AND b.class = a.class
GROUP BY ALL

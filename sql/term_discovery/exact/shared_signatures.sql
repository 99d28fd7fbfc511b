{# The ordered pairs of signatures that have k ≥ 2 groups in common, also of a signature with itself, with the surplus k
   − 1. Counting pairs of fragments group by group counts such a pair k times, and P_clus contains it once.

   Fragments in the groups {1, 2} and fragments in the groups {1, 2, 3} have two groups in common: surplus 1. Two
   fragments that are both in {1, 2, 3}: surplus 2.

   The naive way compares all signatures with each other. Here only signatures with a pair of groups in common are
   compared, found by an equality join. Used by disc_pairs (through surplus_pairs) and grouping_fragments; the
   definition is pairs/pairs_clus.sql. #}
WITH multiple AS (
    SELECT DISTINCT {{ scope }}signature, classes FROM {{ fragment_signatures }} WHERE len(classes) > 1
),
members AS (
    SELECT {{ scope }}signature, unnest(classes) AS class FROM multiple
),
class_pairs AS (
    SELECT a.signature, a.class AS lower, b.class AS upper FROM members AS a JOIN members AS b USING (signature) WHERE a.class < b.class
),
sharing AS (
    SELECT DISTINCT a.signature AS signature_a, b.signature AS signature_b FROM class_pairs AS a JOIN class_pairs AS b USING (lower, upper)
)
SELECT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}signature_a, signature_b, count(*) - 1 AS surplus
FROM sharing
JOIN members AS a ON a.signature = signature_a
JOIN members AS b ON b.signature = signature_b AND b.class = a.class
GROUP BY ALL

{# The ordered pairs of signatures whose sub-spans are aligned in more than one way, also of a signature with itself.
   `times` is the number of ways: the number of pairs of a class of the one and a class of the other that are aligned.

   By definition P_disc* is a set, in which a pair of sub-spans occurs once (pairs/pairs_star.sql). Counting by classes
   counts it `times` times; matching_types subtracts the surplus. Example: the spans ab at 2.0 s and ab at 3.0 s are
   both whole members of cluster 2 and of cluster 3. Each has two classes, and the two spans are aligned in both
   clusters: times = 2.

   The naive way compares all signatures. More than one way needs either two pools in common, or two classes of one pool
   on one side. The candidates are found by equality joins on these, and only their ways are counted.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, matching_types, with the definition. #}
{% import "term_discovery/exact/subspans.jinja" as subspans with context %}
WITH signatures AS (
    SELECT {{ scope }}signature, any_value(classes) AS classes FROM {{ disc_spans }} GROUP BY ALL
),
members AS (
    SELECT {{ scope }}signature, repeated, class, pool, before, after
    FROM (SELECT {{ scope }}signature, len(classes) > 1 AS repeated, unnest(classes) AS class FROM signatures)
    JOIN (SELECT class, pool, before, after FROM {{ span_classes }}) USING (class)
),
pool_pairs AS (
    SELECT a.signature, a.pool, a.before, a.after, b.pool AS other_pool, b.before AS other_before, b.after AS other_after
    FROM (FROM members WHERE repeated) AS a
    JOIN (FROM members WHERE repeated) AS b USING (signature)
    WHERE a.pool < b.pool
),
one_pool AS (
    SELECT a.signature AS one, b.signature AS other
    FROM (SELECT signature, pool FROM members WHERE repeated GROUP BY ALL HAVING count(*) > 1) AS a
    JOIN members AS b USING (pool)
),
candidates AS (
    SELECT a.signature AS signature_a, b.signature AS signature_b
    FROM pool_pairs AS a
    JOIN pool_pairs AS b USING (pool, other_pool)
    WHERE {{ subspans.meet("a.before", "a.after", "b.before", "b.after") }}
        AND {{ subspans.meet("a.other_before", "a.other_after", "b.other_before", "b.other_after") }}
    UNION
    SELECT one, other FROM one_pool
    UNION
    SELECT other, one FROM one_pool
)
SELECT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}signature_a, signature_b, count(*) AS times
FROM candidates
JOIN members AS a ON a.signature = signature_a
JOIN members AS b ON b.signature = signature_b AND b.pool = a.pool
WHERE {{ subspans.meet("a.before", "a.after", "b.before", "b.after") }}
GROUP BY ALL
HAVING count(*) > 1

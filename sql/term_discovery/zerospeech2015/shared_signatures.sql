{# The signatures that have several groups in common, in both orders and with themselves, and how many groups more than
   one: so often too many is a pair of their fragments counted when groups are. #}
WITH several AS (
    SELECT DISTINCT {{ scope }}signature, classes FROM {{ fragment_signatures }} WHERE len(classes) > 1
),
members AS (
    SELECT {{ scope }}signature, unnest(classes) AS class FROM several
),
twos AS (
    SELECT a.signature, a.class AS lower, b.class AS upper FROM members AS a JOIN members AS b USING (signature) WHERE a.class < b.class
),
sharing AS (
    SELECT DISTINCT a.signature AS signature_a, b.signature AS signature_b FROM twos AS a JOIN twos AS b USING (lower, upper)
)
SELECT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}signature_a, signature_b, count(*) - 1 AS surplus
FROM sharing
JOIN members AS a ON a.signature = signature_a
JOIN members AS b ON b.signature = signature_b AND b.class = a.class
GROUP BY ALL

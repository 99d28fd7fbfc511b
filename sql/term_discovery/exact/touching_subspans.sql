{# The pairs of sub-spans of touching pairs, one by one: on every diagonal, of every size, without a span with itself. #}
WITH sizes AS (
    SELECT *, last_a - first_a + 1 AS size_a, last_b - first_b + 1 AS size_b FROM {{ near_pairs }} WHERE NOT overlap AND first_a <= last_a AND first_b <= last_b
),
cut AS (
    SELECT *, unnest(range({{ min_phones }}, least(size_a, size_b, {{ max_phones }}) + 1)) AS size FROM sizes
),
placed AS (
    SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
    FROM (SELECT *, unnest(range(0, size_a - size + 1)) AS before_a FROM cut)
)
SELECT {{ scope }}talker, file, first_a + before_a AS phone_a, first_b + before_b AS phone_b, size
FROM placed
WHERE first_a + before_a <> first_b + before_b
    AND (before_a <= before_b AND size_a - before_a <= size_b - before_b
        OR before_a >= before_b AND size_a - before_a >= size_b - before_b)

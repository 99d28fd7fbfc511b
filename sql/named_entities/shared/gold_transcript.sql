{# The rows of the reference, numbered in their order. #}
SELECT * REPLACE (row_number() OVER (ORDER BY line, number) AS line, NULL::BIGINT AS number) FROM {{ reference }}

{# The numbers of the queries that have targets. #}
SELECT query, place AS query_place
FROM {{ scored_queries }}
WHERE targets > 0

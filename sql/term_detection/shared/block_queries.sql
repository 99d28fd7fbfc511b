{# The queries that are blocks of their own. #}
SELECT DISTINCT block, block AS query
FROM {{ scored_queries }}

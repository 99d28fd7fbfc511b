{# The queries, each with its number of words and its number of targets. #}
SELECT query, len(words) AS length, coalesce(frequency, 0) AS frequency
FROM {{ query_texts }}
LEFT JOIN (
    SELECT query, count(*) AS frequency
    FROM {{ targets }}
    GROUP BY ALL
) USING (query)

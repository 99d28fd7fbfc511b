{# The queries, each with its number of words and its number of targets. #}
SELECT {{ scope }}query, len(words) AS length, coalesce(frequency, 0) AS frequency
FROM {{ query_texts }}
LEFT JOIN (
    SELECT {{ shared(targets) }}query, count(*) AS frequency
    FROM {{ targets }}
    GROUP BY ALL
) USING ({{ shared(targets) }}query)

{# Each word with the number of pairs of answers that are it. #}
SELECT said AS word, count(*) * (count(*) - 1) // 2 AS pairs
FROM {{ answers }}
WHERE said IS NOT NULL
GROUP BY ALL

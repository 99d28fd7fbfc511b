{# The scored queries, each with its numbers of detections, hits, misses, false alarms and correct rejections.
   `unordered`: the highest score with NO is at least the lowest score with YES, so that no threshold on the scores of
   the query gives the decisions. #}
WITH counted AS (
    SELECT query, count(*) AS detections, count_if(target) AS aligned, count_if(outcome = 'hit') AS hits,
        count_if(outcome = 'false_alarm') AS false_alarms, count_if(outcome = 'correct_rejection') AS correct_rejections,
        max(score) FILTER (WHERE NOT accepted) >= min(score) FILTER (WHERE accepted) AS unordered
    FROM {{ scored_detections }}
    GROUP BY ALL
)
SELECT query_.*,
    coalesce(detections, 0) AS detections, coalesce(aligned, 0) AS aligned, coalesce(hits, 0) AS hits,
    targets - coalesce(hits, 0) AS misses, coalesce(false_alarms, 0) AS false_alarms,
    coalesce(correct_rejections, 0) AS correct_rejections, coalesce(unordered, false) AS unordered
FROM {{ scored_queries }} AS query_
LEFT JOIN counted USING (query)

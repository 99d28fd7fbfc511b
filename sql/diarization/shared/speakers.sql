{# Speakers are numbered by name, because the mapping of speakers works with numbers. #}
SELECT side, doc, speaker, row_number() OVER (PARTITION BY side, doc ORDER BY speaker) AS number,
    sum(duration)::BIGINT AS evaluated_time, sum(if(scored, duration, 0))::BIGINT AS scored_time
FROM {{ speech }}
JOIN {{ segments }} USING (doc, segment)
GROUP BY side, doc, speaker

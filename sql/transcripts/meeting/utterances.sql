{# The utterances of both texts: the segments of each stream. #}
{% import "transcripts/meeting/words.jinja" as meeting with context %}
SELECT side, document, stream, dense_rank() OVER (PARTITION BY side, document ORDER BY stream) - 1 AS stream_number, segment,
    row_number() OVER (PARTITION BY side, document ORDER BY number, stream) - 1 AS segment_number,
    onset, "offset", line
FROM (
    SELECT side, document, {{ meeting.stream() }} AS stream, segment, min(segment_onset) AS onset,
        max(segment_offset) AS "offset", min(line) AS line, min(coalesce(number, line)) AS number
    FROM (SELECT 0 AS side, * FROM {{ reference_tokens }} UNION ALL BY NAME SELECT 1 AS side, * FROM {{ hypothesis_tokens }})
    GROUP BY ALL
)

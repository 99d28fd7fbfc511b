{# A speaker whose turns have no frame is a speaker, too. #}
SELECT side, doc, speaker, row_number() OVER (PARTITION BY side, doc ORDER BY speaker) AS number,
    coalesce(sum(frames), 0)::BIGINT AS frames
FROM (SELECT DISTINCT side, doc, speaker FROM {{ frame_turns }})
LEFT JOIN {{ frame_speech }} USING (side, doc, speaker)
GROUP BY side, doc, speaker
HAVING side = 'hypothesis' OR coalesce(sum(frames), 0) >= trunc({{ min_speech }} / {{ step }})

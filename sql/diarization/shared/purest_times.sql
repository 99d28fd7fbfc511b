{# A speaker who shares no time with the other side has a largest share of 0. #}
WITH shared AS (
    SELECT doc, unnest(['reference', 'hypothesis']) AS side, unnest([reference_speaker, hypothesis_speaker]) AS speaker,
        evaluated_time AS shared_time
    FROM {{ pair_times }}
)
SELECT side, doc, speaker, speaker_.evaluated_time, coalesce(max(shared_time), 0) AS largest_shared
FROM {{ speakers }} AS speaker_
LEFT JOIN shared USING (doc, side, speaker)
GROUP BY ALL

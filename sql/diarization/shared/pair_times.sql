{# Time of overlapping turns of one speaker counts for each of them in `mapping_time`, as in pyannote.metrics. #}
SELECT doc, reference_speaker, hypothesis_speaker,
    sum({{ "if(scored, duration * pairs, 0)" if mapping_time.value == "scored" else "duration * pairs" }})::BIGINT AS mapping_time,
    sum(if(scored, duration * correct, 0))::BIGINT AS correct_time,
    sum(if(scored, duration, 0))::BIGINT AS scored_time, sum(duration)::BIGINT AS evaluated_time
FROM {{ shared_speech }}
JOIN {{ segments }} USING (doc, segment)
GROUP BY ALL

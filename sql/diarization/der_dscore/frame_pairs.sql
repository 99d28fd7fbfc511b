{# Every reference speaker is paired with every hypothesis speaker of the recording, as the mapping needs all pairs. Two
   speakers without a frame have the Jaccard error 0, so that the reference has no error if it is the hypothesis. (dscore
   ends with an error.) #}
WITH shared AS (
    SELECT doc, reference_.speaker AS reference_speaker, hypothesis_.speaker AS hypothesis_speaker,
        sum(reference_.frames)::BIGINT AS shared_frames
    FROM (FROM {{ frame_speech }} WHERE side = 'reference') AS reference_
    JOIN (FROM {{ frame_speech }} WHERE side = 'hypothesis') AS hypothesis_ USING (doc, segment)
    GROUP BY ALL
)
SELECT reference_.doc, reference_.number AS left_row, hypothesis_.number AS right_row,
    coalesce(shared_.shared_frames, 0) AS shared_frames,
    coalesce(jaccard_error(reference_.frames, hypothesis_.frames, coalesce(shared_.shared_frames, 0)), 0) AS jaccard_error
FROM (FROM {{ frame_speakers }} WHERE side = 'reference') AS reference_
JOIN (FROM {{ frame_speakers }} WHERE side = 'hypothesis') AS hypothesis_ USING (doc)
LEFT JOIN shared AS shared_ ON shared_.doc = reference_.doc AND reference_speaker = reference_.speaker
    AND hypothesis_speaker = hypothesis_.speaker

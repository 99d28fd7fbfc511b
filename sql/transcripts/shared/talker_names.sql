{# The speakers of segments, with what is doubtful about them if documents are named after utterances, as in TRN and the text
   of Kaldi: all utterances have one speaker or, where it is unknown, one document; or no two have the same. Fewer than 6
   utterances have no intervals, whoever speaks. #}
SELECT document, segment, speaker AS talker, cut AND row_number() OVER (PARTITION BY cut ORDER BY document, segment) = 1 AS example,
    CASE WHEN segments < 6 OR NOT all_named_after THEN 'none' WHEN units = 1 THEN 'one' WHEN units = segments THEN 'each' ELSE 'none' END AS doubt
FROM {{ segment_speakers }}
CROSS JOIN (
    SELECT count(*) AS segments, bool_and(named_after) AS all_named_after, count(DISTINCT coalesce(speaker, document)) AS units
    FROM {{ segment_speakers }}
)

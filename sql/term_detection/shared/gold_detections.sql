{# The occurrences as detections, and one rejected detection at the place of the first occurrence. Only the detection
   with the higher score can be aligned with that occurrence. As log-likelihood ratios, scores of ±100 leave a cross
   entropy of 0 for any usual prior. #}
WITH occurrences_in_audio AS (
    SELECT query, doc, channel, onset_s AS tbeg, greatest(offset_s - onset_s, 0) AS dur FROM {{ targets }}
),
first_occurrence AS (
    FROM occurrences_in_audio ORDER BY query, doc, channel, tbeg, dur LIMIT 1
)
SELECT *, 100e0 AS score, 'YES' AS decision FROM occurrences_in_audio
UNION ALL
SELECT *, -100e0 AS score, 'NO' AS decision FROM first_occurrence

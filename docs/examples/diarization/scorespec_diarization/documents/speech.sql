{# A speaker with overlapping turns speaks once. #}
SELECT DISTINCT doc, segment_.onset, duration, side, speaker
FROM {{ segments }} AS segment_
JOIN {{ turns }} AS turn_ USING (doc)
WHERE turn_.onset <= segment_.onset AND segment_.onset < turn_."offset"

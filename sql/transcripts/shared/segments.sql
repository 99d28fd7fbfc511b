{# The segments of the reference, numbered from 0 in the order of their document. A document without segments is one
   segment with the name ''. `ignored`: the segment has the token `ignored_text`, in capital or small letters, with or
   without its underscores, and is not scored. #}
SELECT document, segment, segment_number, onset, "offset", coalesce(speaker, '') AS speaker, coalesce(last_speaker, '') AS last_speaker,
    channel, named, ignored, line
FROM (
    SELECT document, coalesce(segment, '') AS segment,
        row_number() OVER (PARTITION BY document ORDER BY min(coalesce(number, line))) - 1 AS segment_number,
        min(segment_onset) AS onset, max(segment_offset) AS "offset", min(channel) AS channel, count(segment) > 0 AS named,
        bool_or(coalesce(upper(token) IN (upper({{ ignored_text }}), replace(upper({{ ignored_text }}), '_', '')), false)) AS ignored,
        min(line) AS line
    FROM {{ reference }}
    GROUP BY document, coalesce(segment, '')
)
JOIN {{ segment_speakers }} USING (document, segment)

{# The segments of the reference, numbered from 0 in the order of their document. A document without segments is one
   segment with the name ''. `ignored`: the segment has the token `ignored_text`, in capital or small letters, with or
   without its underscores, and is not scored.

   The speaker is the first that is known: of the input `metadata`; by the parameter `speaker_pattern`, in the name of the
   segment or else of the document; of the reference; and the document, if it is the beginning of the name of its segments
   (`named_after`), and at least two such documents have at least two segments. Fewer than 6 segments have no intervals, so
   that their speakers are not in doubt. #}
WITH named AS (
    SELECT *, coalesce(nullif(regexp_extract(segment, {{ speaker_pattern }}, 1), ''),
            nullif(regexp_extract(document, {{ speaker_pattern }}, 1), '')) AS matched_speaker,
        starts_with(segment, document) AND substr(segment, length(document) + 1, 1) IN ('', '-', '_') AS named_after
    FROM (
        SELECT document, coalesce(segment, '') AS segment,
            row_number() OVER (PARTITION BY document ORDER BY min(coalesce(number, line))) - 1 AS segment_number,
            min(segment_onset) AS onset, max(segment_offset) AS "offset", min(channel) AS channel, count(segment) > 0 AS named,
            bool_or(coalesce(upper(token) IN (upper({{ ignored_text }}), replace(upper({{ ignored_text }}), '_', '')), false)) AS ignored,
            min(speaker) AS first_speaker, max(speaker) AS last_speaker, min(line) AS line
        FROM {{ reference_tokens }}
        GROUP BY document, coalesce(segment, '')
    )
),
spoken AS (
    SELECT named.*, coalesce(metadata_.speaker, matched_speaker, first_speaker) AS known_speaker,
        if(named_after AND 1 < (
            SELECT count(*)
            FROM (SELECT document FROM named WHERE named_after AND first_speaker IS NULL GROUP BY ALL HAVING count(*) > 1)
        ), named.document, NULL) AS name_speaker
    FROM named
    LEFT JOIN {{ metadata }} AS metadata_
        ON metadata_.document = if(named_after AND named.document NOT IN (SELECT document FROM {{ metadata }}), segment, named.document)
)
SELECT document, segment, segment_number, onset, "offset", coalesce(known_speaker, name_speaker, '') AS speaker, first_speaker,
    last_speaker, channel, named, ignored, line, known_speaker IS NULL AND name_speaker IS NOT NULL
        AND row_number() OVER (PARTITION BY known_speaker IS NULL AND name_speaker IS NOT NULL ORDER BY document, segment) = 1 AS example,
    CASE WHEN {{ speaker_pattern }} <> '' AND matched = 0 THEN 'unmatched' WHEN segments < 6 OR NOT all_named_after THEN 'none' WHEN units = 1 THEN 'one' WHEN units = segments THEN 'each' ELSE 'none' END AS doubt
FROM spoken
CROSS JOIN (
    SELECT count(*) AS segments, count(matched_speaker) AS matched, bool_and(named_after) AS all_named_after,
        count(DISTINCT coalesce(known_speaker, name_speaker, document)) AS units
    FROM spoken
)

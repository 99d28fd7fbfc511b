{# How the documents and segments of the two texts fit, where they do not simply have the same names. `kind`:
   fault        a document or segment is in only one of the texts, or cannot be aligned; then nothing is aligned
   missing      the hypothesis lacks a document or segment, whose words count as deletions (missing = deletions)
   extra        the reference lacks a document or segment, which is left out (extra = ignore)
   recording    the document of a segment of the hypothesis is named after the segment, as `ann` after `ann-1` in the text of
                Kaldi; one document of the reference has the segment
   by time      the segments of the document only have numbers and, by their times, are others in the two texts: there are
                more in one, or less than half of a hypothesis segment is in the reference segment with its number. Words are
                assigned to segments by time
   backwards    words of the document begin before the word above them; their order is kept
   respelt      a token is not written in the form of Unicode in which words are compared (unicode_form) #}
{% from "transcripts/shared/spellings.jinja" import form with context %}
{% import "transcripts/shared/words.jinja" as words with context %}
{% set kind_of_missing = "missing" if missing.value == "deletions" else "fault" %}
{% set kind_of_extra = "extra" if extra.value == "ignore" else "fault" %}
{% set left_out = "; extra=ignore leaves it out" %}
{% set numbered_hint = " (if the texts have no names but only numbers, give them names: those after a missing text are shifted)" %}
{% set hint = "; with missing=deletions, its words count as deletions" %}
WITH recordings AS (
    SELECT stray_.document, segment, min(segment_.document) AS recording, 'recording' AS kind
    FROM (
        SELECT DISTINCT document, segment
        FROM {{ named_tokens }}
        WHERE document NOT IN (SELECT document FROM {{ segments }})
            AND starts_with(segment, document) AND substr(segment, length(document) + 1, 1) IN ('', '-', '_')
    ) AS stray_
    JOIN {{ segments }} AS segment_ USING (segment)
    GROUP BY ALL
    HAVING count(*) = 1
),
tokens AS NOT MATERIALIZED (
    SELECT 'reference' AS side, * FROM {{ reference_tokens }}
    UNION ALL BY NAME
    SELECT 'hypothesis' AS side, * FROM {{ words.in_recordings(named_tokens, "recordings") | indent(4) }}
    UNION ALL BY NAME  -- texts of meetings have no alternations
    (SELECT NULL::BIGINT AS alternation, NULL::BIGINT AS branch, NULL::BOOLEAN AS attached LIMIT 0)
),
hypothesis_segments AS (
    SELECT document, coalesce(segment, '') AS segment, min(line) AS line, count(segment) > 0 AS named, min(channel) AS channel,
        row_number() OVER (PARTITION BY document ORDER BY min(coalesce(number, line))) - 1 AS segment_number,
        {{ "true" if times.given and scored_input.value == "hypothesis" else "bool_or(onset IS NOT NULL)" }} AS timed,
        coalesce(min(segment_onset), min(onset)) AS begin, coalesce(max(segment_offset), max(onset + duration)) AS "end"
    FROM tokens
    WHERE side = 'hypothesis'
    GROUP BY document, coalesce(segment, '')
),
pairs AS (
    SELECT document, segment_number, coalesce(ref_.line, hyp_.line) AS line, ref_.line IS NULL OR hyp_.line IS NULL
            OR 2 * (least("offset", "end") - greatest(onset, begin)) < "end" - begin AS misfit,
        coalesce(ref_.segment = hyp_.segment, true) AND coalesce(ref_.segment, hyp_.segment) = (segment_number + 1)::VARCHAR
            AND (ref_.line IS NULL OR onset + "offset" IS NOT NULL) AND (hyp_.line IS NULL OR begin + "end" IS NOT NULL) AS numbered
    FROM {{ segments }} AS ref_
    FULL JOIN hypothesis_segments AS hyp_ USING (document, segment_number)
    WHERE document IN (SELECT document FROM {{ segments }}) AND document IN (SELECT document FROM hypothesis_segments)
),
by_time AS (
    SELECT document, min(line) AS line
    FROM pairs
    GROUP BY ALL
    HAVING bool_and(numbered) AND bool_or(misfit) AND {{ align_within }} = 'segment'
),
documents AS (
    SELECT document, ref_.line AS ref_line, hyp_.line AS hyp_line, ref_.named AS ref_named, hyp_.named AS hyp_named,
        ref_.timed AND hyp_.timed AS timed
    FROM (SELECT document, min(line) AS line, bool_or(named) AS named, bool_or("offset" IS NOT NULL) AS timed
        FROM {{ segments }} GROUP BY ALL) AS ref_
    FULL JOIN (SELECT document, min(line) AS line, bool_or(named) AS named, bool_or(timed) AS timed
        FROM hypothesis_segments GROUP BY ALL) AS hyp_ USING (document)
)
SELECT 'reference' AS side, document, ref_line AS line, '{{ kind_of_missing }}' AS kind,
    concat('document ', document, ' is not in the {{ scored_input.value }}', others, '{{ hint }}') AS fault
FROM documents, (
    SELECT ', which has ' || string_agg(document, ', ' ORDER BY hyp_line) FILTER (number <= 3) || if(count(*) > 3, ', …', '') AS others
    FROM (SELECT *, row_number() OVER (ORDER BY hyp_line, document) AS number FROM documents WHERE ref_line IS NULL))
WHERE hyp_line IS NULL{{ "" if scored_tokens.given else " AND false" }}
UNION ALL
SELECT 'hypothesis', document, hyp_line, '{{ kind_of_extra }}', concat('document ', document, ' is not in the reference', coalesce((
    SELECT concat(', but ', min(document), ' is; write the name in the same case, or set name_case=fold')
    FROM {{ segments }} AS other_
    WHERE lower(other_.document) = lower(documents.document)
    HAVING count(*) > 0), '{{ left_out }}'))
FROM documents
WHERE ref_line IS NULL
UNION ALL
SELECT side, document, min(line), 'backwards', concat(document, ' (', count(*), if(count(*) = 1, ' word', ' words'), ' of the ', side, ')')
FROM (
    SELECT side, document, line,
        onset < lag(onset) OVER (PARTITION BY side, document, lower(channel), alternation, branch ORDER BY coalesce(number, line)) AS backwards
    FROM tokens
    WHERE onset IS NOT NULL
)
WHERE backwards
GROUP BY side, document
UNION ALL
SELECT NULL, NULL, NULL, 'respelt', token
FROM (SELECT token FROM tokens UNION SELECT token FROM {{ times }})
WHERE token <> {{ form("token") }}
UNION ALL
SELECT side, document, min(line), 'fault', concat('an entity begins or ends inside of a word of document ', document,
    ', before ', arg_min(token, line), '; compare characters (compared=mixed), or separate words by blanks')
FROM tokens
WHERE attached AND {{ compared }} = 'words'
GROUP BY side, document
UNION ALL
SELECT 'hypothesis', document, line, 'by time', NULL FROM by_time
UNION ALL
SELECT 'hypothesis', document, hyp_line, 'fault', concat('document ', document, CASE
    WHEN hyp_named THEN ' has segments, but in the reference it has none; '
    ELSE concat(' is read without segments, but in the reference it has segments; give the times of the words in both texts, ',
        'or read the segments of JSON (::whisper_segments or ::service_segments), or ') END,
    'set align_within=document to align it as a whole')
FROM documents
WHERE {{ align_within }} = 'segment' AND (hyp_named AND NOT ref_named OR ref_named AND NOT hyp_named AND NOT timed)
UNION ALL
SELECT if(hyp_.line IS NULL, 'reference', 'hypothesis'), document, coalesce(ref_.line, hyp_.line),
    CASE WHEN hyp_.line IS NULL THEN '{{ kind_of_missing }}' WHEN ref_.line IS NULL THEN '{{ kind_of_extra }}' ELSE 'fault' END,
    concat('segment ', segment, ' of document ', document, CASE
        WHEN hyp_.line IS NULL THEN ' is not in the {{ scored_input.value }}{{ hint }}' ||
            if(segment = (ref_.segment_number + 1)::VARCHAR, '{{ numbered_hint }}', '')
        WHEN ref_.line IS NULL THEN ' is not in the reference{{ left_out }}'
        ELSE concat(' is of channel ', hyp_.channel, ', but in the reference of another channel; give the segments of both texts the same names') END)
FROM {{ segments }} AS ref_
FULL JOIN hypothesis_segments AS hyp_ USING (document, segment)
JOIN documents USING (document)
WHERE {{ align_within }} = 'segment' AND document NOT IN (SELECT document FROM by_time) AND (lower(ref_.channel) <> lower(hyp_.channel)
    OR ref_named AND hyp_named AND (ref_.line IS NULL OR (hyp_.line IS NULL AND NOT ignored)))
UNION ALL
{# The next two faults have the same cause: with align_within = document, the segment of a hypothesis word is not known. #}
SELECT 'reference', document, line, 'fault', concat('segment ', segment, ' of document ', document,
    ' is not scored, but with align_within=document the {{ scored_input.value }} words during it are not known; set align_within=segment')
FROM {{ segments }}
WHERE ignored AND {{ align_within }} = 'document'
UNION ALL
SELECT side, document, min(line), 'fault', concat('document ', document,
    ' has alternatives and several segments, but alternatives are chosen within a segment; set align_within=segment')
FROM tokens
WHERE alternation IS NOT NULL AND {{ align_within }} = 'document' AND document IN (SELECT document FROM {{ segments }} WHERE segment_number > 0)
GROUP BY side, document
{% for given, fault in (
    (not scored_tokens.given, "scored_input is " ~ scored_input.value ~ ", so give the input " ~ scored_input.value),
    (merge_compounds.value and compared.value == "characters",
        "merge_compounds=true needs words, but characters are compared; blanks=remove compares characters without blanks"),
    (merge_compounds.value and alignment.given and scored_input.value == "hypothesis",
        "merge_compounds=true needs an alignment that is computed; leave out the input alignment")) if given %}
UNION ALL
SELECT NULL, NULL, NULL, 'fault', '{{ fault }}'
{% endfor %}
UNION ALL BY NAME
FROM recordings

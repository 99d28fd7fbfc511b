{# The documents and segments that are in only one of the two files or that cannot be aligned, each with an error message.
   If there are any, nothing is aligned. With missing = deletions, what only the reference has is no fault; its `side` is
   'missing'. With extra = ignore, the `side` of what only the hypothesis has is 'extra'. #}
{% set side_of_missing = "'missing'" if missing.value == "deletions" else "'reference'" %}
{% set side_of_extra = "'extra'" if extra.value == "ignore" else "'hypothesis'" %}
{% set left_out = "; extra=ignore leaves it out" %}
{% set hint = "; with missing=deletions, its words count as deletions" %}
{% if not scored_tokens.given %}
SELECT NULL::VARCHAR AS side, NULL::VARCHAR AS document, NULL::BIGINT AS line, 'scored_input is {{ scored_input.value }}, so give the input {{ scored_input.value }}' AS fault
{% elif glm.given and normalize.value != "none" %}
SELECT NULL::VARCHAR AS side, NULL::VARCHAR AS document, NULL::BIGINT AS line, 'normalize={{ normalize.value }} and the input glm both rewrite the texts; give one of them' AS fault
{% else %}
WITH hypothesis_segments AS (
    SELECT document, coalesce(segment, '') AS segment, min(line) AS line, count(segment) > 0 AS named, min(channel) AS channel,
        {{ "true" if times.given and scored_input.value == "hypothesis" else "bool_or(onset IS NOT NULL)" }} AS timed
    FROM {{ named_tokens }}
    GROUP BY ALL
),
documents AS (
    SELECT document, ref_.line AS ref_line, hyp_.line AS hyp_line, ref_.named AS ref_named, hyp_.named AS hyp_named,
        ref_.timed AND hyp_.timed AS timed
    FROM (SELECT document, min(line) AS line, bool_or(named) AS named, bool_or("offset" IS NOT NULL) AS timed
        FROM {{ segments }} GROUP BY ALL) AS ref_
    FULL JOIN (SELECT document, min(line) AS line, bool_or(named) AS named, bool_or(timed) AS timed
        FROM hypothesis_segments GROUP BY ALL) AS hyp_ USING (document)
)
SELECT {{ side_of_missing }} AS side, document, ref_line AS line,
    concat('document ', document, ' is not in the {{ scored_input.value }}', others, '{{ hint }}') AS fault
FROM documents, (
    SELECT ', which has ' || string_agg(document, ', ' ORDER BY hyp_line) FILTER (number <= 3) || if(count(*) > 3, ', …', '') AS others
    FROM (SELECT *, row_number() OVER (ORDER BY hyp_line, document) AS number FROM documents WHERE ref_line IS NULL))
WHERE hyp_line IS NULL
UNION ALL
SELECT {{ side_of_extra }}, document, hyp_line, concat('document ', document, ' is not in the reference', coalesce((
    SELECT concat(', but ', min(document), ' is; write the name in the same case, or set name_case=fold')
    FROM {{ segments }} AS other_
    WHERE lower(other_.document) = lower(documents.document)
    HAVING count(*) > 0), '{{ left_out }}'))
FROM documents
WHERE ref_line IS NULL
{% if align_within.value == "segment" %}
UNION ALL
SELECT 'hypothesis', document, hyp_line, concat('document ', document, CASE
    WHEN hyp_named THEN ' has segments, but in the reference it has none; '
    ELSE ' has no segments, but in the reference it has segments; give the times of both texts, or ' END,
    'set align_within=document to align it as a whole')
FROM documents
WHERE (hyp_named AND NOT ref_named) OR (ref_named AND NOT hyp_named AND NOT timed)
UNION ALL
SELECT side, document, line, concat('segment ', segment, ' of document ', document, ' is not in the ',
    if(side = {{ side_of_extra }}, 'reference{{ left_out }}', '{{ scored_input.value }}{{ hint }}'))
FROM (
    SELECT if(hyp_.line IS NULL, {{ side_of_missing }}, {{ side_of_extra }}) AS side, coalesce(ref_.line, hyp_.line) AS line, segment, document
    FROM {{ segments }} AS ref_
    FULL JOIN hypothesis_segments AS hyp_ USING (document, segment)
    WHERE ref_.line IS NULL OR (hyp_.line IS NULL AND NOT ignored)
)
JOIN documents USING (document)
WHERE ref_named AND hyp_named
UNION ALL
SELECT 'hypothesis', document, hyp_.line, concat('segment ', segment, ' of document ', document, ' is of channel ', hyp_.channel,
    ', but in the reference of another channel; give the segments of both texts the same names')
FROM {{ segments }} AS ref_
JOIN hypothesis_segments AS hyp_ USING (document, segment)
WHERE lower(ref_.channel) <> lower(hyp_.channel)
{% else %}
{# Both faults have the same cause: with align_within = document, the segment of a hypothesis word is not known. #}
UNION ALL
SELECT 'reference', document, line, concat('segment ', segment, ' of document ', document,
    ' is not scored, but with align_within=document the {{ scored_input.value }} words during it are not known; set align_within=segment')
FROM {{ segments }}
WHERE ignored
{% for side, table in [("reference", reference), ("hypothesis", hypothesis_tokens)] %}
UNION ALL
SELECT '{{ side }}', document, min(line), concat('document ', document,
    ' has alternatives and several segments, but alternatives are chosen within a segment; set align_within=segment')
FROM {{ table }}
WHERE alternation IS NOT NULL AND document IN (SELECT document FROM {{ segments }} WHERE segment_number > 0)
GROUP BY document
{% endfor %}
{% endif %}
{% endif %}

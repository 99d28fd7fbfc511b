{# The documents that are in only one of the two texts, and what cannot be scored, each with an error message. If there are
   any but documents whose words count as deletions (missing=deletions) or are left out (extra=ignore), nothing is scored. #}
{% import "transcripts/meeting/words.jinja" as meeting with context %}
{% from "transcripts/shared/spellings.jinja" import form with context %}
{% set side_of_missing = "missing" if missing.value == "deletions" else "reference" %}
{% set side_of_extra = "extra" if extra.value == "ignore" else "hypothesis" %}
{% set texts = (
    ("reference", reference, hypothesis, side_of_missing, "hypothesis; with missing=deletions, its words count as deletions"),
    ("hypothesis", hypothesis, reference, side_of_extra, "reference; extra=ignore leaves it out")) %}
{% for side, table, other, side_of_lack, lacks in texts %}
SELECT '{{ side_of_lack }}' AS side, document, min(line) AS line, concat('document ', document, ' is not in the {{ lacks }}') AS fault
FROM {{ table }}
WHERE document NOT IN (SELECT document FROM {{ other }})
GROUP BY document
UNION ALL
SELECT '{{ side }}', document, min(line), concat('document ', document, ' has words without a speaker (', count(*),
    '); name the speaker or, in the hypothesis, the stream of each word')
FROM {{ table }}
WHERE {{ meeting.stream() }} IS NULL
GROUP BY document
UNION ALL
SELECT '{{ side }}', document, line, concat('document ', document,
    ' has the token of ignored_text here, but all segments of a meeting are scored; remove the segment from both texts')
FROM {{ table }}
WHERE upper(token) IN (upper({{ ignored_text }}), replace(upper({{ ignored_text }}), '_', ''))
UNION ALL
SELECT '{{ side }}', document, min(line), concat('document ', document, ' has a region in uem, and words without a time (', count(*), ')')
FROM {{ table }}
WHERE document IN (SELECT doc FROM {{ uem }})
    AND (coalesce(segment_onset, onset) IS NULL OR coalesce(segment_offset, onset + duration) IS NULL)
GROUP BY document
UNION ALL
{% endfor %}
SELECT 'respelt', NULL, NULL, token
FROM (SELECT token FROM {{ reference }} UNION SELECT token FROM {{ hypothesis }})
WHERE token <> {{ form("token") }}
UNION ALL
SELECT 'glm', NULL, line, concat('the replacement ', replacement, ' has alternatives, which are not possible in the suite meeting')
FROM {{ glm }}
WHERE contains(replacement, '{')
{% for given, fault in (
    (filler_treatment.value == "optional", "filler_treatment=optional is not possible in the suite meeting; set filler_treatment=remove"),
    (optional_words.value, "optional_words=true is not possible in the suite meeting, where every word counts")) if given %}
UNION ALL
SELECT NULL, NULL, NULL, '{{ fault }}'
{% endfor %}

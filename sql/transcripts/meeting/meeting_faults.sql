{# The documents that are in only one of the two texts, and what cannot be scored, each with an error message. If there are
   any but documents whose words count as deletions (missing=deletions), nothing is scored. #}
{% import "transcripts/meeting/words.jinja" as meeting with context %}
{% set texts = (("reference", reference, hypothesis), ("hypothesis", hypothesis, reference)) %}
{% for side, table, other in texts %}
SELECT '{{ 'missing' if side == 'reference' and missing.value == 'deletions' else side }}' AS side, document, min(line) AS line,
    concat('document ', document, ' is not in the {{ "hypothesis" if side == "reference" else "reference" }}') AS fault
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
WHERE token = {{ ignored_text }}
UNION ALL
{% endfor %}
SELECT 'glm', NULL, line, concat('the replacement ', replacement, ' has alternatives, which are not possible in the suite meeting')
FROM {{ glm }}
WHERE contains(replacement, '{')
{% for given, fault in (
    (filler_treatment.value == "optional", "filler_treatment=optional is not possible in the suite meeting; set filler_treatment=remove"),
    (optional_words.value, "optional_words=true is not possible in the suite meeting, where every word counts")) %}
{% if given %}
UNION ALL
SELECT NULL, NULL, NULL, '{{ fault }}'
{% endif %}
{% endfor %}

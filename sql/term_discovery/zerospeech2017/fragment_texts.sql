{# The distinct fragments that have a transcription, with their span of phones, their transcription as a string of
   codes, the onset of their first phone and the offset of their last phone. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{% set columns = ["file", "onset", "offset", "first_phone", "last_phone"] %}
WITH transcribed AS (
{{ spans.transcribed(fragment_spans, columns, phone_strings) | indent(4, true) }}
)
SELECT transcribed.*, last_."offset" AS last_offset
FROM transcribed
JOIN {{ phone_tokens }} AS last_
    ON last_.file = transcribed.file
    AND last_.phone = transcribed.last_phone

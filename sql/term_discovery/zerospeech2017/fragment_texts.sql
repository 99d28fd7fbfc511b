{# The fragments that have a transcription: T as a string of codes, and the times of the phones at its edges. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{% set columns = scope_columns + ["file", "onset", "offset", "first_phone", "last_phone"] %}
WITH transcribed AS (
{{ spans.transcribed(fragment_spans, columns, fragment_spans, phone_strings) }}
)
SELECT transcribed.*, last_."offset" AS last_offset
FROM transcribed
JOIN {{ phone_tokens }} AS last_
    ON last_.file = transcribed.file{{ same("transcribed", fragment_spans, "last_", phone_tokens) }}
    AND last_.phone = transcribed.last_phone

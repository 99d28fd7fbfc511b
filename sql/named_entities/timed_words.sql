{# The words of the recogniser output with times (input `times`), numbered from 0 within their document. #}
{% import "named_entities/words.jinja" as words %}
SELECT document, row_number() OVER (PARTITION BY document ORDER BY number, part) - 1 AS rank, word, onset, duration, line
FROM (
{{ words.spelt("(SELECT *, NULL::BIGINT AS number FROM " ~ times ~ ")", spellings) | indent(4, true) }}
)

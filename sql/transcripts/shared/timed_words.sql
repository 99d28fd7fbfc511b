{# The words of the input `times`, each with its time, numbered from 0 within their document. #}
{% import "transcripts/shared/words.jinja" as words with context %}
{% set named = times if name_case.value == "keep" else "(" ~ words.named_as_in_reference(times, false) ~ ")" %}
SELECT document, row_number() OVER (PARTITION BY document ORDER BY number, part) - 1 AS rank, word, onset, duration, channel, line,
    coalesce(onset < lag(onset) OVER (PARTITION BY document, lower(channel) ORDER BY number, part), false) AS backwards
FROM (
{% set kept = " WHERE document IN (SELECT document FROM " ~ segments ~ ")" if extra.value == "ignore" %}
{{ words.of_tokens("(SELECT *, NULL::BIGINT AS number, false AS attached FROM " ~ named ~ kept ~ ")") | indent(4, true) }}
)

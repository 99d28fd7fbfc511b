{# The words of the reference, numbered from 0 within their document. Of alternatives, only the words of the first one are
   kept. #}
{% import "transcripts/shared/words.jinja" as words with context %}
SELECT document, entity, row_number() OVER (PARTITION BY document ORDER BY segment_number, number, part) - 1 AS position, word
FROM (
    SELECT word_.document, entity, segment_number, number, part, word
    FROM (
{{ words.of_tokens(reference) | indent(8, true) }}
    ) AS word_
    JOIN {{ segments }} AS segment_
        ON word_.document = segment_.document AND coalesce(word_.segment, '') = segment_.segment AND NOT ignored
    QUALIFY branch IS NOT DISTINCT FROM min(branch) OVER (PARTITION BY word_.document, segment_number, alternation)
)
WHERE word IS NOT NULL

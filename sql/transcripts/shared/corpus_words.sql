{# The words of the reference, numbered from 0 within their document. Of alternatives, only the words of the first one are
   kept; `@` is an alternative without words. #}
SELECT document, entity, row_number() OVER (PARTITION BY document ORDER BY segment_number, number, part) - 1 AS position, word
FROM (
    FROM {{ reference_lexemes }}
    QUALIFY branch IS NOT DISTINCT FROM min(branch) OVER (PARTITION BY document, segment_number, alternation)
)
WHERE word <> '@'

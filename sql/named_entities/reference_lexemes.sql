{# The words of the reference in segments that are scored, including the words of all alternatives: in `{ a / b }`, both
   a and b. #}
{% import "named_entities/words.jinja" as words %}
SELECT word_.document, segment_number, word_.line, number, part, word, optional, entity, alternation, branch,
    word_.onset, duration
FROM (
{{ words.spelt(reference, spellings) | indent(4, true) }}
) AS word_
JOIN {{ segments }} AS segment_
    ON word_.document = segment_.document AND coalesce(word_.segment, '') = segment_.segment AND NOT ignored

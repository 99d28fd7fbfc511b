{# The words of the reference in the segments that are scored, including the words of all alternatives. `{ a / b }` has the
   words a and b. #}
{% import "transcripts/shared/words.jinja" as words with context %}
SELECT word_.document, segment_number, word_.line, number, part, word, optional, entity, alternation, branch,
    word_.onset, duration
FROM (
{{ words.of_tokens(reference) | indent(4, true) }}
) AS word_
JOIN {{ segments }} AS segment_
    ON word_.document = segment_.document AND coalesce(word_.segment, '') = segment_.segment AND NOT ignored

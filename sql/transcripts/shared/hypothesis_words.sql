{# The words of the hypothesis that are aligned, numbered from 0 within their document, each with the midpoint of its time
   (NULL if the input has no times). #}
{% import "transcripts/shared/words.jinja" as words with context %}
SELECT document, hyp_first + segment_position AS position, segment, segment_number, segment_position, word, entity,
    optional, line, word_.onset, duration, word_.onset + coalesce(duration, 0) / 2e0 AS time
FROM (
{{ words.placed(hypothesis_symbols, 1) | indent(4, true) }}
) AS word_
JOIN {{ segment_spans }} AS span_ USING (document, segment_number)

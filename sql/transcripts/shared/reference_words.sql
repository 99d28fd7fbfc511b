{# The words of the reference that are aligned, numbered from 0 within their document, with the midpoint of their time.
   The time of a word without a time is estimated: word k (from 0) of the K words of a segment is at (k + 0.5) / K of the
   duration of the segment. In a segment of 10 words from 20 to 30 s, the third word is at 22.5 s. #}
{% import "transcripts/shared/words.jinja" as words with context %}
SELECT document, ref_first + segment_position AS position, segment, segment_number, segment_position, word, entity,
    optional, line, word_.onset, duration, coalesce(word_.onset + coalesce(duration, 0) / 2e0,
        span_.onset + (segment_position + 0.5e0) / ref_words * (span_."offset" - span_.onset)) AS time
FROM (
{{ words.placed(reference_symbols, 0) | indent(4, true) }}
) AS word_
JOIN {{ segment_spans }} AS span_ USING (document, segment_number)

{# The words of the reference, each with its place in the document and the middle of its time: that of its token, or
   else the segment's time is parted evenly among its words. #}
{% import "named_entities/words.jinja" as words %}
SELECT document, ref_first + segment_position AS position, segment, segment_number, segment_position, word, entity,
    optional, line, coalesce(word_.onset + coalesce(duration, 0) / 2e0,
        span_.onset + (segment_position + 0.5e0) / ref_words * (span_."offset" - span_.onset)) AS time
FROM (
{{ words.placed(reference_lexemes, chosen_branches, 0) | indent(4, true) }}
) AS word_
JOIN {{ segment_spans }} AS span_ USING (document, segment_number)

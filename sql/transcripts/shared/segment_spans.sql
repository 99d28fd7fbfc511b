{# The segments, each with its number of words in both texts, and the position of its first word within the document in
   both texts. Of alternatives, only the words of the chosen one count. #}
{% import "transcripts/shared/words.jinja" as words with context %}
SELECT document, segment, segment_number, speaker, onset, "offset", ref_words, hyp_words,
    (sum(ref_words) OVER upto - ref_words)::BIGINT AS ref_first,
    (sum(hyp_words) OVER upto - hyp_words)::BIGINT AS hyp_first
FROM (
    SELECT * EXCLUDE (words), coalesce(ref_.words, 0) AS ref_words, coalesce(hyp_.words, 0) AS hyp_words
    FROM {{ segments }}
{% for side, table, name in ((0, reference_symbols, "ref_"), (1, hypothesis_symbols, "hyp_")) %}
    LEFT JOIN (
        SELECT document, segment_number, count(*) AS words
        FROM (
{{ words.chosen(table, side) | indent(12, true) }}
        )
        GROUP BY ALL
    ) AS {{ name }} USING (document, segment_number)
{% endfor %}
)
WINDOW upto AS (PARTITION BY document ORDER BY segment_number ROWS UNBOUNDED PRECEDING)

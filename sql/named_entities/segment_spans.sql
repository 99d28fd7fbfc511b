{# The segments, each with its number of words on both sides and the position of its first word in the document on both
   sides. Words of alternatives count only if their branch was chosen. #}
{% import "named_entities/words.jinja" as words %}
SELECT document, segment, segment_number, speaker, onset, "offset", ref_words, hyp_words,
    (sum(ref_words) OVER upto - ref_words)::BIGINT AS ref_first,
    (sum(hyp_words) OVER upto - hyp_words)::BIGINT AS hyp_first
FROM (
    SELECT * EXCLUDE (words), coalesce(ref_.words, 0) AS ref_words, coalesce(hyp_.words, 0) AS hyp_words
    FROM {{ segments }}
{% for side, table, name in ((0, reference_lexemes, "ref_"), (1, hypothesis_lexemes, "hyp_")) %}
    LEFT JOIN (
        SELECT document, segment_number, count(*) AS words
        FROM (
{{ words.said(table, chosen_branches, side) | indent(12, true) }}
        )
        GROUP BY ALL
    ) AS {{ name }} USING (document, segment_number)
{% endfor %}
)
WINDOW upto AS (PARTITION BY document ORDER BY segment_number ROWS UNBOUNDED PRECEDING)

{# Evidence: the blocks of the alignment, each with its words of both texts and its outcome: correct, substituted,
   deleted, inserted, or split or merged. #}
SELECT block_.document, segment, speaker, block, ref_begin, ref_end, hyp_begin, hyp_end, ref_words, hyp_words, CASE
        WHEN correct THEN 'correct'
        WHEN ref_begin = ref_end THEN 'inserted'
        WHEN hyp_begin = hyp_end THEN 'deleted'
        WHEN ref_end - ref_begin = 1 AND hyp_end - hyp_begin = 1 THEN 'substituted'
        ELSE 'split or merged'
    END AS outcome
FROM {{ blocks }} AS block_
{% for side, table in (("ref", reference_words), ("hyp", hypothesis_words)) %}
LEFT JOIN (
    SELECT said_.document, block, string_agg(word, ' ' ORDER BY position) AS {{ side }}_words
    FROM {{ table }} AS said_
    ASOF JOIN (FROM {{ blocks }} WHERE {{ side }}_begin < {{ side }}_end) AS of_ ON said_.document = of_.document AND position >= {{ side }}_begin
    GROUP BY ALL
) AS {{ side }}_ USING (document, block)
{% endfor %}

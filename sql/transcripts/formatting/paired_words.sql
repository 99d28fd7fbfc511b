{# The pairs of equal words, each with its spellings and signs in both texts. #}
SELECT block_.document, segment, speaker, ref_.word, ref_.written AS ref_written, hyp_.written AS hyp_written,
    ref_.capital AS ref_capital, hyp_.capital AS hyp_capital, ref_.signs AS ref_signs, hyp_.signs AS hyp_signs
FROM {{ blocks }} AS block_
{% for side in ("ref", "hyp") %}
JOIN (
    SELECT document, position, any_value(word) AS word, any_value(written) AS written, any_value(capital) AS capital,
        coalesce(string_agg(sign, '' ORDER BY sign), '') AS signs
    FROM {{ formatted_words }}
    LEFT JOIN {{ word_signs }} USING (side, document, position)
    WHERE side = {{ loop.index0 }}
    GROUP BY document, position
) AS {{ side }}_ ON block_.document = {{ side }}_.document AND {{ side }}_begin = {{ side }}_.position
{% endfor %}
WHERE correct AND ref_end - ref_begin = 1 AND hyp_end - hyp_begin = 1

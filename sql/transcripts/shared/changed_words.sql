{# The words that the normaliser changes, inserts or removes. Without normalisation there are none. #}
{% if normalize.value == "none" %}
SELECT NULL::VARCHAR AS side, NULL::VARCHAR AS document, NULL::VARCHAR AS segment, NULL::BIGINT AS line, NULL::VARCHAR AS written, NULL::VARCHAR AS normalized
LIMIT 0
{% else %}
SELECT if(word_.side = 0, 'reference', 'hypothesis') AS side, document, segment, word_.line,
    if("left" = 1, word, NULL) AS written, if("right" = 1, text, NULL) AS normalized
FROM {{ normalization_blocks }} AS block_
JOIN (
    SELECT *, row_number() OVER (PARTITION BY stretch ORDER BY row) AS nth FROM {{ normalized_stretches }}
) AS word_ ON block_.stretch = word_.stretch AND nth = greatest(left_end, 1)
LEFT JOIN {{ normalized_texts }} AS text_ ON block_.stretch = text_.stretch AND right_end = place + 1
JOIN {{ segments }} USING (document, segment_number)
WHERE NOT correct
{% endif %}

{# The signs of each word. A sign before all letters of its token belongs to the first word of the token, any other sign to the
   word before it. The signs of a token without letters belong to the word before the token. #}
SELECT DISTINCT side, word_.document, position, sign
FROM (
    SELECT side, document, sign, (number << 24) + greatest(letters - 1, 0) AS place
    FROM {{ written_tokens }}
    JOIN {{ token_signs }} USING (token)
    WHERE (lettered OR alternation IS NULL)
        AND (NOT lettered OR (side, document, number) IN (SELECT side, document, number FROM {{ words }}))
) AS sign_
ASOF JOIN (SELECT side, document, position, (number << 24) + first AS place FROM {{ formatted_words }}) AS word_
    USING (side, document, place)

{# An occurrence of a phrase is a place of a segment at which the words of the phrase follow one another: for each `place` of
   the phrase, its word is at `first` + `place`. A phrase that several rows of a list name occurs once. With align_within =
   document, the segment of hypothesis words is not known, and the document is one text. #}
SELECT DISTINCT side, document, segment, speaker, list, text, first, first + length AS last
FROM (
    SELECT side, word_.document,
        {{ "word_.segment" if align_within.value == "segment" else "NULL::VARCHAR AS segment" }},
        list, text, phrase_.line, length, position - place AS first
    FROM {{ words }} AS word_
    JOIN {{ list_phrases }} AS phrase_ ON word_.word = phrase_.word
        AND coalesce(phrase_.document = word_.document, true) AND coalesce(phrase_.segment = word_.segment, true)
    GROUP BY ALL
    HAVING count(*) = length
)
LEFT JOIN (SELECT document, segment, speaker FROM {{ segments }}) USING (document, segment)

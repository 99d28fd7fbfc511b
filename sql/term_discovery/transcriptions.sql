{# The distinct transcriptions of the fragments in phone labels, as people read them. #}
SELECT {{ scope }}text, string_agg(label, ' ' ORDER BY place) AS transcription
FROM (
    SELECT *, unnest(range(1, length(text) + 1)) AS place
    FROM (SELECT DISTINCT {{ scope }}text FROM {{ fragment_texts }})
) AS type_
JOIN {{ phone_codes }} AS code_ ON substring(text, place, 1) = code_.code
GROUP BY ALL

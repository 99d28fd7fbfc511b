{# The entities of each segment by type and text, without their places: how often each text lists them. #}
SELECT document, segment, speaker, entity_type, text, count_if(side = 0)::BIGINT AS possible, count_if(side = 1)::BIGINT AS actual,
    least(count_if(side = 0), count_if(side = 1))::BIGINT AS correct
FROM (
    SELECT side, document, entity_.segment, speaker, entity_.entity, type AS entity_type, string_agg(word, ' ' ORDER BY position) AS text
    FROM {{ text_entities }} AS entity_
    JOIN {{ words }} AS word_ USING (side, document)
    WHERE position >= first AND position < last
    GROUP BY ALL
)
GROUP BY document, segment, speaker, entity_type, text

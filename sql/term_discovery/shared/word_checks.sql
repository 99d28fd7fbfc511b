{# The words that are not silence by the parameter `silent_words`: do they begin and end with phones? Do their labels look
   like silence? #}
WITH edges AS (
    SELECT DISTINCT file, round(1e6 * onset) AS edge, 'onset' AS kind FROM {{ phones }}
    UNION ALL
    SELECT DISTINCT file, round(1e6 * "offset"), 'offset' FROM {{ phones }}
)
SELECT word_.file, word_.label, onset_.edge IS NOT NULL AND offset_.edge IS NOT NULL AS fits,
    regexp_full_match(lower(word_.label), '<(eps|sil|sp|spn|nsn|p|pau|pause|noise|s|/s)>|\[(sil|spn|nsn|pause|noise|laughter)\]|sil|spn|nsn|h#')
        AS pause
FROM (FROM {{ words }} WHERE label NOT IN {{ silent_words }}) AS word_
LEFT JOIN edges AS onset_
    ON onset_.file = word_.file AND onset_.kind = 'onset' AND onset_.edge = round(1e6 * word_.onset)
LEFT JOIN edges AS offset_
    ON offset_.file = word_.file AND offset_.kind = 'offset' AND offset_.edge = round(1e6 * word_."offset")

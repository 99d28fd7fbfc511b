{# The word tokens as fragments. The phones of a word are those with their midpoint in it; they are joined to a text, so
   that words with the same phones are a cluster. Silence and words without phones are left out. #}
WITH spoken AS (
    SELECT file, onset, "offset", label, microseconds(onset) + microseconds("offset") AS twice_midpoint
    FROM {{ phones }}
    WHERE label NOT IN {{ silence }}
),
tokens AS (
    SELECT DISTINCT file, onset, "offset", 2 * microseconds(onset) AS twice_onset, 2 * microseconds("offset") AS twice_offset
    FROM {{ words }}
    WHERE label NOT IN {{ silent_words }}
)
SELECT string_agg(label, ' ' ORDER BY twice_midpoint) AS cluster, tokens.file, tokens.onset, tokens."offset"
FROM tokens
JOIN spoken
    ON tokens.file = spoken.file AND twice_midpoint >= twice_onset AND twice_midpoint < twice_offset
GROUP BY ALL

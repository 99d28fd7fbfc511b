{# A block of m reference words and n hypothesis words has min(m, n) substitutions, the first words of both; the words that
   are left of the longer side are deletions or insertions. A reference word decides whether its error is listed, and an
   inserted word decides for itself. `punctuated` and `possessive` are for warnings: with punctuation = keep, `Rome,` is not
   the listed `Rome`; `Rome's` never is. #}
WITH listed_words AS (
    SELECT DISTINCT side, document, unnest(range(first, last)) AS position FROM {{ list_occurrences }}
),
unlisted_words AS (
    SELECT document, segment, min(word) FILTER (bare IN (SELECT word FROM {{ list_phrases }})) AS punctuated,
        min(word) FILTER (owner IN (SELECT word FROM {{ list_phrases }} WHERE place = length - 1)) AS possessive
    FROM (
        SELECT *, regexp_replace(word, '^\p{P}+|\p{P}+$', '', 'g') AS bare, regexp_extract(bare, '(.+)[''’][sS]$', 1) AS owner
        FROM {{ words }}
    )
    WHERE (word IN (SELECT word FROM {{ list_phrases }})) IS NOT true
    GROUP BY ALL
)
SELECT block_.document, block_.segment, speaker, listed_.position IS NOT NULL AS listed, sum(1 - block_.side)::BIGINT AS words,
    count_if(block_.side = 0 AND correct)::BIGINT AS correct,
    count_if(block_.side = 0 AND NOT correct AND heard)::BIGINT AS substitutions,
    count_if(block_.side = 0 AND NOT correct AND NOT heard)::BIGINT AS deletions,
    count_if(block_.side = 1 AND NOT correct)::BIGINT AS insertions,
    min(punctuated) AS punctuated, min(possessive) AS possessive
FROM (
    SELECT *, if(ref_begin + nth < ref_end, 0, 1) AS side, if(side = 0, ref_begin, hyp_begin) + nth AS position,
        hyp_begin + nth < hyp_end AS heard
    FROM (SELECT *, unnest(range(greatest(ref_end - ref_begin, hyp_end - hyp_begin))) AS nth FROM {{ blocks }})
) AS block_
LEFT JOIN listed_words AS listed_
    ON block_.side = listed_.side AND block_.document = listed_.document AND block_.position = listed_.position
LEFT JOIN unlisted_words AS unlisted ON block_.document = unlisted.document AND block_.segment = unlisted.segment
GROUP BY ALL

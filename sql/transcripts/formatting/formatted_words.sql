{# The words of both texts as their tokens write them. A word is as many letters and digits of its token as it has itself, after
   those of the words before it: of the token Well-known, the words WELL and KNOWN are written Well and known. A word that
   normalisation has changed is not found in its token. #}
{% from "transcripts/shared/spellings.jinja" import folded with context %}
SELECT side, document, position, number, word, first, if(stripped = plain, written, NULL) AS written,
    if(stripped = plain, written[1] <> lower(written[1]), NULL) AS capital
FROM (
    SELECT word_.*, letters[first + 1:first + len(plain)] AS written, {{ folded("written") }} AS stripped
    FROM (
        SELECT side, document, position, number, word, regexp_replace(word, '[^\p{L}\p{M}\p{N}]', '', 'g') AS plain,
            coalesce(sum(len(plain)) OVER (PARTITION BY side, document, number ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::BIGINT AS first
        FROM {{ words }}
    ) AS word_
    JOIN (
        SELECT side, document, number, regexp_replace(token, '[^\p{L}\p{M}\p{N}]', '', 'g') AS letters FROM {{ written_tokens }}
    ) USING (side, document, number)
)

{# A NON-LEX zone is extended on both sides up to the next boundary of a turn or word, by `no_score_extension` at most. It is
   not extended on a side that lies inside a word. As in md-eval, the last zone goes on to the end of the recording if no
   boundary follows. #}
{% import "diarization/shared/collars.jinja" as collars with context %}
WITH unscored AS (
    SELECT *, if(type = 'NON-LEX', microseconds({{ no_score_extension }}), 0) AS extension,
        row_number() OVER (PARTITION BY doc, type ORDER BY "offset" DESC, onset DESC) = 1 AS is_last
    FROM {{ timed_lines }}
    WHERE type IN ('NOSCORE', 'NON-LEX') AND onset < "offset"
),
words AS (FROM {{ timed_lines }} WHERE type = 'LEXEME' AND onset < "offset"),
boundaries AS (
    SELECT doc, unnest([onset, "offset"]) AS boundary
    FROM (SELECT doc, onset, "offset" FROM words UNION ALL SELECT doc, onset, "offset" FROM {{ given_turns }} WHERE side = 'reference')
),
limits AS (
    SELECT doc, type, onset, "offset", extension, is_last,
        max(boundary) FILTER (boundary <= onset) AS last_boundary, min(boundary) FILTER (boundary >= "offset") AS next_boundary
    FROM unscored
    LEFT JOIN boundaries USING (doc)
    GROUP BY ALL
),
inside AS (
    SELECT DISTINCT limit_.doc, limit_.type, limit_.onset, limit_."offset",
        bool_or(word_.onset < limit_.onset AND limit_.onset < word_."offset") AS begins_inside,
        bool_or(word_.onset < limit_."offset" AND limit_."offset" < word_."offset") AS ends_inside
    FROM limits AS limit_
    LEFT JOIN words AS word_ ON word_.doc = limit_.doc
    GROUP BY ALL
)
SELECT doc, if(begins_inside, onset, greatest(onset - extension, coalesce(last_boundary, 0))) AS onset,
    CASE
    WHEN ends_inside THEN "offset"
    WHEN next_boundary IS NULL AND is_last THEN microseconds(1e9)
    ELSE least("offset" + extension, next_boundary)
    END AS "offset",
    if(type = 'NOSCORE', 'no_eval', 'no_score') AS kind
FROM limits
JOIN inside USING (doc, type, onset, "offset")
UNION ALL
{{ collars.around(turns, "microseconds(" ~ collar ~ ")") }}

{# Lines such as SPKR-INFO and NOSCORE do not extend the region. #}
WITH spans AS (
    SELECT doc, onset, "offset" FROM {{ given_turns }} {{ "WHERE side = 'reference'" if default_region.value == "reference" }}
    UNION ALL
    SELECT doc, onset, "offset"
    FROM {{ timed_lines }}
    WHERE type IN ('SEGMENT', 'LEXEME', 'NON-LEX', 'SU', 'EDIT', 'FILLER', 'IP', 'CB', 'A/P')
)
SELECT doc, min(onset) AS onset, max("offset") AS "offset"
FROM spans
GROUP BY doc

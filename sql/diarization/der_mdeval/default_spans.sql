SELECT doc, onset, "offset"
FROM {{ given_turns }}
{{ "WHERE side = 'reference'" if default_region.value == "reference" }}
UNION ALL
SELECT doc, onset, "offset"
FROM {{ lines }}
WHERE type IN ('SEGMENT', 'LEXEME', 'NON-LEX', 'SU', 'EDIT', 'FILLER', 'IP', 'CB', 'A/P')

{# Lines such as SPKR-INFO and NOSCORE do not extend the region. #}
SELECT doc, onset, "offset"
FROM {{ given_turns }}
{{ "WHERE side = 'reference'" if default_region.value == "reference" }}
UNION ALL
SELECT doc, onset, "offset"
FROM {{ timed_lines }}
WHERE type IN ('SEGMENT', 'LEXEME', 'NON-LEX', 'SU', 'EDIT', 'FILLER', 'IP', 'CB', 'A/P')

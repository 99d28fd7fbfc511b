{# The word tokens (F_goldLex) with their transcription: every phone that a word overlaps, none trimmed.
   `reach` is the latest offset so far in the file, so that words may overlap each other. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{% set columns = scope_columns + ["file", "word"] %}
WITH tokens AS (
    SELECT {{ scope }}file, onset, "offset", label,
        row_number() OVER (PARTITION BY {{ scope }}file ORDER BY onset, "offset", label) AS word,
        max("offset") OVER (PARTITION BY {{ scope }}file ORDER BY onset, "offset", label) AS reach
    FROM {{ fold_words }}
    WHERE label NOT IN {{ silent_words }}
),
overlapped AS (
{{ spans.overlapped("tokens", fold_words, phone_tokens) }}
),
transcribed AS (
{{ spans.transcribed("overlapped", columns, fold_words, phone_strings) }}
)
SELECT tokens.*, transcribed.text
FROM tokens
LEFT JOIN transcribed USING ({{ scope }}file, word)

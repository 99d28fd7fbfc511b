{# The word tokens (F_goldLex) with their transcription: every phone that a word overlaps, none trimmed.
   `reach` is the latest offset so far in the file, so that words may overlap each other. #}
{% import "term_discovery/spans.jinja" as spans %}
{% set columns = scope_columns + ["file", "word"] %}
WITH tokens AS (
    SELECT {{ scope }}file, onset, "offset", label,
        row_number() OVER (PARTITION BY {{ scope }}file ORDER BY onset, "offset", label) AS word,
        max("offset") OVER (PARTITION BY {{ scope }}file ORDER BY onset, "offset", label) AS reach
    FROM {{ words_of_fold }}
    WHERE label NOT IN {{ silent_words }}
),
overlapped AS (
{{ spans.overlapped("tokens", words_of_fold, phone_tokens) }}
),
transcribed AS (
{{ spans.transcribed("overlapped", columns, words_of_fold, phone_strings) }}
)
SELECT tokens.*, transcribed.text
FROM tokens
LEFT JOIN transcribed USING ({{ scope }}file, word)

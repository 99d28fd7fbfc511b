{# The word tokens (F_goldLex), numbered from 1 within their file, each with its transcription: the codes of all phones
   with which it shares time. tdev2 drops no phone at the edges of a word.

   `reach` is the latest offset of the words up to this one. Words may overlap, so that offsets can fall from one word
   to the next; `reach` does not, and fragment_words searches in it. #}
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
{{ spans.overlapped("tokens", words_of_fold, phone_tokens) | indent(4, true) }}
),
transcribed AS (
{{ spans.transcribed("overlapped", columns, words_of_fold, phone_strings) | indent(4, true) }}
)
SELECT tokens.*, transcribed.text
FROM tokens
LEFT JOIN transcribed USING ({{ scope }}file, word)

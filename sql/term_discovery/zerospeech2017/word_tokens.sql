{# The word tokens (F_goldLex), numbered from 1 within their recording. Their transcription has all phones that
   share time with the word, because tdev2 has no edge rule for words.

   `reach` is the latest offset of the words up to this one. Words may overlap, so the offset can decrease from one word
   to the next. `reach` never decreases, so fragment_words can search in it. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{% set columns = ["file", "word"] %}
WITH tokens AS (
    SELECT file, onset, "offset", label,
        row_number() OVER (PARTITION BY file ORDER BY onset, "offset", label) AS word,
        max("offset") OVER (PARTITION BY file ORDER BY onset, "offset", label) AS reach
    FROM {{ fold_words }}
    WHERE label NOT IN {{ silent_words }}
),
overlapped AS (
{{ spans.overlapped("tokens", phone_tokens) | indent(4, true) }}
),
transcribed AS (
{{ spans.transcribed("overlapped", columns, phone_strings) | indent(4, true) }}
)
SELECT tokens.*, transcribed.text
FROM tokens
LEFT JOIN transcribed USING (file, word)

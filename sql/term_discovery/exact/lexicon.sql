{# The word tokens (F_goldLex) with their transcriptions, by the rule of fragments. #}
{% import "term_discovery/exact/exact.jinja" as exact with context %}
{% set columns = scope_columns + ["file", "onset", "offset"] %}
WITH intervals AS (
    SELECT DISTINCT {{ columns | names }} FROM {{ fold_words }}
)
FROM (
{{ exact.with_transcription("intervals", columns, fold_words, fold_phonemes, phoneme_strings) }}
)

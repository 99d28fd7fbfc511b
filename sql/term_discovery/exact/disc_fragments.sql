{# The distinct fragments (F_disc) with their transcriptions, whatever their cluster. #}
{% import "term_discovery/exact/exact.jinja" as exact with context %}
{% set columns = scope_columns + ["file", "onset", "offset"] %}
WITH intervals AS (
    SELECT DISTINCT {{ columns | names }} FROM {{ fold_members }}
)
FROM (
{{ exact.with_transcription("intervals", columns, fold_members, fold_phonemes, phoneme_strings) }}
)

{# The word tokens of each fold, in microseconds. #}
{% import "term_discovery/exact/folds.jinja" as folds %}
WITH tokens AS (
    SELECT DISTINCT {{ shared(words) }}file, microseconds(onset) AS onset, microseconds("offset") AS "offset", label
    FROM {{ words }}
    WHERE label NOT IN {{ silent_words }}
)
{{ folds.in_folds("tokens", words, scope_columns, fold_intervals, file_talkers) }}

{# The distinct word tokens of each fold, with times as they are compared (parameter `times`). Labels that the parameter
   `silent_words` lists are no words. #}
{% import "term_discovery/exact/times.jinja" as t with context %}
{% import "term_discovery/exact/folds.jinja" as folds with context %}
WITH tokens AS (
    SELECT DISTINCT {{ shared(words) }}file, {{ t.time("onset") }} AS onset, {{ t.time('"offset"') }} AS "offset", label
    FROM {{ words }}
    WHERE label NOT IN {{ silent_words }}
)
{{ folds.in_folds("tokens", scope_columns, fold_intervals, file_talkers) }}

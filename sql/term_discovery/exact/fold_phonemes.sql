{# The phonemes of each fold: `phone` counts them within fold and file from 1, `number` within the corpus. #}
{% import "term_discovery/exact/folds.jinja" as folds %}
SELECT *, row_number() OVER (PARTITION BY {{ scope }}file ORDER BY number) AS phone
FROM (
{{ folds.in_folds(phonemes, phonemes, scope_columns, fold_intervals, file_talkers) }}
)

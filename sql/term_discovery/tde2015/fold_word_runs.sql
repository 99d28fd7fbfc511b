{# The word tokens of each fold, with the run of the corpus that they are in. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
{{ folds.in_folds(word_runs, scope_columns, fold_intervals, file_talkers) }}

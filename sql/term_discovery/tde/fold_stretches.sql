{# The n-grams of the corpus that recur, in each fold. #}
{% import "term_discovery/exact/folds.jinja" as folds with context %}
{{ folds.in_folds(gold_stretches, scope_columns, fold_intervals, file_talkers) }}

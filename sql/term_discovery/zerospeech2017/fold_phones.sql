{# The phones of the corpus; in folds, those of each fold. #}
{% import "term_discovery/zerospeech2017/fold_rows.jinja" as fold_rows %}
{{ fold_rows.in_fold(phones, scope_columns, fold_intervals, file_talkers) }}

{# The phone tokens of the corpus, each with the talker of its file. With folds, the phone tokens of each fold: those
   whose midpoint lies in an interval of the fold. #}
{% import "term_discovery/fold_rows.jinja" as fold_rows %}
{{ fold_rows.in_fold(phones, scope_columns, fold_intervals, file_talkers) }}

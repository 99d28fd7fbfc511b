{# The phone tokens of the corpus, each with the talker of its file. With folds, the phone tokens of each fold (parameter
   `inside`). #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
{{ folds.in_folds(phones, fold_intervals, file_talkers, seconds=true) }}

{# The recurring spans (gold_stretches) of each fold, with the talker of their file. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
{{ folds.in_folds(gold_stretches, fold_intervals, file_talkers) }}

{# The word tokens of each fold, each with the number of its run in the whole corpus. A run is a sequence of words
   without a gap. It is one run even if the fold contains only a part of it. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
{{ folds.in_folds(word_runs, fold_intervals, file_talkers) }}

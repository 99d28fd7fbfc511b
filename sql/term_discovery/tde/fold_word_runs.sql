{# The word tokens of each fold, with the number of the run that each is in. A run is a sequence of words without a gap
   in the whole corpus, also where the fold holds only a part of it. #}
{% import "term_discovery/exact/folds.jinja" as folds with context %}
{{ folds.in_folds(word_runs, scope_columns, fold_intervals, file_talkers) }}

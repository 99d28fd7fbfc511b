{# The word tokens of the corpus, each with the talker of its file. With folds, the word tokens of each fold (parameter
   `inside`). Every word has a row of corpus_checks, which is read for its warnings. #}
{% import "term_discovery/shared/folds.jinja" as folds with context %}
{{ folds.in_folds("(FROM " ~ words ~ " SEMI JOIN " ~ corpus_checks ~ " USING (file))", fold_intervals, file_talkers, seconds=true) }}

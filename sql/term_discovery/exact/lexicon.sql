{# The distinct word tokens as fragments (F_goldLex), each with its span of phones and its transcription T, by the edge
   rule of fragments (see disc_fragments); T is '' where no phone is kept. #}
{% import "term_discovery/exact/exact.jinja" as exact with context %}
{{ exact.distinct_with_transcription(fold_words, fold_phonemes, phoneme_strings) }}

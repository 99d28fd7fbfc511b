{# The word tokens (F_goldLex) with their transcriptions, by the rule of fragments. #}
{% import "term_discovery/zerospeech2015/exact.jinja" as exact with context %}
{{ exact.distinct_with_transcription(fold_words, fold_phones, phone_strings) }}

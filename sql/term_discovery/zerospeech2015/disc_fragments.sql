{# The distinct fragments (F_disc) with their transcriptions, whatever their cluster. #}
{% import "term_discovery/zerospeech2015/exact.jinja" as exact with context %}
{{ exact.distinct_with_transcription(fold_fragments, fold_phones, phone_strings) }}

{# The distinct fragments (F_disc) with their transcriptions, whatever their cluster. #}
{% import "term_discovery/exact/exact.jinja" as exact with context %}
{{ exact.distinct_with_transcription(fold_members, fold_phonemes, phoneme_strings) }}

{# The distinct word tokens as fragments (F_goldLex), each with its span of phones and its transcription T by the edge
   rule of fragments (disc_fragments). T is '' if no phone is kept. #}
{% import "term_discovery/zerospeech2015/edge_rule.jinja" as edge_rule with context %}
{{ edge_rule.distinct_with_transcription(fold_words, fold_phones, phone_strings) }}

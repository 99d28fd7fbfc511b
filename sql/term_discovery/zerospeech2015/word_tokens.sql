{# The distinct word tokens as fragments (F_goldLex), each with its span of phones and its transcription T by the edge
   rule of fragments (disc_fragments). T is '' if no phone is kept. With corpus = covered, only words with a phone that a
   scored fragment covers: of the covered spans that begin at the last phone of the word or before, the last one reaches
   the first phone of the word or a later one. #}
{% import "term_discovery/zerospeech2015/edge_rule.jinja" as edge_rule with context %}
{% if corpus.value == "covered" %}
SELECT word_.*
FROM (
{{ edge_rule.distinct_with_transcription(fold_words) | indent(4, true) }}
) AS word_
ASOF JOIN {{ covered_spans }} AS covered_
    ON covered_.file = word_.file
    AND word_.last_phone >= covered_.first_phone
WHERE covered_.last_phone >= word_.first_phone
{% else %}
{{ edge_rule.distinct_with_transcription(fold_words) }}
{% endif %}

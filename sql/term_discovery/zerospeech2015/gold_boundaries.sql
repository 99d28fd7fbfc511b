{# The boundaries of words (B_gold). Each distinct edge of a word counts as the nearest phone boundary, if that is less
   than `boundary_tolerance` (30 ms) away. Other edges of words are left out. With corpus = covered, only words with a
   phone that a scored fragment covers (word_tokens). #}
{% import "term_discovery/zerospeech2015/nearest_boundaries.jinja" as boundaries with context %}
SELECT file, boundary, -1 AS far_edge
FROM (
{{ boundaries.nearest(word_tokens if corpus.value == "covered" else fold_words, phone_boundaries) | indent(4, true) }}
)
WHERE boundary IS NOT NULL

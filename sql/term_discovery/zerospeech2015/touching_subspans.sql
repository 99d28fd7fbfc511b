{# The pairs of sub-spans of near pairs that are in P_disc. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{{ subspans.of_pairs(near_pairs, scope_columns, "NOT overlap") }}

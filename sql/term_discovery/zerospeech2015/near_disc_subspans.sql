{# The pairs of sub-spans that are aligned in a pair of P_disc whose fragments share time. Such pairs are few
   (near_pairs) and are listed by definition, as in pairs/pairs_star.sql: every offset, every size, without a sub-span
   paired with itself.

   They cannot be counted in closed form, because two sub-spans of fragments that share time can be the same span or
   overlap each other. found_spans and both_spans add them to what they count for fragments that share no time. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{{ subspans.of_pairs(near_pairs, scope_columns, "NOT overlap") }}

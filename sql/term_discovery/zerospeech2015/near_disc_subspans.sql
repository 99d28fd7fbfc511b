{# The pairs of sub-spans that are aligned (see the macro `aligned` in subspans.jinja) in a pair of P_disc whose members
   share time. There are few such pairs (near_pairs), so they are listed, as in pairs/pairs_star.sql.

   They cannot be counted in closed form, because two sub-spans of members that share time can overlap or be the same
   span. found_spans and both_spans add them to what they count for members that share no time. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{{ subspans.of_pairs(near_pairs, [], "NOT overlap") }}

{# The sub-spans of the members of groups, with how many phones of the member are before and after them. On a diagonal
   of two members two sub-spans of equal size meet when the one has no more before it and no more after it than the
   other. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
SELECT {{ scope }}cluster, pair_talker, file, onset, "offset", reach_from, reach_to, partner_size, size,
    first_phone + before AS phone, before, span_size - size - before AS after
FROM (
    SELECT *, unnest(range(0, span_size - size + 1)) AS before
    FROM (SELECT *, unnest({{ subspans.sizes("span_size") }}) AS size FROM {{ longest_partners }})
)

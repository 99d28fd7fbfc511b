{# The rows that the function first_best_matching reads: the pairs of the islands in which the mapping has a choice. With
   mapping = optimal, the gains are the number of correct aspects, then the number of pairs, then the number of correct
   types, then the number of correct extents. With mapping = greedy there are no gains: as published, the first possible
   pair from left to right is taken. #}
SELECT island, reference_entity AS left_row, hypothesis_entity AS right_row
{% if mapping.value == "optimal" %}
    , {% for aspect in aspects.value %}{{ aspect }}_correct::BIGINT{{ " + " if not loop.last }}{% endfor %} AS gain_1,
    1 AS gain_2, type_correct::BIGINT AS gain_3, extent_correct::BIGINT AS gain_4
{% endif %}
FROM {{ compared_pairs }}
WHERE contested
ORDER BY island, left_row, right_row

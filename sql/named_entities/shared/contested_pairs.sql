{# What first_best_matching is fed: the pairs of islands where there is a choice, and for the optimal mapping what each
   gains. Without gains the first pairs are taken, from left to right. #}
SELECT island, reference_entity AS left_row, hypothesis_entity AS right_row
{% if mapping.value == "optimal" %}
    , {% for aspect in aspects.value %}{{ aspect }}_correct::BIGINT{{ " + " if not loop.last }}{% endfor %} AS gain_1,
    1 AS gain_2, type_correct::BIGINT AS gain_3, extent_correct::BIGINT AS gain_4
{% endif %}
FROM {{ compared_pairs }}
WHERE contested
ORDER BY island, left_row, right_row

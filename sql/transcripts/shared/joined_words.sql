{# The words of both texts, where two neighbours are joined (merge_compounds) if their joint spelling is a word of the other
   text in the same segment, or with align_within = document in the same document, and the other text does not have the same
   two neighbours. Of three words that could be joined in two ways, the first two are joined. Words of different entities,
   optional words, and words in alternatives are not joined. #}
{% set unit = ["document"] if align_within.value == "document" else ["document", "segment_number"] %}
{% macro same_unit(other) %}pair_.side <> {{ other }}.side{% for each in unit %} AND pair_.{{ each }} = {{ other }}.{{ each }}{% endfor %}{% endmacro %}
{% if not merge_compounds.value %}
FROM {{ words_without_fillers }}
{% else %}
WITH neighbours AS (
    SELECT *, row_number() OVER in_order AS nth, lead(word) OVER in_order AS next,
        lead(onset + duration) OVER in_order AS next_end,
        alternation IS NULL AND NOT optional AND lead(alternation IS NULL AND NOT optional) OVER in_order
            AND entity IS NOT DISTINCT FROM lead(entity) OVER in_order AS joinable
    FROM {{ words_without_fillers }}
    WINDOW in_order AS (PARTITION BY side, document, segment_number ORDER BY number, part)
),
found AS (
    SELECT side, document, segment_number, nth, nth - row_number() OVER (PARTITION BY side, document, segment_number ORDER BY nth) AS run
    FROM neighbours AS pair_
    SEMI JOIN neighbours AS other_ ON {{ same_unit("other_") }} AND pair_.word || pair_.next = other_.word
    ANTI JOIN neighbours AS same_ ON {{ same_unit("same_") }} AND pair_.word = same_.word AND pair_.next = same_.next
    WHERE joinable
),
firsts AS (
    SELECT side, document, segment_number, nth
    FROM found
    QUALIFY row_number() OVER (PARTITION BY side, document, segment_number, run ORDER BY nth) % 2 = 1
)
SELECT neighbours.* EXCLUDE (nth, next, next_end, joinable) REPLACE (
    if(first_.nth IS NULL, word, word || next) AS word,
    if(first_.nth IS NULL, duration, coalesce(next_end - onset, duration)) AS duration)
FROM neighbours
LEFT JOIN firsts AS first_ USING (side, document, segment_number, nth)
ANTI JOIN firsts AS second_ ON neighbours.side = second_.side AND neighbours.document = second_.document
    AND neighbours.segment_number = second_.segment_number AND neighbours.nth = second_.nth + 1
{% endif %}

{# The entities of both texts with their place in the alignment: the blocks of their first and last word, and the
   positions in the other text at which these blocks start and end (`across_first`, `across_last`). With these numbers,
   extents are compared without the words.

   `correct_to_first` and `correct_to_last` are the numbers of correct blocks before the boundary. If these numbers are
   equal for two boundaries, there are only word errors between them. `error_at_…`: the first word inside the boundary,
   or the first word outside of it, is in a word error.

   A hypothesis entity has the segment of its first block, because with align_within = document hypothesis words have no
   segment. #}
WITH boundaries AS (
    SELECT if(side = 0, 'reference', 'hypothesis') AS side, document, segment, speaker, type, "first", "last",
        row_number() OVER (PARTITION BY side ORDER BY document, "first") AS entity,
        unnest([
            {'place': 'ahead', 'position': "first" - 1}, {'place': 'first', 'position': "first"},
            {'place': 'last', 'position': "last" - 1}, {'place': 'behind', 'position': "last"}
        ], recursive := true)
    FROM {{ text_entities }}
),
words AS (
{% for side, own, other in [("reference", "ref", "hyp"), ("hypothesis", "hyp", "ref")] %}
    SELECT '{{ side }}' AS side, document, unnest(range({{ own }}_begin, {{ own }}_end)) AS position,
        block, correct, correct_before, {{ other }}_begin AS across_begin, {{ other }}_end AS across_end,
        segment AS block_segment, speaker AS block_speaker
    FROM {{ blocks }}
    {{ "UNION ALL" if not loop.last }}
{% endfor %}
)
SELECT side, document, type, entity, "first", "last",
{% for column in ["segment", "speaker"] %}
    if(side = 'reference', {{ column }}, any_value(block_{{ column }}) FILTER (place = 'first')) AS {{ column }},
{% endfor %}
{% for edge, outside, across, correct in [("first", "ahead", "across_begin", "correct_before"), ("last", "behind", "across_end", "correct_before + correct::BIGINT")] %}
    any_value(block) FILTER (place = '{{ edge }}') AS {{ edge }}_block,
    any_value({{ across }}) FILTER (place = '{{ edge }}') AS across_{{ edge }},
    any_value({{ correct }}) FILTER (place = '{{ edge }}') AS correct_to_{{ edge }},
    bool_or(NOT correct) FILTER (place IN ('{{ edge }}', '{{ outside }}')) AS error_at_{{ edge }}{{ "," if not loop.last }}
{% endfor %}
FROM boundaries
JOIN words USING (side, document, position)
GROUP BY side, document, segment, speaker, type, entity, "first", "last"

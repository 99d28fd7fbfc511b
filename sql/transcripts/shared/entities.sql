{# Evidence: one row for each mapped pair of entities and for each entity of either text that is not mapped, with the words
   of both, the verdict on each aspect, and the reasons for errors in words. #}
{% set sides = ["reference", "hypothesis"] %}
{% macro number_of(count, what) %}{{ count }}, if({{ count }} = 1, ' {{ what }}', ' {{ what }}s'){% endmacro %}
WITH
{% for side in sides %}
{{ side }}_texts AS (
    SELECT {{ side }}_entity, string_agg(word, ' ' ORDER BY position) AS {{ side }}_text
    FROM (
        SELECT document, {{ side }}_entity, unnest(range({{ side }}_first, {{ side }}_last)) AS position
        FROM {{ entity_outcomes }}
        WHERE {{ side }}_entity IS NOT NULL
    )
    JOIN (FROM {{ words }} WHERE side = {{ loop.index0 }}) USING (document, position)
    GROUP BY ALL
),
-- Entities that overlap an entity of the other text. If such an entity is not mapped, all entities that overlap it are
-- mapped to others.
{{ side }}_candidates AS (
    SELECT DISTINCT {{ side }}_entity, true AS {{ side }}_has_candidate FROM {{ compared_pairs }}
){{ "," if not loop.last }}
{% endfor %}
SELECT document, segment, speaker, entity_type, outcome,
{% for side in sides %}
    {{ side }}_type, {{ side }}_text, {{ side }}_first, {{ side }}_last,
{% endfor %}
{% for aspect in ["type", "extent", "content", "text"] %}
    if('{{ aspect }}' IN {{ aspects }}, if(outcome = 'mapped', if({{ aspect }}_correct, 'correct', 'substituted'), outcome), NULL) AS {{ aspect }},
{% endfor %}
    nullif(concat_ws('; ',
        CASE WHEN outcome <> 'mapped' THEN concat(outcome, if(coalesce(reference_has_candidate, hypothesis_has_candidate, false),
            ': the entities that overlap it are mapped to others', ': no entity overlaps it')) END,
        CASE WHEN 'type' IN {{ aspects }} AND NOT type_correct THEN concat('type: ', hypothesis_type, ', not ', reference_type) END,
{% for edge, says in [("first", "begins"), ("last", "ends")] %}
        CASE WHEN list_has_any({{ aspects }}, ['extent', 'text']) AND NOT {{ edge }}_correct
            THEN concat('extent: {{ says }} ', {{ number_of(edge ~ "_off", "word") }}, ' off') END,
{% endfor %}
        CASE WHEN list_has_any({{ aspects }}, ['content', 'text']) AND NOT content_correct
            THEN concat('content: ', {{ number_of("word_errors", "word error") }}) END
    ), '') AS reason
FROM {{ entity_outcomes }}
{% for side in sides %}
LEFT JOIN {{ side }}_texts USING ({{ side }}_entity)
LEFT JOIN {{ side }}_candidates USING ({{ side }}_entity)
{% endfor %}

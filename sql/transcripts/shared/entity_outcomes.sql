{# The entities of both texts. A mapped pair is one row. A reference entity that is not mapped is missing, and a hypothesis
   entity that is not mapped is spurious. A mapped pair has the type and segment of the reference entity. #}
SELECT
{% for column in ["document", "segment", "speaker"] %}
    coalesce(reference_.{{ column }}, hypothesis_.{{ column }}) AS {{ column }},
{% endfor %}
    coalesce(reference_.type, hypothesis_.type) AS entity_type,
    CASE WHEN hypothesis_entity IS NULL THEN 'missing' WHEN reference_entity IS NULL THEN 'spurious' ELSE 'mapped' END AS outcome,
{% for side in ["reference", "hypothesis"] %}
    {{ side }}_entity, {{ side }}_.type AS {{ side }}_type, {{ side }}_."first" AS {{ side }}_first, {{ side }}_."last" AS {{ side }}_last,
{% endfor %}
    {% for aspect in aspects.value %}{{ aspect }}_correct{{ " AND " if not loop.last }}{% endfor %} AS all_correct,
    first_correct, last_correct, type_correct, extent_correct, content_correct, text_correct, first_off, last_off, word_errors
FROM (SELECT * RENAME (entity AS reference_entity) FROM {{ aligned_entities }} WHERE side = 'reference') AS reference_
LEFT JOIN {{ mapped_pairs }} USING (reference_entity)
FULL JOIN (SELECT * RENAME (entity AS hypothesis_entity) FROM {{ aligned_entities }} WHERE side = 'hypothesis') AS hypothesis_
    USING (hypothesis_entity)

{# Evidence: the number of entities for each pair of a reference type and a hypothesis type. The type is NULL if the entity
   is not mapped to an entity of the other text. #}
SELECT reference_type, hypothesis_type, any_value(outcome) AS outcome, count(*) AS entities
FROM {{ entity_outcomes }}
GROUP BY ALL

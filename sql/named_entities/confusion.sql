{# Evidence: the number of entities for each pair of a reference type and a hypothesis type, NULL where an entity has no
   partner. #}
SELECT {{ scope }}reference_type, hypothesis_type, any_value(outcome) AS outcome, count(*) AS entities
FROM {{ entity_outcomes }}
GROUP BY ALL

{# The slots: one row for each entity and each scored aspect (type, extent, content or text). A slot of a mapped pair is
   correct or substituted; the slots of a missing entity are missing, and the slots of a spurious entity are spurious.
   With three aspects, a mapped pair in which only the type is wrong has two correct slots and one substituted slot. #}
SELECT document, segment, speaker, entity_type, aspect,
    if(outcome = 'mapped', if(is_correct, 'correct', 'substituted'), outcome) AS outcome
FROM (
    SELECT document, segment, speaker, entity_type, outcome, unnest([
{% for aspect in aspects.value %}
        {'aspect': {{ aspect | text }}, 'is_correct': {{ aspect }}_correct}{{ "," if not loop.last }}
{% endfor %}
    ], recursive := true)
    FROM {{ entity_outcomes }}
)

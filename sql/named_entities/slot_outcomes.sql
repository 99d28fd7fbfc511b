{# The slots: one row for each entity and each compared aspect (type, extent, content, or text). A slot of a mapped pair
   is correct or substituted; the slots of a missing or spurious entity are missing or spurious. With three aspects, a
   mapped pair of the wrong type is two correct slots and one substituted slot. #}
SELECT {{ scope }}document, segment, speaker, entity_type, aspect,
    if(outcome = 'mapped', if(is_correct, 'correct', 'substituted'), outcome) AS outcome
FROM (
    SELECT {{ scope }}document, segment, speaker, entity_type, outcome, unnest([
{% for aspect in aspects.value %}
        {'aspect': {{ aspect | text }}, 'is_correct': {{ aspect }}_correct}{{ "," if not loop.last }}
{% endfor %}
    ], recursive := true)
    FROM {{ entity_outcomes }}
)

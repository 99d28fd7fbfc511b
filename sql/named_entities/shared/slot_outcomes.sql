{# A slot for each entity and aspect: correct or substituted where the entity is mapped, else missing or spurious. #}
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

{# Trimmed turns are joined already. #}
{% import "diarization/shared/turns.jinja" as turns_ with context %}
{% if own_overlap.value == "merge" and not trimmed_turns.value %}
{{ turns_.merged(turns) }}
{% else %}
FROM {{ turns }}
{% endif %}

{# The turns of both sides in microseconds. #}
{% macro turns_of(side, turns) %}
SELECT '{{ side }}' AS side, doc, speaker, microseconds(tbeg) AS onset, microseconds(tbeg + dur) AS "offset"
FROM {{ turns }}
{% endmacro %}
{{ turns_of("reference", reference) }}
UNION ALL
{{ turns_of("hypothesis", hypothesis) }}

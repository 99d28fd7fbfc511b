{# The distinct fragments (F_disc) as spans of phones, a partly covered edge phone kept by the edge rule;
   NULL where nothing is left. The arithmetic is that of tdev2: binary64, durations rounded to milliseconds,
   which the half millisecond stands for. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{% macro kept(edge) %}
CASE WHEN {{ edge }}_offset - {{ edge }}_onset > 2 * {{ edge_time }} - 0.0005e0
     THEN least("offset", {{ edge }}_offset) - greatest(onset, {{ edge }}_onset) > {{ edge_time }} - 0.0005e0
     ELSE (least("offset", {{ edge }}_offset) - greatest(onset, {{ edge }}_onset))
        / ({{ edge }}_offset - {{ edge }}_onset) >= {{ edge_fraction }}
END
{%- endmacro %}
WITH intervals AS (
    SELECT DISTINCT {{ scope }}file, onset, "offset" FROM {{ fold_fragments }}
),
overlapped AS (
{{ spans.overlapped("intervals", fold_fragments, phone_tokens) }}
),
trimmed AS (
    SELECT * REPLACE (
        if({{ kept("first") }}, first_phone, first_phone + 1) AS first_phone,
        -- a single phone is tested once
        if(first_phone = last_phone OR {{ kept("last") }}, last_phone, last_phone - 1) AS last_phone)
    FROM overlapped
    WHERE first_phone <= last_phone
)
SELECT intervals.*, first_phone, last_phone
FROM intervals
LEFT JOIN (FROM trimmed WHERE first_phone <= last_phone) USING ({{ scope }}file, onset, "offset")

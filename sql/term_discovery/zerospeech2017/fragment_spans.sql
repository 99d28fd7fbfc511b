{# The distinct fragments (F_disc) as spans of phones, from `first_phone` to `last_phone`, by the edge rule of tdev2;
   NULL where the rule keeps no phone.

   A fragment contains all phones with which it shares time. Only the first and the last of them are tested. A phone of
   2 × `edge_time` (60 ms) or more is kept when at least `edge_time` (30 ms) of it is covered, a shorter phone when at
   least `edge_fraction` (50 %) of it is covered. Of a phone of 80 ms, 30 ms are enough; of a phone of 40 ms, 20 ms. A
   fragment within one phone is tested once.

   tdev2 computes in binary64 and rounds durations to milliseconds before it compares them. A duration is 30 ms or more
   after rounding when it is more than 29.5 ms; this is the half millisecond in the conditions. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{% macro kept(edge) %}
CASE
                WHEN {{ edge }}_offset - {{ edge }}_onset > 2 * {{ edge_time }} - 0.0005e0
                THEN least("offset", {{ edge }}_offset) - greatest(onset, {{ edge }}_onset) > {{ edge_time }} - 0.0005e0
                ELSE (least("offset", {{ edge }}_offset) - greatest(onset, {{ edge }}_onset))
                    / ({{ edge }}_offset - {{ edge }}_onset) >= {{ edge_fraction }}
            END
{%- endmacro %}
WITH intervals AS (
    SELECT DISTINCT {{ scope }}file, onset, "offset" FROM {{ fold_fragments }}
),
overlapped AS (
{{ spans.overlapped("intervals", fold_fragments, phone_tokens) | indent(4, true) }}
),
trimmed AS (
    SELECT * REPLACE (
        if({{ kept("first") }}, first_phone, first_phone + 1) AS first_phone,
        -- where first and last are one phone, the first test decides
        if(first_phone = last_phone OR {{ kept("last") }}, last_phone, last_phone - 1) AS last_phone)
    FROM overlapped
    WHERE first_phone <= last_phone
)
SELECT intervals.*, first_phone, last_phone
FROM intervals
LEFT JOIN (FROM trimmed WHERE first_phone <= last_phone) USING ({{ scope }}file, onset, "offset")

{# The distinct fragments (F_disc) as spans of phones, from `first_phone` to `last_phone`, by the edge rule of tdev2.
   Both are NULL if the rule keeps no phone.

   A fragment contains all phones that share time with it, but the first and the last of them are tested. A phone of 2
   × `edge_time` (60 ms) or more is kept when at least `edge_time` (30 ms) of it is covered. A shorter phone is kept
   when at least `edge_fraction` (half) of it is covered. Of a phone of 80 ms, 30 ms are enough; of a phone of 40 ms, 20
   ms are enough. If the fragment lies within one phone, that phone is tested once.

   tdev2 computes with floating-point numbers and rounds durations to milliseconds (`duration_rounding`) before it
   compares them. A duration that is more than 29.5 ms is 30 ms or more after rounding. That is the half millisecond in
   the conditions. #}
{% import "term_discovery/shared/spans.jinja" as spans %}
{% macro reaches(duration, limit) %}
{{ duration }} {{ ">" if duration_rounding.value > 0 else ">=" }} {{ limit }} - {{ duration_rounding }} / 2
{%- endmacro %}
{% macro kept(edge) %}
CASE
                WHEN {{ reaches(edge ~ "_offset - " ~ edge ~ "_onset", "2 * " ~ edge_time) }}
                THEN {{ reaches('least("offset", ' ~ edge ~ '_offset) - greatest(onset, ' ~ edge ~ '_onset)', edge_time) }}
                ELSE (least("offset", {{ edge }}_offset) - greatest(onset, {{ edge }}_onset))
                    / ({{ edge }}_offset - {{ edge }}_onset) >= {{ edge_fraction }}
            END
{%- endmacro %}
WITH intervals AS (
    SELECT DISTINCT file, onset, "offset" FROM {{ fold_fragments }}
),
overlapped AS (
{{ spans.overlapped("intervals", phone_tokens) | indent(4, true) }}
),
trimmed AS (
    SELECT * REPLACE (
        if({{ kept("first") | indent(12) }}, first_phone, first_phone + 1) AS first_phone,
        -- a fragment within one phone: the test of the first phone decides
        if(first_phone = last_phone OR {{ kept("last") | indent(12) }}, last_phone, last_phone - 1) AS last_phone)
    FROM overlapped
    WHERE first_phone <= last_phone
)
SELECT intervals.*, first_phone, last_phone
FROM intervals
LEFT JOIN (FROM trimmed WHERE first_phone <= last_phone) USING (file, onset, "offset")

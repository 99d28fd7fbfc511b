{# The spans of `min_phones` to `max_phones` phones inside one utterance (F_all) that are in a pair of P_all: some other
   span has the same transcription, and the two do not share more than `overlap_fraction` of the shorter. Of the spans
   of one file with that transcription, the first and the last overlap the others least. #}
{% import "term_discovery/exact/overlap.jinja" as overlap %}
{% macro apart(onset, offset) -%}
NOT {{ overlap.overlap("onset", '"offset"', onset, offset, overlap_fraction) }}
{%- endmacro %}
WITH spans AS (
    SELECT {{ scope }}pair_talker, file, phone, onset, size, left(codes, size::INTEGER) AS text
    FROM (SELECT *, unnest(range({{ min_phones }}, least({{ max_phones }}, remaining) + 1)) AS size FROM {{ phone_runs }})
),
repeated AS (
    SELECT span_.*, last_."offset"
    FROM (
        FROM spans
        SEMI JOIN (SELECT {{ scope }}pair_talker, text FROM spans GROUP BY ALL HAVING count(*) > 1) USING ({{ scope }}pair_talker, text)
    ) AS span_
    JOIN {{ phone_runs }} AS last_
        ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1{{ same("last_", phone_runs, "span_", phone_runs) }}
),
extents AS (
    SELECT {{ scope }}pair_talker, text, file, min(onset) AS first_onset, min("offset") AS first_offset,
        max(onset) AS last_onset, max("offset") AS last_offset,
        count(*) OVER (PARTITION BY {{ scope }}pair_talker, text) AS files
    FROM repeated
    GROUP BY {{ scope }}pair_talker, text, file
)
SELECT {{ scope }}pair_talker, text, file, phone, size, onset, "offset"
FROM repeated
JOIN extents USING ({{ scope }}pair_talker, text, file)
WHERE files > 1 OR {{ apart("first_onset", "first_offset") }} OR {{ apart("last_onset", "last_offset") }}

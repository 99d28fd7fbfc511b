{# The spans that are in a pair of P_all: with others of their transcription, those left out that share too much time
   with them. `partners` is how many pairs each is in. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
WITH sharing AS (
{{ overlap.sharing_time(recurring_spans, scope ~ "pair_talker, text", "onset", '"offset"', ["phone", "onset", "offset"]) }}
),
overlapping AS (
    SELECT {{ scope }}pair_talker, text, unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone
    FROM sharing
    WHERE {{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b") }}
),
counted AS (
    SELECT *, count(*) AS clashes FROM overlapping GROUP BY ALL
)
SELECT {{ scope }}pair_talker, text, file, phone, size, onset, "offset", spans - 1 - coalesce(clashes, 0) AS partners
FROM {{ recurring_spans }}
LEFT JOIN counted USING ({{ scope }}pair_talker, text, file, phone)
WHERE partners > 0

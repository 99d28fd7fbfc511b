{# The pairs of sub-spans of near pairs, each once; `found` is whether one of these near pairs is in P_disc, or any
   other pair of one group that makes them. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
{% set columns = scope_columns + ["overlap"] %}
{% set pair = scope ~ "file_a, phone_a, file_b, phone_b, size" %}
WITH pairs AS (
{{ subspans.of_pairs(near_pairs, columns, "true") }}
),
near AS (
    SELECT {{ pair }}, bool_or(NOT overlap) AS found
    FROM (
        SELECT * REPLACE (if(file_a = file_b, least(phone_a, phone_b), phone_a) AS phone_a,
            if(file_a = file_b, greatest(phone_a, phone_b), phone_b) AS phone_b)
        FROM pairs
    )
    GROUP BY ALL
),
found_otherwise AS (
    SELECT DISTINCT near_.* EXCLUDE (found)
    FROM (FROM near WHERE NOT found) AS near_
    JOIN {{ disc_subspans }} AS a
        ON a.file = file_a AND a.phone = phone_a AND a.size = near_.size{{ same("a", disc_subspans, "near_", near_pairs) }}
    JOIN {{ disc_subspans }} AS b
        ON b.file = file_b AND b.phone = phone_b AND b.size = near_.size{{ same("b", disc_subspans, "near_", near_pairs) }}
        AND b.cluster = a.cluster AND b.pair_talker = a.pair_talker
    WHERE {{ subspans.aligned("a.before", "a.after", "b.before", "b.after") }}
        AND NOT {{ overlap.overlap('a.onset', 'a."offset"', 'b.onset', 'b."offset"') }}
)
SELECT near.* REPLACE (found OR otherwise_.size IS NOT NULL AS found)
FROM near
LEFT JOIN found_otherwise AS otherwise_ USING ({{ pair }})

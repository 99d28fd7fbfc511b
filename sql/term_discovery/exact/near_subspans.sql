{# The pairs of sub-spans of near pairs, each once; `made` is whether one of these near pairs is in P_disc, or any other
   pair of one group that makes them. #}
{% import "term_discovery/exact/subspans.jinja" as subspans %}
{% import "term_discovery/exact/overlap.jinja" as overlap %}
{% set columns = scope_columns + ["overlap"] %}
WITH near AS (
    SELECT {{ scope }}file, least(phone_a, phone_b) AS phone_a, greatest(phone_a, phone_b) AS phone_b, size,
        bool_or(NOT overlap) AS made
    FROM (
{{ subspans.of_pairs(near_pairs, columns, min_phones, max_phones, "true") }}
    )
    GROUP BY ALL
),
made_otherwise AS (
    SELECT DISTINCT {{ scope }}file, phone_a, phone_b, size
    FROM (FROM near WHERE NOT made) AS near_
    JOIN {{ disc_subspans }} AS a USING ({{ scope }}file, size)
    JOIN {{ disc_subspans }} AS b USING ({{ scope }}file, size, cluster, pair_talker)
    WHERE a.phone = phone_a AND b.phone = phone_b AND {{ subspans.meet("a.before", "a.after", "b.before", "b.after") }}
        AND NOT {{ overlap.overlap('a.onset', 'a."offset"', 'b.onset', 'b."offset"', overlap_fraction) }}
)
SELECT near.* REPLACE (made OR otherwise_.size IS NOT NULL AS made)
FROM near
LEFT JOIN made_otherwise AS otherwise_ USING ({{ scope }}file, phone_a, phone_b, size)

{# The distinct pairs of sub-spans that are aligned (see recounted_subspans) in a pair of near_pairs. `found`: the pair of
   sub-spans is in P_disc*, because it is aligned in at least one pair of P_disc.

   matching_types counts aligned sub-spans of all pairs of members, including members that overlap and so are not a pair
   of P_disc. It must subtract the pairs of sub-spans that are not found.

   By definition, `found` says whether pairs/pairs_star.sql contains the pair. Here the pair is found if one of its
   pairs of near_pairs does not overlap. Otherwise, and only then, all members that contain the two sub-spans are
   searched for two of one cluster that do not overlap and in which the sub-spans are aligned.

   For example, abcdefg at 0.0–0.7 s and defghij at 0.3–1.0 s share 0.4 of 0.7 s, so they overlap. Their aligned
   sub-spans abc and def are in P_disc* only if some cluster has members that contain them, aligned, and do not overlap,
   such as abc at 0.0–0.3 s and def at 0.3–0.6 s.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, matching_types, with the enumerated form. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
{% set columns = ["overlap"] %}
{% set pair = "file_a, phone_a, file_b, phone_b, size" %}
WITH pairs AS (
{{ subspans.of_pairs(near_pairs, columns) | indent(4, true) }}
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
    JOIN {{ recounted_subspans }} AS a
        ON a.file = file_a AND a.phone = phone_a AND a.size = near_.size
    JOIN {{ recounted_subspans }} AS b
        ON b.file = file_b AND b.phone = phone_b AND b.size = near_.size
        AND b.cluster = a.cluster AND b.pair_speaker = a.pair_speaker
    WHERE {{ subspans.aligned("a.before", "a.after", "b.before", "b.after") }}
        AND NOT {{ overlap.overlap('a.onset', 'a."offset"', 'b.onset', 'b."offset"') }}
)
SELECT near.* REPLACE (found OR otherwise_.size IS NOT NULL AS found)
FROM near
LEFT JOIN found_otherwise AS otherwise_ USING ({{ pair }})

{# How scores and decisions are distributed: numbers of detections with YES and with NO, the smallest score, and how the
   detections with NO are spread at the lower end of their scores.

   A system that lists detections far below its decision threshold has few of them at the lower end, where its scores
   thin out: of 1,871 detections with NO in a normal distribution, about 9 are in the lowest tenth of the range. If all
   scores below some value are missing, the list ends where scores are frequent, with 5 % or more in the lowest tenth
   (`ends_where_frequent`); if they are replaced by one value, most detections have that value (`ends_at_one_score`).
   Probabilities thin out towards no side, because they cannot be below 0, so that an end at 0 says nothing.

   The numbers below decide on warnings only. No score depends on them. #}
{% set enough = 100 %}{# detections with NO: the lowest tenth of fewer is too small #}
{% set most = "0.5e0" %}{# share of detections with NO that have the lowest score #}
{% set low_end = "0.1e0" %}{# share of the range of scores that is its lower end #}
{% set many = "0.05e0" %}{# share of detections with NO at the lower end: ten times that of a normal distribution #}
{% set near_zero = "0.01e0" %}{# share of the range within which probabilities begin at 0 #}
{% macro number(trials, condition=none) -%}
coalesce(sum({{ trials }}){% if condition %} FILTER (WHERE {{ condition }}){% endif %}, 0)::BIGINT
{%- endmacro %}
WITH listed AS (
    SELECT score, accepted_trials AS accepted, true_trials + false_trials - accepted_trials AS rejected
    FROM {{ score_weights }}
    WHERE has_targets
),
ends AS (
    SELECT min(score) FILTER (WHERE rejected > 0) AS lowest,
        min(score) FILTER (WHERE rejected > 0 AND isfinite(score)) AS range_start,
        max(score) FILTER (WHERE rejected > 0 AND isfinite(score)) AS range_end
    FROM listed
),
counted AS (
    SELECT {{ number("accepted + rejected") }} AS detections, {{ number("accepted") }} AS accepted, {{ number("rejected") }} AS rejected,
        coalesce(min(score), 0) AS smallest_score,
        {{ number("rejected", "score = lowest") }} AS at_lowest,
        {{ number("rejected", "isfinite(score) AND score < range_start * (1 - " ~ low_end ~ ") + range_end * " ~ low_end) }} AS in_lowest_tenth,
        coalesce(min(score) >= 0 AND max(score) <= 1 AND any_value(range_start < {{ near_zero }} * (range_end - range_start)), false) AS from_zero
    FROM listed, ends
)
SELECT * EXCLUDE (from_zero), at_lowest > {{ most }} * rejected AS ends_at_one_score,
    rejected >= {{ enough }} AND in_lowest_tenth > {{ many }} * rejected AND NOT from_zero AS ends_where_frequent
FROM counted

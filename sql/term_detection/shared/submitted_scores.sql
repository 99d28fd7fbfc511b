{# How scores and decisions are distributed: numbers of detections with YES and with NO, and how the detections with NO are
   spread at the lower end of their scores.

   A system that lists detections far below its decision threshold has few of them at the lower end, where its scores
   thin out: of 1,871 detections with NO in a normal distribution, about 9 are in the lowest tenth of the range. If all
   scores below some value are missing, the list ends where scores are frequent, with 5 % or more in the lowest tenth
   (`ends_where_frequent`); if they are replaced by one value, most detections have that value (`ends_at_one_score`).
   Probabilities thin out towards no side, because they cannot be below 0, so that an end at 0 says nothing.

   The numbers below decide on warnings only. No score depends on them. #}
{% set enough = 100 %}{# detections: the lowest tenth of fewer is too small, and fewer are in a small range by chance #}
{% set most = "0.5e0" %}{# share of detections with NO that have the lowest score #}
{% set low_end = "0.1e0" %}{# share of the range of scores that is its lower end #}
{% set many = "0.05e0" %}{# share of detections with NO at the lower end: ten times that of a normal distribution #}
{% set near_zero = "0.01e0" %}{# share of the range within which probabilities begin at 0 #}
WITH ends AS (
    SELECT min(score) AS lowest, min(score) FILTER (WHERE isfinite(score)) AS range_start,
        max(score) FILTER (WHERE isfinite(score)) AS range_end
    FROM {{ detections }}
    WHERE decision = 'NO'
),
counted AS (
    SELECT count(*) AS detections, count_if(decision = 'YES') AS accepted, count_if(decision = 'NO') AS rejected,
        count_if(decision = 'NO' AND score = lowest) AS at_lowest,
        count_if(decision = 'NO' AND isfinite(score) AND score < range_start * (1 - {{ low_end }}) + range_end * {{ low_end }})
            AS in_lowest_tenth,
        coalesce(min(score) >= 0 AND max(score) <= 1, false) AS in_unit_range,
        in_unit_range AND coalesce(any_value(range_start < {{ near_zero }} * (range_end - range_start)), false) AS from_zero
    FROM {{ detections }}, ends
)
SELECT detections, accepted, rejected, at_lowest, in_lowest_tenth, at_lowest > {{ most }} * rejected AS ends_at_one_score,
    rejected >= {{ enough }} AND in_lowest_tenth > {{ many }} * rejected AND NOT from_zero AS ends_where_frequent,
    detections >= {{ enough }} AND in_unit_range AS like_probabilities
FROM counted

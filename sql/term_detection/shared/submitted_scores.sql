{# How scores and decisions are distributed: numbers of detections with YES and with NO, the smallest score, and how the
   detections with NO are spread at the lower end of their scores.

   A system that lists detections far below its decision threshold has few of them at the lower end, where its scores
   thin out: of 1,871 detections with NO in a normal distribution, about 9 are in the lowest tenth of the range. If all
   scores below some value are missing, the list ends where scores are frequent, with 5 % or more in the lowest tenth; if
   they are replaced by one value, most detections have that value. Probabilities thin out towards no side, because they
   cannot be below 0, so that an end at 0 says nothing (`from_zero`). #}
WITH listed AS (
    SELECT ranked_score(score) AS score, accepted FROM {{ scored_detections }} WHERE has_targets
),
ends AS (
    SELECT min(score) FILTER (WHERE NOT accepted) AS lowest,
        min(score) FILTER (WHERE NOT accepted AND isfinite(score)) AS range_start,
        max(score) FILTER (WHERE NOT accepted AND isfinite(score)) AS range_end
    FROM listed
)
SELECT count(*) AS detections, count_if(accepted) AS accepted, count_if(NOT accepted) AS rejected,
    coalesce(min(score), 0) AS smallest_score,
    count_if(NOT accepted AND score = lowest) AS at_lowest,
    count_if(NOT accepted AND isfinite(score) AND score < range_start * 0.9e0 + range_end * 0.1e0) AS in_lowest_tenth,
    coalesce(min(score) >= 0 AND max(score) <= 1 AND any_value(range_start < (range_end - range_start) / 100), false) AS from_zero
FROM listed, ends

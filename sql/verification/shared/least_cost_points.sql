{# The best threshold of each operating point. The naive way tries every score. The cost is a weighted sum of the two
   error rates, so that its minimum is at a vertex of the convex hull of the DET curve. The vertices are the lowest
   scores of the steps of rising_map, and the point at which no trial is accepted, which has no threshold. Of equal
   costs, the lowest threshold is taken. tests/conformance/test_verification.py compares the two ways. #}
SELECT point, miss_weight, false_alarm_weight, low AS threshold
FROM (
    SELECT low, sum(targets) OVER up - targets AS misses, sum(nontargets) OVER () - sum(nontargets) OVER up + nontargets AS false_alarms,
        sum(targets) OVER () AS targets, sum(nontargets) OVER () AS nontargets
    FROM {{ rising_map }}
    WINDOW up AS (ORDER BY low ROWS UNBOUNDED PRECEDING)
    UNION ALL
    SELECT NULL, sum(targets), 0, sum(targets), sum(nontargets) FROM {{ rising_map }}
), {{ primary_points }}
QUALIFY row_number() OVER (
    PARTITION BY point
    ORDER BY miss_weight * ratio(misses, targets) + false_alarm_weight * ratio(false_alarms, nontargets), low NULLS LAST) = 1

-- The curve of TWV of each run with its named points, for figures. The points that do not follow from `curves` are those
-- of θ_devel, the threshold that was given to twv, and of θ_mincost, the Bayes threshold on scores after γ·score + δ.
WITH points AS (
    SELECT *, lead(value) OVER down AS next_value, lead(p_fa) OVER down AS next_p_fa, lead(p_miss) OVER down AS next_p_miss
    FROM curves
    WHERE metric = 'mtwv' AND slice = '{}' AND rank IS NOT NULL
    WINDOW down AS (PARTITION BY run ORDER BY rank)
), ends AS (
    SELECT run, min(threshold) AS lowest, max(threshold) AS highest FROM points GROUP BY run
), single AS (
    SELECT run,
        any_value(value) FILTER (metric = 'atwv' AND component = 'threshold') AS theta_act,
        any_value(value) FILTER (metric = 'prior' AND component = 'theta_mincost') AS theta_mincost,
        any_value(value) FILTER (metric = 'bayes_twv' AND component = 'value') AS bayes_twv,
        any_value(value) FILTER (metric = 'twv' AND component = 'value') AS twv,
        any_value(value) FILTER (metric = 'twv' AND component = 'p_fa') AS twv_p_fa,
        any_value(value) FILTER (metric = 'twv' AND component = 'p_miss') AS twv_p_miss
    FROM scores
    WHERE slice = '{}'
    GROUP BY run
), given AS (
    SELECT id AS run, (parameters ->> '$.threshold')::DOUBLE AS theta_devel,
        coalesce((parameters ->> '$.score_scale')::DOUBLE, 1) AS gamma,
        coalesce((parameters ->> '$.score_offset')::DOUBLE, 0) AS delta
    FROM runs
), bayes AS (
    -- The last point of the curve whose scores are all above θ_mincost. In quesst2015 a point can be followed by several
    -- trials of one kind; a part of these may be accepted, too: the part that changes the value to bayes_twv.
    SELECT run, (theta_mincost - delta) / gamma AS threshold, bayes_twv AS value, p_fa, p_miss, next_p_fa, next_p_miss,
        least(greatest(coalesce((bayes_twv - value) / nullif(next_value - value, 0), 0), 0), 1) AS part
    FROM points JOIN single USING (run) JOIN given USING (run)
    WHERE gamma > 0 AND (rank = 0 OR gamma * threshold + delta > theta_mincost) AND bayes_twv IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY run ORDER BY rank DESC) = 1
), marked AS (
    SELECT run, threshold, value, p_fa + coalesce(part * (next_p_fa - p_fa), 0) AS p_fa,
        p_miss + coalesce(part * (next_p_miss - p_miss), 0) AS p_miss, 'θ_mincost' AS mark
    FROM bayes
    UNION ALL
    SELECT run, theta_devel, twv, twv_p_fa, twv_p_miss, 'θ_devel'
    FROM single JOIN given USING (run)
    WHERE twv IS NOT NULL
), shown AS (
    SELECT c.run, coalesce(c.threshold, s.theta_act) AS threshold, c.value, c.p_fa, c.p_miss, c.low, c.high,
        c.p_miss_low, c.p_miss_high, c.mark, c.rank IS NULL AS beside_curve, c.rank
    FROM curves c LEFT JOIN single s ON s.run = c.run AND c.mark = 'actual'
    WHERE c.metric = 'mtwv' AND c.slice = '{}'
    UNION ALL
    SELECT run, threshold, value, p_fa, p_miss, NULL, NULL, NULL, NULL, mark, true, NULL
    FROM marked JOIN ends USING (run)
    WHERE threshold BETWEEN lowest AND highest
)
SELECT * EXCLUDE (rank)
FROM shown
ORDER BY run, rank, mark

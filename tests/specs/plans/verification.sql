-- ## steps of verification
Suite_verification, SQL_macros_that_the_steps_use, calibrated, ranked_score, ratio, false_alarm_weight,
miss_weight, detection_cost, bayes_threshold, bits_of_odds, exact_sum, trial_bits, shared_bits, logit, finite,
remark, slice_order, horner, probit_middle, probit_end, probit_side, probit_tail, probit, scores,
trial_scores, score_counts, score_steps, eer_units, eer_scores, eer_sums, eer, min_dcf_units, min_dcf_scores,
min_dcf_sums, min_dcf, min_dcf_marks, act_dcf_units, model_speakers, act_dcf, rising_map, primary_points,
least_cost_points, least_errors, min_c_primary_units, min_c_primary, decision_errors, c_primary_units,
c_primary, cllr_units, cllr, min_cllr_units, min_cllr, calibration_loss, min_cllr_affine_units,
min_cllr_affine_parts, min_cllr_affine_weights, min_cllr_affine_points, min_cllr_affine_minimum,
min_cllr_affine, counts_units, counts, metric_min_dcf_points_of_its_curve, the_scores

-- ## verification.Suite_verification
-- Suite verification: Speaker verification, and every other detection task with one score per trial. A trial
--   tests whether the speaker of the model speaks in the segment.
-- To run it in DuckDB, first fill the tables of the inputs: scores (not read: trials); also the tables
--   …_rows_…, which Python functions make
-- Order: each of the 37 steps reads inputs and steps above it. Metrics: trial_scores → eer, min_dcf, act_dcf,
--   cllr, min_cllr_affine, counts; least_errors → min_c_primary; decision_errors → c_primary; rising_map →
--   min_cllr; other metrics → calibration_loss

-- ## verification.SQL_macros_that_the_steps_use
-- SQL macros that the steps use

-- ## verification.calibrated
-- Score after the affine map scale * score + shift. With a scale of 0 it is shift, also for an infinite score.
CREATE OR REPLACE MACRO calibrated(score, scale, shift) AS (
    if(scale = 0, shift, scale * score + shift)
);

-- ## verification.ranked_score
-- Score as a DOUBLE that can be compared with thresholds. -0.0 becomes 0.0. A score that is not a number (NaN) ends the run with an error.
CREATE OR REPLACE MACRO ranked_score(x) AS (
    CASE
    WHEN isnan((x)::DOUBLE) THEN error('a score is not a number')::DOUBLE
    WHEN (x)::DOUBLE = 0 THEN 0e0
    ELSE (x)::DOUBLE
    END
);

-- ## verification.ratio
-- Quotient a / b as a DOUBLE. It is NULL if b is 0; the score is then undefined.
CREATE OR REPLACE MACRO ratio(a, b) AS (
    (a)::DOUBLE / nullif((b)::DOUBLE, 0)
);

-- ## verification.false_alarm_weight
-- Normalised detection cost of a false alarm rate of 1: c_fa * (1 - p_target), divided by the detection cost of the better of two systems without information. Rejecting all trials costs c_miss * p_target, accepting all costs c_fa * (1 - p_target).
CREATE OR REPLACE MACRO false_alarm_weight(p_target, c_miss, c_fa) AS (
    greatest(c_fa * (1 - p_target) / (c_miss * p_target), 1e0)
);

-- ## verification.miss_weight
-- Normalised detection cost of a miss rate of 1: c_miss * p_target, divided by the detection cost of the better of two systems without information. Rejecting all trials costs c_miss * p_target, accepting all costs c_fa * (1 - p_target).
CREATE OR REPLACE MACRO miss_weight(p_target, c_miss, c_fa) AS (
    greatest(c_miss * p_target / (c_fa * (1 - p_target)), 1e0)
);

-- ## verification.detection_cost
-- Normalised detection cost at an operating point: c_miss * p_target * p_miss + c_fa * (1 - p_target) * p_fa, divided by the detection cost of the better of two systems without information.
CREATE OR REPLACE MACRO detection_cost(p_miss, p_fa, p_target, c_miss, c_fa) AS (
    p_miss * miss_weight(p_target, c_miss, c_fa) + p_fa * false_alarm_weight(p_target, c_miss, c_fa)
);

-- ## verification.bayes_threshold
-- Bayes threshold on natural log-likelihood ratios: the threshold with the least expected cost at an operating point, ln(c_fa * (1 - p_target) / (c_miss * p_target)).
CREATE OR REPLACE MACRO bayes_threshold(p_target, c_miss, c_fa) AS (
    ln(c_fa * (1 - p_target) / (c_miss * p_target))
);

-- ## verification.bits_of_odds
-- Logarithmic cost, in bits, of a true statement whose natural log odds are `odds`: log2(1 + exp(-odds)). Log odds of 0 cost 1 bit. Log odds can be infinite.
CREATE OR REPLACE MACRO bits_of_odds(odds) AS (
    greatest(-(odds)::DOUBLE, 0e0) / ln(2e0) + log2(1e0 + exp(-abs((odds)::DOUBLE)))
);

-- ## verification.exact_sum
-- Sum of DOUBLEs that does not depend on the order of rows, because each value is first rounded to 18 decimals.
CREATE OR REPLACE MACRO exact_sum(x) AS (
    sum((x)::DECIMAL(38, 18))
);

-- ## verification.trial_bits
-- Logarithmic cost, in bits, of a trial whose score is the natural log-likelihood ratio `llr`: log2(1 + exp(-llr)) of a target, log2(1 + exp(llr)) of a nontarget. The cost is a decimal number, so that sums do not depend on the order of rows. Costs of 10^15 bits or more, which count as infinite, are NULL.
CREATE OR REPLACE MACRO trial_bits(target, llr) AS (
    if(bits_of_odds(if(target, llr, -(llr))) < 1e15, bits_of_odds(if(target, llr, -(llr))), NULL)::DECIMAL(38, 15)
);

-- ## verification.shared_bits
-- Entropy, in bits, of a Bernoulli variable with a positive and b negative cases, times their number a + b. It is 0 when a or b is 0.
CREATE OR REPLACE MACRO shared_bits(a, b) AS (
    if(least(a, b) > 0, -a * log2(a / (a + b)) - b * log2(b / (a + b)), 0e0)
);

-- ## verification.logit
-- Natural log odds of a probability p, ln(p / (1 - p)).
CREATE OR REPLACE MACRO logit(p) AS (
    ln((p)::DOUBLE / (1 - (p)::DOUBLE))
);

-- ## verification.finite
-- The value x, or NULL if x is infinite or not a number. The results table scores has only finite values.
CREATE OR REPLACE MACRO finite(x) AS (
    if(isfinite(x), x, NULL)
);

-- ## verification.remark
-- Note in the results table scores on a component with the value x: the reason why x is undefined, or that x is infinite. If x is a finite number, it keeps only a note of the form "defined in 3 of 4 units".
CREATE OR REPLACE MACRO remark(x, note) AS (
    CASE
    WHEN x IS NULL THEN concat('undefined', ': ' || note)
    WHEN isnan(x) THEN 'undefined: not a number'
    WHEN isinf(x) THEN if(x > 0, 'infinite', 'minus infinite')
    WHEN note LIKE 'defined in%' THEN note
    END
);

-- ## verification.slice_order
-- Key by which rows of scores are ordered: for each column of a slice its name and its value. Numbers are ordered as numbers, also those that a file has as text, and come before other texts. A column without a value comes last.
CREATE OR REPLACE MACRO slice_order(slice) AS (
    list_transform(list_zip(json_keys(slice), json_extract_string(slice, '$.*')), lambda pair: {
        'name': pair[1],
        'number': if(regexp_full_match(pair[2], '-?\d+(\.\d+)?([eE][-+]?\d+)?|-Infinity'),
            coalesce(try_cast(pair[2] AS DOUBLE), 'Infinity'), 'Infinity'),
        'text': pair[2]
    })
);

-- ## verification.horner
-- Value at x of the polynomial with the coefficients c, from the highest power to the lowest (Horner's scheme).
CREATE OR REPLACE MACRO horner(x, c) AS (
    list_reduce(c, lambda s, each: s * x + each)
);

-- ## verification.probit_middle
-- Probit of a probability p from 0.075 to 0.925, by Wichura's algorithm AS 241, with q = p - 1/2 and r = 0.425² - q².
CREATE OR REPLACE MACRO probit_middle(q, r) AS (
    q * horner(r, [
        2509.0809287301226727e0, 33430.575583588128105e0, 67265.770927008700853e0, 45921.953931549871457e0,
        13731.693765509461125e0, 1971.5909503065514427e0, 133.14166789178437745e0, 3.387132872796366608e0])
    / horner(r, [
        5226.495278852545925e0, 28729.085735721942674e0, 39307.89580009271061e0, 21213.794301586595867e0,
        5394.1960214247511077e0, 687.1870074920579083e0, 42.313330701600911252e0, 1e0])
);

-- ## verification.probit_end
-- Absolute value of the probit of a probability p below 0.075, by algorithm AS 241, when r = sqrt(-ln p) is above 5.
CREATE OR REPLACE MACRO probit_end(r) AS (
    horner(r - 5e0, [
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386e0, 0.026532189526576123093e0,
        0.29656057182850489123e0, 1.7848265399172913358e0, 5.4637849111641143699e0, 6.6579046435011037772e0])
    / horner(r - 5e0, [
        2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
        0.0148753612908506148525e0, 0.13692988092273580531e0, 0.59983220655588793769e0, 1e0])
);

-- ## verification.probit_side
-- Absolute value of the probit of a probability p below 0.075, by algorithm AS 241, when r = sqrt(-ln p) is at most 5.
CREATE OR REPLACE MACRO probit_side(r) AS (
    horner(r - 1.6e0, [
        7.7454501427834140764e-4, 0.0227238449892691845833e0, 0.24178072517745061177e0, 1.27045825245236838258e0,
        3.64784832476320460504e0, 5.7694972214606914055e0, 4.6303378461565452959e0, 1.42343711074968357734e0])
    / horner(r - 1.6e0, [
        1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966e0, 0.14810397642748007459e0,
        0.68976733498510000455e0, 1.6763848301838038494e0, 2.05319162663775882187e0, 1e0])
);

-- ## verification.probit_tail
-- Absolute value of the probit of a probability p below 0.075, by algorithm AS 241, with r = sqrt(-ln p).
CREATE OR REPLACE MACRO probit_tail(r) AS (
    if(r <= 5, probit_side(r), probit_end(r))
);

-- ## verification.probit
-- Probit, the quantile of the standard normal distribution at a probability p (Wichura's algorithm AS 241, relative error about 1e-16). It is the scale of the axes of a DET plot. It is minus infinity at 0, infinity at 1, and NULL if p is below 0 or above 1.
CREATE OR REPLACE MACRO probit(p) AS (
    CASE
    WHEN p < 0 OR p > 1 THEN NULL
    WHEN p = 0 THEN '-inf'::DOUBLE
    WHEN p = 1 THEN 'inf'::DOUBLE
    WHEN abs(p - 0.5e0) <= 0.425e0 THEN probit_middle(p - 0.5e0, 0.180625e0 - (p - 0.5e0) * (p - 0.5e0))
    WHEN p < 0.5 THEN -probit_tail(sqrt(-ln(p)))
    ELSE probit_tail(sqrt(-ln(1 - p)))
    END
);

-- ## verification.scores
-- input scores (specs/verification/tables.yaml): One row per trial, with the score of the system. If the
--   input trials is not given, it also has the column target, and any other column that --by may name.
CREATE TABLE IF NOT EXISTS "scores" (line BIGINT, "model" VARCHAR, "segment" VARCHAR, "score" DOUBLE, "target" BOOLEAN, "speaker" VARCHAR, "test_speaker" VARCHAR);

-- ## verification.trial_scores
-- relation trial_scores (specs/verification/shared/trial_scores.yaml)
-- The trials with their scores. Without the input `trials`, they are the rows of `scores`.
CREATE TABLE "trial_scores" AS
SELECT model, segment, speaker, test_speaker, target, listed, line,
    ranked_score(score) AS score, calibrated(score, 1.0e0, 0.0e0) AS llr,
    target::TINYINT AS targets, (NOT target)::TINYINT AS nontargets
FROM (
    SELECT *, true AS listed FROM "scores"
);

-- ## verification.score_counts
-- relation score_counts (specs/verification/shared/trial_scores.yaml)
-- One row per score and kind of trial, with the number of trials.
CREATE TABLE "score_counts" AS
SELECT score, target, sum(targets)::BIGINT AS targets, sum(nontargets)::BIGINT AS nontargets
FROM "trial_scores"
GROUP BY ALL;

-- ## verification.score_steps
-- relation score_steps (specs/verification/shared/trial_scores.yaml)
-- The trials in steps of neighbouring scores, over which thresholds are tried. The naive way tries every
--   score. Between the scores of two targets there are only nontargets, so that the DET curve is straight
--   there: a threshold inside is never the best one, and the two rates cross on the straight line. With
--   targets at 0.9 and 0.5 and nontargets at 0.8, 0.7 and 0.3, the steps are {0.9}, {0.8, 0.7}, {0.5} and
--   {0.3}. tests/conformance/test_verification.py compares the two ways.
-- With eer_crossing=nearest each score is a step, because the equal error rate is then the rate at one
--   threshold.
CREATE TABLE "score_steps" AS
SELECT min(trial.score) AS score, sum(targets)::BIGINT AS targets, sum(nontargets)::BIGINT AS nontargets
FROM "score_counts" AS trial
ASOF LEFT JOIN (SELECT DISTINCT score FROM "score_counts" WHERE target) AS step_ ON trial.score >= step_.score
GROUP BY step_.score, trial.score > step_.score;

-- ## verification.eer_units
-- metric eer, statistics per unit (specs/verification/shared/eer.yaml)
-- Equal error rate (EER): the miss rate and false alarm rate where the two are equal, on the DET curve or,
--   with eer_crossing=hull, on its convex hull. 0 means that a threshold separates all targets from all
--   nontargets; 0.5 is chance.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "eer_units" AS
SELECT
    sum(targets) AS "hits",
    sum(nontargets) AS "false_alarms"
FROM "trial_scores" AS counted_rows
GROUP BY ALL;

-- ## verification.eer_scores
-- metric eer, sums per score (specs/verification/shared/eer.yaml)
-- The sums of the statistics over the rows with each score: one row for each distinct score of a slice (of a
--   unit, if each unit has its own threshold). Rows without a score are left out. Statistics are additive, so
--   that a run in parts adds up the sums that each part has made of its rows.
CREATE VIEW "eer_scores" AS
SELECT
        0 AS breakdown,
        ranked_score(score) AS threshold,
        sum(targets) AS "hits",
        sum(nontargets) AS "false_alarms"
FROM "score_steps" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## verification.eer_sums
-- metric eer, running sums (specs/verification/shared/eer.yaml)
-- The running sums of the statistics from the highest score to the lowest: one row for each distinct score of
--   a slice (of a unit, if each unit has its own threshold), with the sums over all rows with this score or a
--   higher score.
-- The naive way filters the rows again at each threshold θ, by score ≥ θ. Because statistics are additive,
--   the sum at θ is the sum at the next higher threshold plus the rows with the score θ, so that one pass is
--   enough. With the scores 0.9 (hit), 0.8 (false alarm) and 0.5 (hit), the running numbers are 1, 1, 2 hits
--   and 0, 1, 1 false alarms. Rows without a score are in no sum. tests/unit/test_sweep.py compares the two
--   ways.
CREATE TABLE "eer_sums" AS
SELECT breakdown, threshold,
        row_number() OVER down AS rank,
        coalesce(sum("hits") OVER down, 0) AS "hits",
        coalesce(sum("false_alarms") OVER down, 0) AS "false_alarms"
FROM "eer_scores"
WINDOW down AS (ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- ## verification.eer
-- metric eer, scores (specs/verification/shared/eer.yaml)
-- The best point of the curve in each slice (or unit): the threshold at which the component named by `best`
--   is largest or smallest, with all components at this threshold.
-- The naive way tries each threshold θ in turn: accept the rows with score ≥ θ, add up their statistics,
--   compute the components. Here the sums at all thresholds are already known (running_sums.sql), and the
--   components are computed once for each threshold. Components within `tie` (1e-12) of the best value are
--   ties, and the lowest of their thresholds is taken. The point that accepts no row is above all thresholds,
--   so that it is taken only if there is no tie. tests/unit/test_sweep.py compares the result with the naive
--   way.
CREATE TABLE "eer" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "eer_units"
    GROUP BY ALL
),
points AS NOT MATERIALIZED (
    SELECT
        sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        coalesce(running."hits", 0) AS "hits",
        coalesce(running."false_alarms", 0) AS "false_alarms"
    FROM sums
    JOIN "eer_sums" AS running ON running.breakdown = sums.breakdown
    UNION ALL
    SELECT
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        0 AS "hits",
        0 AS "false_alarms"
    FROM sums
),
at_points AS NOT MATERIALIZED (
    SELECT slice, breakdown, rank, threshold, mark,
        (1 - ratio(hits, total.hits) + ratio(false_alarms, total.false_alarms)) / 2 AS "value",
        (1 - ratio(hits, total.hits))::DOUBLE AS "falling rate",
        (ratio(false_alarms, total.false_alarms))::DOUBLE AS "rising rate",
        abs("falling rate" - "rising rate") AS "optimised value",
        {"hits": points."hits", "false_alarms": points."false_alarms" } AS accepted
    FROM points
)
,
optimum AS (
    SELECT breakdown, min(nullif("optimised value"::DOUBLE, 'nan'::DOUBLE)) AS best
    FROM at_points
    GROUP BY ALL
),
nearest AS (
    SELECT at_points.*
    FROM at_points JOIN optimum ON at_points.breakdown = optimum.breakdown
    WHERE at_points."optimised value"::DOUBLE = optimum.best
        OR at_points."optimised value"::DOUBLE < optimum.best + 1e-12
    QUALIFY row_number() OVER (PARTITION BY at_points.breakdown ORDER BY threshold ASC NULLS LAST) = 1
),
ends AS (
    SELECT breakdown, max(rank) FILTER ("falling rate" > "rising rate") AS above,
        min(rank) FILTER ("falling rate" <= "rising rate") AS below
    FROM at_points
    GROUP BY ALL
),
crossed AS (
    SELECT one.breakdown,
        (one."falling rate" - one."rising rate")
            / (one."falling rate" - one."rising rate" + other."rising rate" - other."falling rate") AS share,
        one."value"::DOUBLE + share * (other."value"::DOUBLE - one."value"::DOUBLE) AS "value"
    FROM ends
    JOIN at_points AS one ON one.breakdown = ends.breakdown AND one.rank = ends.above
    JOIN at_points AS other ON other.breakdown = ends.breakdown AND other.rank = ends.below
)
,
chosen AS (
    SELECT nearest.* REPLACE (
        if(crossed.breakdown IS NULL, nearest."value", crossed."value") AS "value"
    )
    FROM nearest LEFT JOIN crossed ON crossed.breakdown = nearest.breakdown
)
SELECT sums.scope, sums.slice, sums.breakdown,
    chosen."value",
    chosen.threshold AS threshold, chosen.rank AS best_rank,
    CASE WHEN chosen.rank = 0 THEN 'reject all' END AS remark,
    CASE WHEN hits = 0 THEN 'no target' WHEN false_alarms = 0 THEN 'no nontarget' WHEN value > 0.5 THEN 'above 0.5: are scores higher where a target is less likely? If so, negate them in the file' ELSE CASE WHEN chosen.rank IS NULL THEN 'at every threshold'
         ELSE nullif(concat_ws(', ', CASE WHEN chosen.accepted."hits" = 0 THEN 'hits = 0' END, CASE WHEN chosen.accepted."false_alarms" = 0 THEN 'false_alarms = 0' END), '')
    END END AS note
FROM sums  LEFT JOIN chosen ON chosen.breakdown = sums.breakdown;

-- ## verification.min_dcf_units
-- metric min_dcf, statistics per unit (specs/verification/shared/detection_cost.yaml)
-- Minimum detection cost (minDCF), normalised: the smallest detection cost over all thresholds, divided by
--   the cost of the better of two systems without information (rejecting all trials costs c_miss·p_target,
--   accepting all trials costs c_fa·(1 − p_target)). 0 is perfect, 1 is no better than such a system.
--   `p_miss` and `p_fa` are the rates at the best `threshold`.
CREATE TABLE "min_dcf_units" AS
SELECT
    sum(targets) AS "hits",
    sum(nontargets) AS "false_alarms"
FROM "trial_scores" AS counted_rows
GROUP BY ALL;

-- ## verification.min_dcf_scores
-- metric min_dcf, sums per score (specs/verification/shared/detection_cost.yaml)
CREATE VIEW "min_dcf_scores" AS
SELECT
        0 AS breakdown,
        ranked_score(score) AS threshold,
        sum(targets) AS "hits",
        sum(nontargets) AS "false_alarms"
FROM "score_steps" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## verification.min_dcf_sums
-- metric min_dcf, running sums (specs/verification/shared/detection_cost.yaml)
CREATE TABLE "min_dcf_sums" AS
SELECT breakdown, threshold,
        row_number() OVER down AS rank,
        coalesce(sum("hits") OVER down, 0) AS "hits",
        coalesce(sum("false_alarms") OVER down, 0) AS "false_alarms"
FROM "min_dcf_scores"
WINDOW down AS (ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- ## verification.min_dcf
-- metric min_dcf, scores (specs/verification/shared/detection_cost.yaml)
CREATE TABLE "min_dcf" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "min_dcf_units"
    GROUP BY ALL
),
points AS NOT MATERIALIZED (
    SELECT
        sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        coalesce(running."hits", 0) AS "hits",
        coalesce(running."false_alarms", 0) AS "false_alarms"
    FROM sums
    JOIN "min_dcf_sums" AS running ON running.breakdown = sums.breakdown
    UNION ALL
    SELECT
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        0 AS "hits",
        0 AS "false_alarms"
    FROM sums
),
at_points AS NOT MATERIALIZED (
    SELECT slice, breakdown, rank, threshold, mark,
        1 - ratio(hits, total.hits) AS "p_miss",
        ratio(false_alarms, total.false_alarms) AS "p_fa",
        detection_cost(p_miss, p_fa, 0.01e0, 1.0e0, 1.0e0) AS "value",
        {"hits": points."hits", "false_alarms": points."false_alarms" } AS accepted
    FROM points
)
,
optimum AS (
    SELECT breakdown, min(nullif("value"::DOUBLE, 'nan'::DOUBLE)) AS best
    FROM at_points
    GROUP BY ALL
),
chosen AS (
    SELECT at_points.*
    FROM at_points JOIN optimum ON at_points.breakdown = optimum.breakdown
    WHERE at_points."value"::DOUBLE = optimum.best
        OR at_points."value"::DOUBLE < optimum.best + 1e-12
    QUALIFY row_number() OVER (PARTITION BY at_points.breakdown ORDER BY threshold ASC NULLS LAST) = 1
)
SELECT sums.scope, sums.slice, sums.breakdown,
    chosen."p_miss",
    chosen."p_fa",
    chosen."value",
    chosen.threshold AS threshold, chosen.rank AS best_rank,
    CASE WHEN chosen.rank = 0 THEN 'reject all' END AS remark,
    CASE WHEN hits = 0 THEN 'no target' WHEN false_alarms = 0 THEN 'no nontarget' ELSE CASE WHEN chosen.rank IS NULL THEN 'at every threshold'
         ELSE nullif(concat_ws(', ', CASE WHEN chosen.accepted."hits" = 0 THEN 'hits = 0' END, CASE WHEN chosen.accepted."false_alarms" = 0 THEN 'false_alarms = 0' END), '')
    END END AS note
FROM sums  LEFT JOIN chosen ON chosen.breakdown = sums.breakdown;

-- ## verification.min_dcf_marks
-- metric min_dcf, sums of marked points (specs/verification/shared/detection_cost.yaml)
-- The sums of the statistics at the marked points of a curve. At a marked point, the accepted rows are those
--   that satisfy a condition, such as decision = 'YES', and not those above a threshold.
CREATE TABLE "min_dcf_marks" AS
SELECT
        0 AS breakdown,
        'actual' AS mark,
        sum(targets) AS "hits",
        sum(nontargets) AS "false_alarms"
FROM "trial_scores" AS counted_rows
WHERE llr >= bayes_threshold(0.01e0, 1.0e0, 1.0e0)
GROUP BY ALL;

-- ## verification.act_dcf_units
-- metric act_dcf, statistics per unit (specs/verification/shared/detection_cost.yaml)
-- Actual detection cost, normalised: the detection cost at the Bayes threshold ln(c_fa·(1 − p_target) /
--   (c_miss·p_target)) on the scores, read as natural log-likelihood ratios, divided by the cost of the
--   better of two systems without information (as in min_dcf). A trial is accepted if its score is at least
--   the threshold. 0 is perfect. `score_scale` and `score_offset` calibrate the scores first.
CREATE TABLE "act_dcf_units" AS
SELECT "model",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    count_if(target AND llr >= bayes_threshold(0.01e0, 1.0e0, 1.0e0)) AS "hits",
    count_if(NOT target AND llr >= bayes_threshold(0.01e0, 1.0e0, 1.0e0)) AS "false_alarms"
FROM "trial_scores" AS counted_rows
GROUP BY ALL;

-- ## verification.model_speakers
-- relation model_speakers (specs/verification/shared/trial_scores.yaml)
-- One row per model, with its speaker.
CREATE TABLE "model_speakers" AS
SELECT model, min(speaker) AS speaker
FROM "scores"
GROUP BY model;

-- ## verification.act_dcf
-- metric act_dcf, scores (specs/verification/shared/detection_cost.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "act_dcf" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "act_dcf_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    1 - ratio(hits, targets) AS "p_miss",
    ratio(false_alarms, nontargets) AS "p_fa",
    detection_cost(p_miss, p_fa, 0.01e0, 1.0e0, 1.0e0) AS "value",
    bayes_threshold(0.01e0, 1.0e0, 1.0e0) AS "threshold",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END), '') AS note
FROM sums;

-- ## verification.rising_map
-- relation rising_map (specs/verification/shared/rising_map.yaml)
-- The steps of the rising map, from low to high scores. All trials of a step get the same log-likelihood
--   ratio: the log odds of a target in the step minus the log odds of a target among all trials.
--   `target_bits` and `nontarget_bits` are the logarithmic costs of this ratio for a target and for a
--   nontarget trial, if both are equally likely.
-- Example: a step has 3 targets and 1 nontarget trial, and all trials are 10 targets and 90 nontarget trials.
--   The log-likelihood ratio of the step is ln(3/1) − ln(10/90) = 3.30.
-- "rising_map_rows" is what the Python function pool_adjacent_violators makes of the rows of
--   SELECT score, targets AS positives, nontargets AS negatives FROM "score_steps" ORDER BY score
CREATE TABLE "rising_map" AS
SELECT *, bits_of_odds(llr) AS target_bits, bits_of_odds(-llr) AS nontarget_bits
FROM (
    SELECT low, positives AS targets, negatives AS nontargets, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM "rising_map_rows"
    WINDOW everything AS ()
);

-- ## verification.primary_points
-- relation primary_points (specs/verification/shared/c_primary.yaml)
-- The operating points of the parameter `operating_points`; what is not a prior or a cost is NULL. A
--   detection cost is divided by the cost of the better of two systems without information, so that only the
--   weights of the two error rates matter.
CREATE TABLE "primary_points" AS
SELECT point, text, bayes_threshold(p_target, c_miss, c_fa) AS threshold,
    miss_weight(p_target, c_miss, c_fa) AS miss_weight,
    false_alarm_weight(p_target, c_miss, c_fa) AS false_alarm_weight
FROM (
    SELECT point, text, if(p_target > 0 AND p_target < 1, p_target, NULL) AS p_target,
        if(c_miss > 0 AND c_miss <= 1e9, c_miss, NULL) AS c_miss, if(c_fa > 0 AND c_fa <= 1e9, c_fa, NULL) AS c_fa
    FROM (
        SELECT point, text, try_cast(parts[1] AS DOUBLE) AS p_target,
            if(len(parts) = 1, 1, try_cast(parts[2] AS DOUBLE)) AS c_miss,
            CASE len(parts) WHEN 1 THEN 1 WHEN 3 THEN try_cast(parts[3] AS DOUBLE) END AS c_fa
        FROM (
            SELECT unnest(range(1, len(texts) + 1)) AS point, unnest(texts) AS text,
                string_split_regex(trim(unnest(texts)), ' +') AS parts
            FROM (SELECT ['0.01', '0.005']::VARCHAR[] AS texts)
        )
    )
);

-- ## verification.least_cost_points
-- relation least_cost_points (specs/verification/shared/c_primary.yaml)
-- The best threshold of each operating point. The naive way tries every score. The cost is a weighted sum of
--   the two error rates, so that its minimum is at a vertex of the convex hull of the DET curve. The vertices
--   are the lowest scores of the steps of rising_map, and the point at which no trial is accepted, which has
--   no threshold. Of equal costs, the lowest threshold is taken. tests/conformance/test_verification.py
--   compares the two ways.
CREATE TABLE "least_cost_points" AS
SELECT point, miss_weight, false_alarm_weight, low AS threshold
FROM (
    SELECT low, sum(targets) OVER up - targets AS misses, sum(nontargets) OVER () - sum(nontargets) OVER up + nontargets AS false_alarms,
        sum(targets) OVER () AS targets, sum(nontargets) OVER () AS nontargets
    FROM "rising_map"
    WINDOW up AS (ORDER BY low ROWS UNBOUNDED PRECEDING)
    UNION ALL
    SELECT NULL, sum(targets), 0, sum(targets), sum(nontargets) FROM "rising_map"
), "primary_points"
QUALIFY row_number() OVER (
    PARTITION BY point
    ORDER BY miss_weight * ratio(misses, targets) + false_alarm_weight * ratio(false_alarms, nontargets), low NULLS LAST) = 1;

-- ## verification.least_errors
-- relation least_errors (specs/verification/shared/c_primary.yaml)
-- One row per model and operating point, with the errors at the best threshold of all trials.
CREATE TABLE "least_errors" AS
SELECT model, point, any_value(miss_weight) AS miss_weight, any_value(false_alarm_weight) AS false_alarm_weight,
    sum(targets)::BIGINT AS targets, sum(nontargets)::BIGINT AS nontargets,
    count_if(target AND NOT accepted) AS misses, count_if(NOT target AND accepted) AS false_alarms
FROM (SELECT *, coalesce(score >= threshold, false) AS accepted FROM "trial_scores", "least_cost_points")
GROUP BY model, point;

-- ## verification.min_c_primary_units
-- metric min_c_primary, statistics per unit (specs/verification/shared/c_primary.yaml)
-- Minimum primary cost (minimum C_Primary) of NIST SRE, but over all trials: the mean of min_dcf over the
--   operating points. It is not the official number, in which each partition of the trials has the same
--   weight. Each operating point has its own best threshold. 0 is perfect, 1 is the largest value. Intervals
--   are computed at the best thresholds of the corpus.
CREATE TABLE "min_c_primary_units" AS
SELECT "model",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    exact_sum(misses * miss_weight) AS "miss_cost",
    exact_sum(false_alarms * false_alarm_weight) AS "false_alarm_cost"
FROM "least_errors" AS counted_rows
GROUP BY ALL;

-- ## verification.min_c_primary
-- metric min_c_primary, scores (specs/verification/shared/c_primary.yaml)
CREATE TABLE "min_c_primary" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("miss_cost"), 0) AS "miss_cost",
        coalesce(sum("false_alarm_cost"), 0) AS "false_alarm_cost"
    FROM "min_c_primary_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(miss_cost, targets) + ratio(false_alarm_cost, nontargets) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."miss_cost" = 0 THEN 'miss_cost = 0' END, CASE WHEN sums."false_alarm_cost" = 0 THEN 'false_alarm_cost = 0' END), '') AS note
FROM sums;

-- ## verification.decision_errors
-- relation decision_errors (specs/verification/shared/c_primary.yaml)
-- One row per model and operating point, with the errors at the Bayes threshold.
CREATE TABLE "decision_errors" AS
SELECT model, point, any_value(miss_weight) AS miss_weight, any_value(false_alarm_weight) AS false_alarm_weight,
    sum(targets)::BIGINT AS targets, sum(nontargets)::BIGINT AS nontargets,
    count_if(target AND NOT accepted) AS misses, count_if(NOT target AND accepted) AS false_alarms
FROM (SELECT *, coalesce(llr >= threshold, false) AS accepted FROM "trial_scores", "primary_points")
GROUP BY model, point;

-- ## verification.c_primary_units
-- metric c_primary, statistics per unit (specs/verification/shared/c_primary.yaml)
-- Actual primary cost (C_Primary) of NIST SRE, but over all trials: the mean of act_dcf over the operating
--   points. It is not the official number, in which each partition of the trials has the same weight. 0 is
--   perfect.
CREATE TABLE "c_primary_units" AS
SELECT "model",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    exact_sum(misses * miss_weight) AS "miss_cost",
    exact_sum(false_alarms * false_alarm_weight) AS "false_alarm_cost"
FROM "decision_errors" AS counted_rows
GROUP BY ALL;

-- ## verification.c_primary, like verification.min_c_primary except:
@@ -1,2 +1,2 @@
--- metric min_c_primary, scores (specs/verification/shared/c_primary.yaml)
-CREATE TABLE "min_c_primary" AS
+-- metric c_primary, scores (specs/verification/shared/c_primary.yaml)
+CREATE TABLE "c_primary" AS
@@ -12 +12 @@
-    FROM "min_c_primary_units"
+    FROM "c_primary_units"

-- ## verification.cllr_units
-- metric cllr, statistics per unit (specs/verification/shared/cllr.yaml)
-- Cost of log-likelihood ratios (C_llr), in bits: the mean logarithmic cost of the scores, read as natural
--   log-likelihood ratios, where targets and nontargets count one half each. A target trial costs log2(1 +
--   exp(−llr)), a nontarget trial log2(1 + exp(llr)). 0 is perfect, 1 is no better than no scores, and more
--   than 1 means badly calibrated scores. `score_scale` and `score_offset` calibrate the scores first.
CREATE TABLE "cllr_units" AS
SELECT "model",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    coalesce(sum(trial_bits(target, llr)) FILTER (WHERE target), 0) AS "target_bits",
    coalesce(sum(trial_bits(target, llr)) FILTER (WHERE NOT target), 0) AS "nontarget_bits",
    count_if(trial_bits(target, llr) IS NULL) AS "infinite"
FROM "trial_scores" AS counted_rows
GROUP BY ALL;

-- ## verification.cllr
-- metric cllr, scores (specs/verification/shared/cllr.yaml)
CREATE TABLE "cllr" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("target_bits"), 0) AS "target_bits",
        coalesce(sum("nontarget_bits"), 0) AS "nontarget_bits",
        coalesce(sum("infinite"), 0) AS "infinite"
    FROM "cllr_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(infinite > 0, 'inf'::DOUBLE, (ratio(target_bits, targets) + ratio(nontarget_bits, nontargets)) / 2) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."target_bits" = 0 THEN 'target_bits = 0' END, CASE WHEN sums."nontarget_bits" = 0 THEN 'nontarget_bits = 0' END, CASE WHEN sums."infinite" = 0 THEN 'infinite = 0' END), '') AS note
FROM sums;

-- ## verification.min_cllr_units
-- metric min_cllr, statistics per unit (specs/verification/shared/cllr.yaml)
-- Minimum C_llr: cllr after the isotonic (rising) map of the scores that minimises it, found by pool adjacent
--   violators (PAV). An isotonic map never gives a higher score a lower value. Equal scores have equal
--   values. 0 means that a threshold separates all targets from all nontargets; 1 is the largest value.
CREATE TABLE "min_cllr_units" AS
SELECT
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    exact_sum(if(targets = 0, 0, targets * target_bits)) AS "target_bits",
    exact_sum(if(nontargets = 0, 0, nontargets * nontarget_bits)) AS "nontarget_bits"
FROM "rising_map" AS counted_rows
GROUP BY ALL;

-- ## verification.min_cllr
-- metric min_cllr, scores (specs/verification/shared/cllr.yaml)
CREATE TABLE "min_cllr" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("target_bits"), 0) AS "target_bits",
        coalesce(sum("nontarget_bits"), 0) AS "nontarget_bits"
    FROM "min_cllr_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    (ratio(target_bits, targets) + ratio(nontarget_bits, nontargets)) / 2 AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."target_bits" = 0 THEN 'target_bits = 0' END, CASE WHEN sums."nontarget_bits" = 0 THEN 'nontarget_bits = 0' END), '') AS note
FROM sums;

-- ## verification.calibration_loss
-- metric calibration_loss, scores (specs/verification/shared/cllr.yaml)
-- Calibration loss: cllr − min_cllr, the part of C_llr that the best rising map of the scores removes. 0 is
--   perfect calibration.
-- The scores of the metric: components computed from components of other metrics, which are joined by slice
--   and fold. A metric without slices has the same value in every slice of the first metric.
CREATE TABLE "calibration_loss" AS
SELECT cllr.scope, cllr.slice, cllr.breakdown,
    cllr.value - min_cllr.value AS "value",
    nullif(concat_ws('; ', cllr.note, min_cllr.note), '') AS note
FROM "cllr" AS cllr
LEFT JOIN "min_cllr" AS min_cllr
    ON min_cllr.scope = cllr.scope;

-- ## verification.min_cllr_affine_units
-- metric min_cllr_affine, statistics per unit (specs/verification/shared/cllr.yaml)
-- Minimum C_llr over affine maps: cllr after the map scale·score + offset that minimises it (logistic
--   regression). With `score_scale` and `score_offset` from another run, cllr has this map. If the cost keeps
--   falling as the scale grows, because a threshold separates all targets from all nontargets, the value is
--   the limit, and `scale` and `offset` are NULL.
CREATE TABLE "min_cllr_affine_units" AS
SELECT
    sum(targets) AS "positives",
    sum(nontargets) AS "negatives"
FROM "trial_scores" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## verification.min_cllr_affine_parts
-- metric min_cllr_affine, weights per slice (specs/verification/shared/cllr.yaml)
-- The slices to which calibrations are fitted, numbered as parts, each with the prior and the total weights
--   of its positives and of its negatives.
CREATE TABLE "min_cllr_affine_parts" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("positives"), 0) AS "positives",
        coalesce(sum("negatives"), 0) AS "negatives"
    FROM "min_cllr_affine_units"
    GROUP BY ALL
)
SELECT *, (0.5)::DOUBLE AS prior,
    row_number() OVER (ORDER BY breakdown) AS part
FROM (
    SELECT sums.* REPLACE (sums.positives::DOUBLE AS positives, sums.negatives::DOUBLE AS negatives)
    FROM sums
);

-- ## verification.min_cllr_affine_weights
-- metric min_cllr_affine, weights per score (specs/verification/shared/cllr.yaml)
-- The weights of the positives and of the negatives at each score: one row for each distinct score of a
--   slice. A run in parts adds up the weights that each part has found in its rows.
CREATE VIEW "min_cllr_affine_weights" AS
SELECT
        0 AS breakdown,
        ranked_score(score) AS score,
        coalesce(sum(targets), 0) AS "positives",
        coalesce(sum(nontargets), 0) AS "negatives"
FROM "trial_scores" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## verification.min_cllr_affine_points
-- metric min_cllr_affine, points (specs/verification/shared/cllr.yaml)
-- The points of the calibration: each distinct score of a part, with the weight of the positives and the
--   weight of the negatives at this score. In each part, the weights of all positives add up to the prior,
--   and the weights of all negatives to 1 − prior. Rows with equal scores have equal costs, so that they are
--   one point.
CREATE TABLE "min_cllr_affine_points" AS
SELECT part, weights.score,
    weights.positives::DOUBLE * (prior / nullif(parts.positives, 0)) AS positive,
    weights.negatives::DOUBLE * ((1 - prior) / nullif(parts.negatives, 0)) AS negative
FROM "min_cllr_affine_weights" AS weights JOIN "min_cllr_affine_parts" AS parts ON parts.breakdown = weights.breakdown;

-- ## verification.min_cllr_affine_minimum
-- metric min_cllr_affine, the least cost (specs/verification/shared/cllr.yaml)
-- The slope and intercept with the least logistic cost, and this cost, for each part. This is logistic
--   regression with one variable, solved by Newton's method.
-- The cost. A point has a score and the weights `positive` and `negative`; all weights of a part add up to 1.
--   With the log odds o = slope · score + intercept, a point costs positive · ln(1 + exp(−o)) + negative ·
--   ln(1 + exp(o)). The cost of the part is the sum over its points, and is reported in bits. The cost is
--   convex: its minimum is where its derivatives are 0.
-- Newton's method. Near any slope and intercept, the cost is nearly a paraboloid. Its shape follows from the
--   first and second derivatives of the cost, which are sums over the points. A step goes to the lowest point
--   of the paraboloid, and the next paraboloid is computed there. Close to the minimum, each step doubles the
--   number of correct digits. For example, take the score −1 with the weights positive 0.1 and negative 0.4,
--   and the score 1 with positive 0.4 and negative 0.1. From the slope 0, the steps lead to the slopes 1.2,
--   1.377, 1.38627 and 1.386294. The best slope is ln 4, because the odds of a positive at the score 1 are 4.
-- One step. Write z = (score − centre) / scale and p = 1 / (1 + exp(−o)). The residual of a point is r =
--   negative · p − positive · (1 − p), and its curvature is c = (positive + negative) · p · (1 − p). The
--   derivative of the cost is Σ r by the intercept and Σ r · z by the slope. The second derivatives are Σ c,
--   Σ c · z and Σ c · z². Let m and v be the mean and the variance of z with the weights c. If z is measured
--   from m, the sum Σ c · z is 0, so that slope and intercept are found one by one: the intercept changes by
--   −Σ r / Σ c, and the slope by −(Σ r · z − m · Σ r) / (v · Σ c). Therefore each step moves the centre to m,
--   and divides z by its standard deviation √v. Thus z keeps its digits where the classes meet, even if most
--   scores are a floor such as −1e9.
-- A step that increases the cost is tried again with a quarter of its length. The method ends when the
--   paraboloid is at most 5e-19 deep or flat. These limits do not show in a score: 5e-19 is less than the
--   last digit of a cost, and a sum of curvatures that counts as flat (1e-17) is less than that of a prior of
--   1e-14. The method also ends when the length is below 1e-30, or after 500 steps, and a note reports this.
--   A step of Newton's method decreases the cost if it is short enough. Where the curvature is nearly 0, a
--   step can be 1e11 times too long.
-- All parts take their steps together: one round of the recursion is one aggregate over the points. If there
--   are more than 5,000 points, the minimum over about 2,000 bins of near scores is found first, and the
--   first step over all points goes there. The numbers of points, bins and rounds only change how long that
--   takes.
-- Before, the cases without a minimum are recognised exactly, from the ranges of the scores of both classes.
--   (1) If the classes are separated, the cost falls towards a limit as the slope grows. With positives at 3
--   and 4 and negatives at 1 and 2, the limit is 0. With negatives at 1 and 3, both ranges contain the score
--   3, and the limit is the entropy of the classes at this score. (2) If all scores are equal, slope 0 is
--   best, and the cost is the entropy of the classes (`flat`). (3) An infinite score can forbid slopes of one
--   sign: with a positive at −∞, the cost is infinite at every slope above 0. If the best slope has the
--   forbidden sign, the cost is the limit towards slope 0, the entropy of the classes among the finite
--   scores. If both signs are forbidden, slope 0 is best (`flat`). In all these cases, slope and intercept
--   are NULL here; scores.sql reports 0 for them if `flat`. In the limits, `limit` has the weights of the
--   classes at the scores that cost something, and the score if there is only one, as in case 1. For the cost
--   of single scores, `limit_odds` are the log odds at these scores (block_costs.sql). With a best slope,
--   `centre` and `scale` are those of z at the minimum, and `slope_left` and `intercept_left` are the step
--   that was too small to take.
-- tests/unit/test_fit.py compares the result with a minimiser of scipy, and has the example.
CREATE TABLE "min_cllr_affine_minimum" AS
WITH RECURSIVE extremes AS (
    SELECT part,
        coalesce(sum(positive::DECIMAL(38, 24)) FILTER (WHERE isfinite(score)), 0)::DOUBLE AS positive,
        coalesce(sum(negative::DECIMAL(38, 24)) FILTER (WHERE isfinite(score)), 0)::DOUBLE AS negative,
        min(score) FILTER (WHERE isfinite(score) AND positive > 0) AS positive_low,
        max(score) FILTER (WHERE isfinite(score) AND positive > 0) AS positive_high,
        min(score) FILTER (WHERE isfinite(score) AND negative > 0) AS negative_low,
        max(score) FILTER (WHERE isfinite(score) AND negative > 0) AS negative_high,
        arg_min(positive, score) FILTER (WHERE isfinite(score) AND positive > 0) AS at_positive_low,
        arg_max(positive, score) FILTER (WHERE isfinite(score) AND positive > 0) AS at_positive_high,
        arg_min(negative, score) FILTER (WHERE isfinite(score) AND negative > 0) AS at_negative_low,
        arg_max(negative, score) FILTER (WHERE isfinite(score) AND negative > 0) AS at_negative_high,
        -- never_up: a positive at -inf or a negative at inf, so that the cost is infinite at every slope above 0
        bool_or(if(score > 0, negative, positive) > 0) FILTER (WHERE isinf(score)) AS never_up,
        bool_or(if(score > 0, positive, negative) > 0) FILTER (WHERE isinf(score)) AS never_down,
        min(least(positive, negative)) < 0 AS below_0
    FROM "min_cllr_affine_points"
    GROUP BY part
),
cases AS (
    SELECT * REPLACE (coalesce(never_up, false) AS never_up, coalesce(never_down, false) AS never_down),
        least(positive_low, negative_low) AS low, greatest(positive_high, negative_high) AS high,
        CASE
            WHEN coalesce(never_up, false) AND coalesce(never_down, false) THEN 'contradictory'
            WHEN least(positive, negative) <= 0 THEN 'one class'
            WHEN least(positive_low, negative_low) = greatest(positive_high, negative_high) THEN 'constant'
            WHEN positive_low >= negative_high THEN 'upwards'
            WHEN positive_high <= negative_low THEN 'downwards'
            ELSE 'mixed'
        END AS shape
    FROM extremes
),
-- The start: slope 0, where the cost is the entropy of the classes. `binned` and `rough` find the first step.
level AS (
    SELECT part, low / 2 + high / 2 AS centre, high / 2 - low / 2 AS scale, 0e0 AS slope, ln(positive / negative) AS intercept,
        shared_bits(positive, negative) * ln(2e0) AS cost, 0e0 AS slope_step, 0e0 AS intercept_step
    FROM cases
    WHERE shape = 'mixed' AND NOT below_0
),
binned AS MATERIALIZED (
    SELECT part, centre + scale * moment / (positive + negative) AS score, positive, negative
    FROM (
        SELECT part, centre, scale, sum((least(greatest(z * (positive + negative), -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS moment,
            sum((least(greatest(positive, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS positive, sum((least(greatest(negative, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS negative
        FROM (
            SELECT part, (score - centre) / scale AS z, centre, scale, points.positive, points.negative
            FROM "min_cllr_affine_points" AS points JOIN level USING (part)
            WHERE isfinite(score) AND (SELECT count(*) FROM "min_cllr_affine_points") > 5000
        )
        GROUP BY part, floor(z * 1e3), centre, scale
    )
),
rough AS (
    SELECT part, 0 AS number, false AS done, cost, centre, scale, slope, intercept, slope_step, intercept_step, 1e0 AS length
    FROM level
    UNION ALL
    SELECT part, number + 1 AS number,
        if(accepted, decrement <= 1e-18 OR curvature_0 <= 1e-17, length < 1e-30) OR number >= 40 AS done,
        if(accepted, new_cost, if(number = 0, 'inf'::DOUBLE, cost)) AS cost,
        -- z is measured again, from its mean and in units of its standard deviation
        if(accepted, centre + scale * mean, centre) AS centre,
        if(accepted, scale * deviation, scale) AS scale,
        if(accepted, new_slope * deviation, slope) AS slope,
        if(accepted, new_intercept + new_slope * mean, intercept) AS intercept,
        CASE WHEN accepted THEN newton_slope * deviation WHEN number = 0 THEN 0e0 ELSE slope_step END AS slope_step,
        CASE WHEN accepted THEN -gradient_0 / curvature_0 WHEN number = 0 THEN 0e0 ELSE intercept_step END AS intercept_step,
        if(accepted OR number = 0, 1, length / 4) AS length
    FROM (
        -- decrement: twice the depth of the paraboloid below the present cost. 1e-13 is more than the rounding error of a
        -- cost: near the minimum a step is not tried again because of the last digits.
        SELECT *, new_cost <= cost + 1e-13 AS accepted, sqrt(variance) AS deviation,
            (gradient_0 * mean - gradient_1) / (curvature_0 * variance) AS newton_slope,
            gradient_0 * gradient_0 / curvature_0
                + pow(gradient_1 - gradient_0 * mean, 2) / (curvature_0 * variance) AS decrement
        FROM (
            -- One step divides the scale by 100 at most: the variance is 0 if only one score has a curvature.
            SELECT before.*, slope + length * slope_step AS new_slope, intercept + length * intercept_step AS new_intercept,
                new_cost, gradient_0, gradient_1, curvature_0, curvature_1 / curvature_0 AS mean,
                greatest(curvature_2 / curvature_0 - pow(curvature_1 / curvature_0, 2), 1e-4) AS variance
            FROM rough AS before JOIN (
                SELECT part,
                    sum((least(greatest(weight * ln(1 + tail) + limit_weight * log_odds, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS new_cost,
                    sum((least(greatest(residual, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_0,
                    sum((least(greatest(residual * z, -1e11), 1e11) * pow(2e0, 60))::HUGEINT)::DOUBLE / pow(2e0, 60) AS gradient_1,
                    greatest(sum((least(greatest(curvature, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60), 1e-18) AS curvature_0,  -- not 0: the step ends as flat
                    sum((least(greatest(curvature * z, -1e11), 1e11) * pow(2e0, 60))::HUGEINT)::DOUBLE / pow(2e0, 60) AS curvature_1,
                    sum((least(greatest(curvature * z * z, -1e11), 1e11) * pow(2e0, 60))::HUGEINT)::DOUBLE / pow(2e0, 60) AS curvature_2
                FROM (
                    -- ln(1 + exp(o)) is ln(1 + exp(-o)) + o, so that exp of a large number is never needed
                    SELECT part, z, log_odds, positive + negative AS weight,
                        if(log_odds > 0, negative, -positive) AS limit_weight,
                        exp(-abs(log_odds)) AS tail,
                        limit_weight + if(log_odds > 0, -weight, weight) * tail / (1 + tail) AS residual,
                        weight * tail / ((1 + tail) * (1 + tail)) AS curvature
                    FROM (
                        SELECT part, positive, negative, (score - centre) / scale AS z,
                            (slope + length * slope_step) * z + intercept + length * intercept_step AS log_odds
                        FROM rough JOIN binned AS points USING (part)
                        WHERE NOT done AND isfinite(score)
                    )
                )
                GROUP BY part
            ) USING (part)
        )
    )
)
,
guesses AS (
    SELECT level.* REPLACE (
        coalesce(slope_ * (level.scale / scale_), 0) AS slope_step,
        coalesce(intercept_ + slope_ * ((level.centre - centre_) / scale_) - level.intercept, 0) AS intercept_step)
    FROM level LEFT JOIN (
        SELECT part, slope AS slope_, intercept AS intercept_, centre AS centre_, scale AS scale_ FROM rough WHERE done
    ) USING (part)
),
steps AS (
    SELECT part, 0 AS number, false AS done, cost, centre, scale, slope, intercept, slope_step, intercept_step, 1e0 AS length
    FROM guesses
    UNION ALL
    SELECT part, number + 1 AS number,
        if(accepted, decrement <= 1e-18 OR curvature_0 <= 1e-17, length < 1e-30) OR number >= 500 AS done,
        if(accepted, new_cost, if(number = 0, 'inf'::DOUBLE, cost)) AS cost,
        -- z is measured again, from its mean and in units of its standard deviation
        if(accepted, centre + scale * mean, centre) AS centre,
        if(accepted, scale * deviation, scale) AS scale,
        if(accepted, new_slope * deviation, slope) AS slope,
        if(accepted, new_intercept + new_slope * mean, intercept) AS intercept,
        CASE WHEN accepted THEN newton_slope * deviation WHEN number = 0 THEN 0e0 ELSE slope_step END AS slope_step,
        CASE WHEN accepted THEN -gradient_0 / curvature_0 WHEN number = 0 THEN 0e0 ELSE intercept_step END AS intercept_step,
        if(accepted OR number = 0, 1, length / 4) AS length
    FROM (
        -- decrement: twice the depth of the paraboloid below the present cost. 1e-13 is more than the rounding error of a
        -- cost: near the minimum a step is not tried again because of the last digits.
        SELECT *, new_cost <= cost + 1e-13 AS accepted, sqrt(variance) AS deviation,
            (gradient_0 * mean - gradient_1) / (curvature_0 * variance) AS newton_slope,
            gradient_0 * gradient_0 / curvature_0
                + pow(gradient_1 - gradient_0 * mean, 2) / (curvature_0 * variance) AS decrement
        FROM (
            -- One step divides the scale by 100 at most: the variance is 0 if only one score has a curvature.
            SELECT before.*, slope + length * slope_step AS new_slope, intercept + length * intercept_step AS new_intercept,
                new_cost, gradient_0, gradient_1, curvature_0, curvature_1 / curvature_0 AS mean,
                greatest(curvature_2 / curvature_0 - pow(curvature_1 / curvature_0, 2), 1e-4) AS variance
            FROM steps AS before JOIN (
                SELECT part,
                    sum((least(greatest(weight * ln(1 + tail) + limit_weight * log_odds, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS new_cost,
                    sum((least(greatest(residual, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_0,
                    sum((least(greatest(residual * z, -1e11), 1e11) * pow(2e0, 60))::HUGEINT)::DOUBLE / pow(2e0, 60) AS gradient_1,
                    greatest(sum((least(greatest(curvature, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60), 1e-18) AS curvature_0,  -- not 0: the step ends as flat
                    sum((least(greatest(curvature * z, -1e11), 1e11) * pow(2e0, 60))::HUGEINT)::DOUBLE / pow(2e0, 60) AS curvature_1,
                    sum((least(greatest(curvature * z * z, -1e11), 1e11) * pow(2e0, 60))::HUGEINT)::DOUBLE / pow(2e0, 60) AS curvature_2
                FROM (
                    -- ln(1 + exp(o)) is ln(1 + exp(-o)) + o, so that exp of a large number is never needed
                    SELECT part, z, log_odds, positive + negative AS weight,
                        if(log_odds > 0, negative, -positive) AS limit_weight,
                        exp(-abs(log_odds)) AS tail,
                        limit_weight + if(log_odds > 0, -weight, weight) * tail / (1 + tail) AS residual,
                        weight * tail / ((1 + tail) * (1 + tail)) AS curvature
                    FROM (
                        SELECT part, positive, negative, (score - centre) / scale AS z,
                            (slope + length * slope_step) * z + intercept + length * intercept_step AS log_odds
                        FROM steps JOIN "min_cllr_affine_points" AS points USING (part)
                        WHERE NOT done AND isfinite(score)
                    )
                )
                GROUP BY part
            ) USING (part)
        )
    )
)
,
found AS (
    SELECT part, cost / ln(2) AS cost, slope / scale AS slope, intercept - slope / scale * centre AS intercept, centre, scale,
        slope_step, intercept_step,
        CASE WHEN number > 500 THEN 'not settled after 500 steps'
             WHEN length < 1 THEN 'not settled: even short steps increase the cost' END AS unsettled
    FROM steps
    WHERE done
)
SELECT part, below_0,
    CASE
        WHEN way = 'best' THEN cost
        WHEN "limit" IS NOT NULL THEN shared_bits("limit".positive, "limit".negative)
        ELSE 0
    END AS cost,
    if(way = 'best', slope, NULL) AS slope,
    if(way = 'best', intercept, NULL) AS intercept,
    if(way = 'best', centre, NULL) AS centre,
    if(way = 'best', scale, NULL) AS scale,
    if(way = 'best', slope_step, NULL) AS slope_left,
    if(way = 'best', intercept_step, NULL) AS intercept_left,
    way IN ('constant', 'contradictory') AS flat,
    ln("limit".positive / "limit".negative) AS limit_odds,
    "limit".score AS limit_score,
    CASE way
        WHEN 'constant' THEN 'constant scores'
        WHEN 'contradictory' THEN 'infinite scores on the wrong side of both classes'
        WHEN 'flattened' THEN 'the limit as the slope goes to 0: infinite scores'
        WHEN 'apart' THEN concat('the limit of an endless slope: separated scores', if(shape = 'downwards', ', inverted', ''))
        WHEN 'best' THEN nullif(concat_ws(', ', if(slope < 0, 'inverted scores', NULL), unsettled), '')
    END AS remark
FROM (
    SELECT *,
        CASE
            WHEN shape = 'contradictory' THEN shape
            WHEN shape = 'constant' AND NOT never_up AND NOT never_down THEN shape
            WHEN (shape = 'upwards' OR slope > 0) AND never_up
                OR (shape = 'downwards' OR slope < 0) AND never_down THEN 'flattened'
            WHEN shape = 'mixed' THEN 'best'
            ELSE 'apart'
        END AS way,
        CASE
            WHEN way = 'flattened' OR shape = 'constant' THEN {positive: positive, negative: negative, score: NULL::DOUBLE}
            WHEN positive_low = negative_high THEN {positive: at_positive_low, negative: at_negative_high, score: positive_low}
            WHEN positive_high = negative_low THEN {positive: at_positive_high, negative: at_negative_low, score: positive_high}
        END AS "limit"
    FROM cases LEFT JOIN found USING (part)
);

-- ## verification.min_cllr_affine
-- metric min_cllr_affine, scores (specs/verification/shared/cllr.yaml)
-- The scores of the metric: the components, computed from the minimum cost of each slice and from the slope
--   and shift of the affine map with this cost. `prior_cost`, the entropy of the prior, is the cost without
--   scores.
CREATE TABLE "min_cllr_affine" AS
SELECT scope, slice, breakdown,
    cost AS "value",
    slope AS "scale",
    shift AS "offset",
    if(defined, remark, NULL) AS remark,
    CASE
        WHEN positives = 0 OR negatives = 0 THEN concat_ws(', ', if(positives = 0, 'positives = 0', NULL), if(negatives = 0, 'negatives = 0', NULL))
        WHEN NOT coalesce(prior > 0 AND prior < 1, false) THEN concat('prior = ', prior)
        WHEN below_0 THEN 'a weight below 0'
    END AS note
FROM (
    SELECT parts.*,
        shared_bits(prior, 1 - prior) AS prior_cost,
        CASE WHEN defined THEN if(flat, shared_bits(prior, 1 - prior), least_cost) END AS cost,
        CASE WHEN defined THEN if(flat, 0, best_slope) END AS slope,
        CASE WHEN defined THEN if(flat, 0, intercept - logit(prior)) END AS shift
    FROM (
        SELECT * EXCLUDE (cost, slope, centre, scale, slope_left, intercept_left), cost AS least_cost, slope AS best_slope,
            coalesce(positives > 0 AND negatives > 0 AND prior > 0 AND prior < 1 AND NOT below_0, false) AS defined
        FROM "min_cllr_affine_parts" LEFT JOIN "min_cllr_affine_minimum" USING (part)
    ) AS parts
);

-- ## verification.counts_units
-- metric counts, statistics per unit (specs/verification/shared/corpus_statistics.yaml)
-- Numbers of target and nontarget trials.
CREATE TABLE "counts_units" AS
SELECT "model",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets"
FROM "trial_scores" AS counted_rows
GROUP BY ALL;

-- ## verification.counts
-- metric counts, scores (specs/verification/shared/corpus_statistics.yaml)
CREATE TABLE "counts" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets"
    FROM "counts_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    "targets" AS "targets",
    "nontargets" AS "nontargets",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END), '') AS note
FROM sums;

-- ## verification.metric_min_dcf_points_of_its_curve
-- metric min_dcf, points of its curve (specs/verification/shared/detection_cost.yaml)
SELECT 'min_dcf' AS metric, slice, rank, threshold, mark, "p_miss", "p_fa", "value", "probit_miss", "probit_fa", NULL::DOUBLE AS "p_miss_low", NULL::DOUBLE AS "p_miss_high"
FROM (
    WITH
    "marked_actual" AS (FROM "min_dcf_marks" WHERE mark = 'actual'),
    sums AS (
        SELECT
            json_object() AS scope,
            json_object() AS slice,
            0 AS breakdown,
            coalesce(sum("hits"), 0) AS "hits",
            coalesce(sum("false_alarms"), 0) AS "false_alarms"
        FROM "min_dcf_units"
        GROUP BY ALL
    ),
    points AS NOT MATERIALIZED (
        SELECT
            sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
            {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
            coalesce(running."hits", 0) AS "hits",
            coalesce(running."false_alarms", 0) AS "false_alarms"
        FROM sums
        JOIN "min_dcf_sums" AS running ON running.breakdown = sums.breakdown
        UNION ALL
        SELECT
            sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
            {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
            0 AS "hits",
            0 AS "false_alarms"
        FROM sums
        UNION ALL
        SELECT
            sums.slice, sums.breakdown, NULL AS rank, NULL AS threshold, 'actual' AS mark,
            {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
            coalesce(marked."hits", 0) AS "hits",
            coalesce(marked."false_alarms", 0) AS "false_alarms"
        FROM sums
        LEFT JOIN "marked_actual" AS marked ON marked.breakdown = sums.breakdown
    ),
    at_points AS NOT MATERIALIZED (
        SELECT slice, breakdown, rank, threshold, mark,
            1 - ratio(hits, total.hits) AS "p_miss",
            ratio(false_alarms, total.false_alarms) AS "p_fa",
            detection_cost(p_miss, p_fa, 0.01e0, 1.0e0, 1.0e0) AS "value",
            probit(p_miss) AS "probit_miss",
            probit(p_fa) AS "probit_fa",
            {"hits": points."hits", "false_alarms": points."false_alarms" } AS accepted
        FROM points
    )
    ,
    lengths AS (
        SELECT breakdown, max(rank) AS length
        FROM "min_dcf_sums"
        GROUP BY ALL
    ),
    placed AS (
        SELECT at_points.* EXCLUDE (mark), coalesce(length, 0) AS length,
            coalesce(mark, CASE
                WHEN rank = coalesce(chosen.best_rank, -1) THEN 'best' END) AS mark
        FROM at_points
        LEFT JOIN lengths ON lengths.breakdown = at_points.breakdown
        LEFT JOIN "min_dcf" AS chosen ON chosen.breakdown = at_points.breakdown
    )
    SELECT slice, rank, threshold, mark,
        "p_miss"::DOUBLE AS "p_miss",
        "p_fa"::DOUBLE AS "p_fa",
        "value"::DOUBLE AS "value",
        "probit_miss"::DOUBLE AS "probit_miss",
        "probit_fa"::DOUBLE AS "probit_fa"
    FROM placed
    WHERE mark IS NOT NULL OR rank IN (0, 1, length) OR rank % ceil(length / 10000)::BIGINT = 0
    ORDER BY breakdown, slice_order(slice), slice::VARCHAR, rank NULLS LAST, mark
);

-- ## verification.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        coalesce(remark, remark(value, note)) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'eer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'threshold', 'value': "threshold"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "eer"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'min_dcf' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'p_miss', 'value': "p_miss"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'p_fa', 'value': "p_fa"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'threshold', 'value': "threshold"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "min_dcf"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'act_dcf' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'p_miss', 'value': "p_miss"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'p_fa', 'value': "p_fa"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'threshold', 'value': "threshold"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "act_dcf"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'min_c_primary' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "min_c_primary"
        UNION ALL
        SELECT 4 AS position, 0 AS variant, 'c_primary' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "c_primary"
        UNION ALL
        SELECT 5 AS position, 0 AS variant, 'cllr' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "cllr"
        UNION ALL
        SELECT 6 AS position, 0 AS variant, 'min_cllr' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "min_cllr"
        UNION ALL
        SELECT 7 AS position, 0 AS variant, 'calibration_loss' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "calibration_loss"
        UNION ALL
        SELECT 8 AS position, 0 AS variant, 'min_cllr_affine' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': remark},
                {'place': 1, 'component': 'scale', 'value': "scale"::DOUBLE, 'remark': remark},
                {'place': 2, 'component': 'offset', 'value': "offset"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "min_cllr_affine"
        UNION ALL
        SELECT 9 AS position, 0 AS variant, 'counts' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'targets', 'value': "targets"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'nontargets', 'value': "nontargets"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "counts"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

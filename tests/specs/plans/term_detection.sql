-- ## steps of openkws13
Suite_openkws13, SQL_macros_that_the_steps_use, four_decimals, microseconds, ranked_score, one_weight,
rate_of, finite, exact_sum, exact_mean, calibrated, ratio, bits_of_odds, logit, shared_bits, remark,
slice_order, horner, probit_middle, probit_end, probit_side, probit_tail, probit, queries, audio, detections,
references, excerpt_starts, excerpts, query_texts, query_words, respelt_words, located_occurrences, targets,
occurrence_islands, candidate_pairs, aligned_pairs, aligned_rows, left_out, alignment, audio_size,
query_sizes, scored_queries, scored_detections, query_counts, operating_point, query_totals, score_weights,
decision_totals, atwv_units, atwv, submitted_scores, curve_totals, mtwv_units, mtwv_scores, mtwv_sums, mtwv,
mtwv_marks, p_miss_units, p_miss, p_fa_units, p_fa, block_counts, counts_units, counts, query_steps,
query_blocks, reachable_scores, upper_bound_twv_units, block_queries, upper_bound_twv_scores,
upper_bound_twv_sums, upper_bound_twv_best, upper_bound_twv, supremum_twv_units, supremum_twv,
bayes_detections, bayes_twv_units, bayes_twv, cost_units, cost, prior_units, prior, smallest_score,
trial_scores, likelihood_ratios, trial_costs, cnxe_prior, cnxe_units, cnxe, min_cnxe_units, min_cnxe_parts,
min_cnxe_weights, min_cnxe_points, min_cnxe_minimum, min_cnxe, calibration_loss, query_outcomes,
metric_mtwv_points_of_its_curve, the_scores

-- ## steps of quesst2015
Suite_quesst2015, openkws13.SQL_macros_that_the_steps_use, openkws13.ranked_score, openkws13.logit,
openkws13.shared_bits, openkws13.bits_of_odds, openkws13.calibrated, openkws13.exact_sum,
openkws13.exact_mean, openkws13.finite, openkws13.ratio, openkws13.one_weight, openkws13.remark,
openkws13.slice_order, openkws13.horner, openkws13.probit_middle, openkws13.probit_end, openkws13.probit_side,
openkws13.probit_tail, openkws13.probit, openkws13.queries, openkws13.audio, detections, occurrences, targets,
documents, scored_queries, missing_trials, trial_scores, operating_point, query_counts, decision_totals,
atwv_units, atwv, query_weights, score_steps, openkws13.submitted_scores, unlisted_trials, curve_totals,
mtwv_units, mtwv_scores, mtwv_sums, mtwv, mtwv_marks, p_miss_units, p_miss, p_fa_units, p_fa, counts_units,
counts, query_steps, upper_bound_twv_units, upper_bound_twv_scores, upper_bound_twv_sums,
upper_bound_twv_best, upper_bound_twv, bayes_twv_units, bayes_twv, cost_units, cost, prior_units, prior,
openkws13.likelihood_ratios, cnxe_totals, cnxe_units, cnxe, blocks, min_cnxe_units, min_cnxe, blocks_pooled,
min_cnxe_pooled_units, min_cnxe_pooled, min_cnxe_affine_units, min_cnxe_affine_parts, min_cnxe_affine_weights,
min_cnxe_affine_points, min_cnxe_affine_minimum, min_cnxe_affine, calibration_loss, blocks_by_query,
lower_bound_cnxe_units, lower_bound_cnxe, trials, metric_mtwv_points_of_its_curve, the_scores

-- ## steps of resources
Suite_resources, openkws13.SQL_macros_that_the_steps_use, openkws13.exact_sum, openkws13.microseconds,
openkws13.ratio, openkws13.finite, openkws13.remark, openkws13.slice_order, measurements, query_examples,
openkws13.audio, phase_costs, isf_units, isf, ssf_units, ssf, pmu_index_units, pmu_index, pmu_search_units,
pmu_search, processing_load, hardware, the_scores

-- ## steps of std2006
Suite_std2006, openkws13.SQL_macros_that_the_steps_use, openkws13.microseconds, openkws13.ranked_score,
openkws13.one_weight, openkws13.rate_of, openkws13.finite, openkws13.exact_sum, openkws13.exact_mean,
openkws13.calibrated, openkws13.ratio, openkws13.bits_of_odds, openkws13.logit, openkws13.shared_bits,
openkws13.remark, openkws13.slice_order, openkws13.horner, openkws13.probit_middle, openkws13.probit_end,
openkws13.probit_side, openkws13.probit_tail, openkws13.probit, openkws13.queries, openkws13.audio,
openkws13.detections, openkws13.references, excerpt_starts, excerpts, openkws13.query_texts, query_words,
openkws13.respelt_words, located_occurrences, targets, occurrence_islands, candidate_pairs,
openkws13.aligned_pairs, aligned_rows, left_out, openkws13.alignment, audio_size, openkws13.query_sizes,
openkws13.scored_queries, openkws13.scored_detections, openkws13.query_counts, openkws13.operating_point,
openkws13.query_totals, openkws13.score_weights, openkws13.decision_totals, openkws13.atwv_units,
openkws13.atwv, openkws13.submitted_scores, openkws13.curve_totals, mtwv_units, mtwv_scores, mtwv_sums, mtwv,
mtwv_marks, openkws13.p_miss_units, openkws13.p_miss, openkws13.p_fa_units, openkws13.p_fa,
openkws13.block_counts, openkws13.counts_units, openkws13.counts, openkws13.query_steps,
openkws13.query_blocks, upper_bound_twv_units, openkws13.block_queries, upper_bound_twv_scores,
upper_bound_twv_sums, upper_bound_twv_best, upper_bound_twv, openkws13.supremum_twv_units,
openkws13.supremum_twv, openkws13.bayes_detections, openkws13.bayes_twv_units, openkws13.bayes_twv,
openkws13.cost_units, openkws13.cost, openkws13.prior_units, openkws13.prior, openkws13.smallest_score,
openkws13.trial_scores, openkws13.likelihood_ratios, openkws13.trial_costs, openkws13.cnxe_prior,
openkws13.cnxe_units, openkws13.cnxe, openkws13.min_cnxe_units, openkws13.min_cnxe_parts,
openkws13.min_cnxe_weights, openkws13.min_cnxe_points, openkws13.min_cnxe_minimum, openkws13.min_cnxe,
openkws13.calibration_loss, openkws13.query_outcomes, metric_mtwv_points_of_its_curve, openkws13.the_scores

-- ## steps of sws2012
Suite_sws2012, openkws13.SQL_macros_that_the_steps_use, openkws13.microseconds, openkws13.ranked_score,
openkws13.one_weight, openkws13.rate_of, openkws13.finite, openkws13.exact_sum, openkws13.exact_mean,
openkws13.calibrated, openkws13.ratio, openkws13.bits_of_odds, openkws13.logit, openkws13.shared_bits,
openkws13.remark, openkws13.slice_order, openkws13.horner, openkws13.probit_middle, openkws13.probit_end,
openkws13.probit_side, openkws13.probit_tail, openkws13.probit, openkws13.queries, openkws13.audio,
openkws13.detections, openkws13.references, std2006.excerpt_starts, std2006.excerpts, openkws13.query_texts,
std2006.query_words, openkws13.respelt_words, std2006.located_occurrences, std2006.targets,
std2006.occurrence_islands, std2006.candidate_pairs, openkws13.aligned_pairs, std2006.aligned_rows,
std2006.left_out, openkws13.alignment, std2006.audio_size, openkws13.query_sizes, openkws13.scored_queries,
openkws13.scored_detections, openkws13.query_counts, operating_point, openkws13.query_totals,
openkws13.score_weights, openkws13.decision_totals, openkws13.atwv_units, openkws13.atwv,
openkws13.submitted_scores, openkws13.curve_totals, std2006.mtwv_units, std2006.mtwv_scores,
std2006.mtwv_sums, std2006.mtwv, std2006.mtwv_marks, openkws13.p_miss_units, openkws13.p_miss,
openkws13.p_fa_units, openkws13.p_fa, openkws13.block_counts, openkws13.counts_units, openkws13.counts,
openkws13.query_steps, openkws13.query_blocks, std2006.upper_bound_twv_units, openkws13.block_queries,
std2006.upper_bound_twv_scores, std2006.upper_bound_twv_sums, std2006.upper_bound_twv_best,
std2006.upper_bound_twv, openkws13.supremum_twv_units, openkws13.supremum_twv, openkws13.bayes_detections,
openkws13.bayes_twv_units, openkws13.bayes_twv, openkws13.cost_units, openkws13.cost, openkws13.prior_units,
openkws13.prior, openkws13.smallest_score, openkws13.trial_scores, openkws13.likelihood_ratios,
openkws13.trial_costs, openkws13.cnxe_prior, openkws13.cnxe_units, openkws13.cnxe, openkws13.min_cnxe_units,
openkws13.min_cnxe_parts, openkws13.min_cnxe_weights, openkws13.min_cnxe_points, openkws13.min_cnxe_minimum,
openkws13.min_cnxe, openkws13.calibration_loss, openkws13.query_outcomes,
std2006.metric_mtwv_points_of_its_curve, openkws13.the_scores

-- ## steps of sws2013
Suite_sws2013, openkws13.SQL_macros_that_the_steps_use, openkws13.microseconds, openkws13.ranked_score,
openkws13.one_weight, openkws13.rate_of, openkws13.finite, openkws13.exact_sum, openkws13.exact_mean,
openkws13.calibrated, openkws13.ratio, openkws13.bits_of_odds, openkws13.logit, openkws13.shared_bits,
openkws13.remark, openkws13.slice_order, openkws13.horner, openkws13.probit_middle, openkws13.probit_end,
openkws13.probit_side, openkws13.probit_tail, openkws13.probit, openkws13.queries, openkws13.audio,
openkws13.detections, openkws13.references, std2006.excerpt_starts, std2006.excerpts, openkws13.query_texts,
std2006.query_words, openkws13.respelt_words, std2006.located_occurrences, std2006.targets,
std2006.occurrence_islands, std2006.candidate_pairs, openkws13.aligned_pairs, std2006.aligned_rows,
std2006.left_out, openkws13.alignment, std2006.audio_size, openkws13.query_sizes, openkws13.scored_queries,
openkws13.scored_detections, openkws13.query_counts, operating_point, openkws13.query_totals,
openkws13.score_weights, openkws13.decision_totals, openkws13.atwv_units, openkws13.atwv,
openkws13.submitted_scores, openkws13.curve_totals, std2006.mtwv_units, std2006.mtwv_scores,
std2006.mtwv_sums, std2006.mtwv, std2006.mtwv_marks, openkws13.p_miss_units, openkws13.p_miss,
openkws13.p_fa_units, openkws13.p_fa, openkws13.block_counts, openkws13.counts_units, openkws13.counts,
openkws13.query_steps, openkws13.query_blocks, std2006.upper_bound_twv_units, openkws13.block_queries,
std2006.upper_bound_twv_scores, std2006.upper_bound_twv_sums, std2006.upper_bound_twv_best,
std2006.upper_bound_twv, openkws13.supremum_twv_units, openkws13.supremum_twv, openkws13.bayes_detections,
openkws13.bayes_twv_units, openkws13.bayes_twv, openkws13.cost_units, openkws13.cost, openkws13.prior_units,
openkws13.prior, openkws13.smallest_score, openkws13.trial_scores, openkws13.likelihood_ratios,
openkws13.trial_costs, openkws13.cnxe_prior, openkws13.cnxe_units, openkws13.cnxe, openkws13.min_cnxe_units,
openkws13.min_cnxe_parts, openkws13.min_cnxe_weights, openkws13.min_cnxe_points, openkws13.min_cnxe_minimum,
openkws13.min_cnxe, openkws13.calibration_loss, openkws13.query_outcomes,
std2006.metric_mtwv_points_of_its_curve, openkws13.the_scores

-- ## openkws13.Suite_openkws13
-- Suite openkws13: Keyword search with the costs and the prior of the OpenKWS13 evaluation (β = 999.9), as
--   NIST F4DE 3.5.0 (KWSEval) scores it. std2006 has the same costs and prior, but follows the equations of
--   Rodriguez-Fuentes and Penagarikano 2013.
-- To run it in DuckDB, first fill the tables of the inputs: queries, audio, detections, references (not read:
--   occurrences, speech); also the tables …_rows_…, which Python functions make
-- Order: each of the 71 steps reads inputs and steps above it. Metrics: query_counts → atwv, p_miss, p_fa,
--   supremum_twv, cost; scored_detections + scored_queries → mtwv; block_counts → counts; query_blocks +
--   reachable_scores → upper_bound_twv; bayes_detections + scored_queries → bayes_twv; operating_point →
--   prior; trial_costs → cnxe; trial_scores → min_cnxe; other metrics → calibration_loss

-- ## openkws13.SQL_macros_that_the_steps_use
-- SQL macros that the steps use

-- ## openkws13.four_decimals
-- Time in seconds, rounded to four decimals as printf of C rounds: by the exact value of the binary64 number. 1.00005, for example, is stored as a number slightly above or below 1.00005. printf is slow. It is called only if the product of the number and 10,000, as stored, ends in exactly .5. Otherwise round() gives the same result, because rounding the product to binary64 never moves it to the other side of a half.
CREATE OR REPLACE MACRO four_decimals(x) AS (
    if((x) * 1e4 - floor((x) * 1e4) = 0.5e0,
    printf('%.4f', (x)::DOUBLE)::DOUBLE, round((x) * 1e4) / 1e4)
);

-- ## openkws13.microseconds
-- Time in whole microseconds, from seconds. Halves are rounded to the even number. Whole numbers can be compared exactly.
CREATE OR REPLACE MACRO microseconds(seconds) AS (
    round_even(seconds * 1e6, 0)::BIGINT
);

-- ## openkws13.ranked_score
-- Score as a DOUBLE that can be compared with thresholds. -0.0 becomes 0.0. A score that is not a number (NaN) ends the run with an error.
CREATE OR REPLACE MACRO ranked_score(x) AS (
    CASE
    WHEN isnan((x)::DOUBLE) THEN error('a score is not a number')::DOUBLE
    WHEN (x)::DOUBLE = 0 THEN 0e0
    ELSE (x)::DOUBLE
    END
);

-- ## openkws13.one_weight
-- The whole number 2^90. Weights in units of 2^-90 are whole numbers, and one_weight() is a weight of 1. Sums of whole numbers do not depend on the order of rows; sums of binary64 numbers do.
CREATE OR REPLACE MACRO one_weight() AS (
    1237940039285380274899124224::HUGEINT
);

-- ## openkws13.rate_of
-- Rate as a DOUBLE, from a weight in units of 2^-90.
CREATE OR REPLACE MACRO rate_of(weight) AS (
    (weight)::DOUBLE / one_weight()::DOUBLE
);

-- ## openkws13.finite
-- The value x, or NULL if x is infinite or not a number. The results table scores has only finite values.
CREATE OR REPLACE MACRO finite(x) AS (
    if(isfinite(x), x, NULL)
);

-- ## openkws13.exact_sum
-- Sum of DOUBLEs that does not depend on the order of rows, because each value is first rounded to 18 decimals.
CREATE OR REPLACE MACRO exact_sum(x) AS (
    sum((x)::DECIMAL(38, 18))
);

-- ## openkws13.exact_mean
-- Mean of DOUBLEs that does not depend on the order of rows. It is NULL if there are no values.
CREATE OR REPLACE MACRO exact_mean(x) AS (
    exact_sum(x)::DOUBLE / nullif(count(x), 0)
);

-- ## openkws13.calibrated
-- Score after the affine map scale * score + shift. With a scale of 0 it is shift, also for an infinite score.
CREATE OR REPLACE MACRO calibrated(score, scale, shift) AS (
    if(scale = 0, shift, scale * score + shift)
);

-- ## openkws13.ratio
-- Quotient a / b as a DOUBLE. It is NULL if b is 0; the score is then undefined.
CREATE OR REPLACE MACRO ratio(a, b) AS (
    (a)::DOUBLE / nullif((b)::DOUBLE, 0)
);

-- ## openkws13.bits_of_odds
-- Logarithmic cost, in bits, of a true statement whose natural log odds are `odds`: log2(1 + exp(-odds)). Log odds of 0 cost 1 bit. Log odds can be infinite.
CREATE OR REPLACE MACRO bits_of_odds(odds) AS (
    greatest(-(odds)::DOUBLE, 0e0) / ln(2e0) + log2(1e0 + exp(-abs((odds)::DOUBLE)))
);

-- ## openkws13.logit
-- Natural log odds of a probability p, ln(p / (1 - p)).
CREATE OR REPLACE MACRO logit(p) AS (
    ln((p)::DOUBLE / (1 - (p)::DOUBLE))
);

-- ## openkws13.shared_bits
-- Entropy, in bits, of a Bernoulli variable with a positive and b negative cases, times their number a + b. It is 0 when a or b is 0.
CREATE OR REPLACE MACRO shared_bits(a, b) AS (
    if(least(a, b) > 0, -a * log2(a / (a + b)) - b * log2(b / (a + b)), 0e0)
);

-- ## openkws13.remark
-- Note in the results table scores on a component with the value x: the reason why x is undefined, or that x is infinite. If x is a finite number, it keeps only a note of the form "defined in 3 of 4 units".
CREATE OR REPLACE MACRO remark(x, note) AS (
    CASE
    WHEN x IS NULL THEN concat('undefined', ': ' || note)
    WHEN isnan(x) THEN 'undefined: not a number'
    WHEN isinf(x) THEN if(x > 0, 'infinite', 'minus infinite')
    WHEN note LIKE 'defined in%' THEN note
    END
);

-- ## openkws13.slice_order
-- Key by which rows of scores are ordered: for each column of a slice its name and its value. Numbers are ordered as numbers, also those that a file has as text, and come before other texts. A column without a value comes last.
CREATE OR REPLACE MACRO slice_order(slice) AS (
    list_transform(list_zip(json_keys(slice), json_extract_string(slice, '$.*')), lambda pair: {
        'name': pair[1],
        'number': if(regexp_full_match(pair[2], '-?\d+(\.\d+)?([eE][-+]?\d+)?|-Infinity'),
            coalesce(try_cast(pair[2] AS DOUBLE), 'Infinity'), 'Infinity'),
        'text': pair[2]
    })
);

-- ## openkws13.horner
-- Value at x of the polynomial with the coefficients c, from the highest power to the lowest (Horner's scheme).
CREATE OR REPLACE MACRO horner(x, c) AS (
    list_reduce(c, lambda s, each: s * x + each)
);

-- ## openkws13.probit_middle
-- Probit of a probability p from 0.075 to 0.925, by Wichura's algorithm AS 241, with q = p - 1/2 and r = 0.425² - q².
CREATE OR REPLACE MACRO probit_middle(q, r) AS (
    q * horner(r, [
        2509.0809287301226727e0, 33430.575583588128105e0, 67265.770927008700853e0, 45921.953931549871457e0,
        13731.693765509461125e0, 1971.5909503065514427e0, 133.14166789178437745e0, 3.387132872796366608e0])
    / horner(r, [
        5226.495278852545925e0, 28729.085735721942674e0, 39307.89580009271061e0, 21213.794301586595867e0,
        5394.1960214247511077e0, 687.1870074920579083e0, 42.313330701600911252e0, 1e0])
);

-- ## openkws13.probit_end
-- Absolute value of the probit of a probability p below 0.075, by algorithm AS 241, when r = sqrt(-ln p) is above 5.
CREATE OR REPLACE MACRO probit_end(r) AS (
    horner(r - 5e0, [
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386e0, 0.026532189526576123093e0,
        0.29656057182850489123e0, 1.7848265399172913358e0, 5.4637849111641143699e0, 6.6579046435011037772e0])
    / horner(r - 5e0, [
        2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
        0.0148753612908506148525e0, 0.13692988092273580531e0, 0.59983220655588793769e0, 1e0])
);

-- ## openkws13.probit_side
-- Absolute value of the probit of a probability p below 0.075, by algorithm AS 241, when r = sqrt(-ln p) is at most 5.
CREATE OR REPLACE MACRO probit_side(r) AS (
    horner(r - 1.6e0, [
        7.7454501427834140764e-4, 0.0227238449892691845833e0, 0.24178072517745061177e0, 1.27045825245236838258e0,
        3.64784832476320460504e0, 5.7694972214606914055e0, 4.6303378461565452959e0, 1.42343711074968357734e0])
    / horner(r - 1.6e0, [
        1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966e0, 0.14810397642748007459e0,
        0.68976733498510000455e0, 1.6763848301838038494e0, 2.05319162663775882187e0, 1e0])
);

-- ## openkws13.probit_tail
-- Absolute value of the probit of a probability p below 0.075, by algorithm AS 241, with r = sqrt(-ln p).
CREATE OR REPLACE MACRO probit_tail(r) AS (
    if(r <= 5, probit_side(r), probit_end(r))
);

-- ## openkws13.probit
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

-- ## openkws13.queries
-- input queries (specs/term_detection/tables.yaml): One row per query. Any other column of the file can
--   be named by --by.
CREATE TABLE IF NOT EXISTS "queries" (line BIGINT, "query" VARCHAR, "text" VARCHAR, "compare_normalize" VARCHAR);

-- ## openkws13.audio
-- input audio (specs/term_detection/tables.yaml): One row per excerpt of the audio that is searched. A
--   recording is called a document (column doc), as in the lists of NIST. Any other column of the file can be
--   named by --by.
CREATE TABLE IF NOT EXISTS "audio" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "source_type" VARCHAR);

-- ## openkws13.detections
-- input detections (specs/term_detection/tables.yaml): One row per detection of the system, with its
--   score and decision.
CREATE TABLE IF NOT EXISTS "detections" (line BIGINT, "query" VARCHAR, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "score" DOUBLE, "decision" VARCHAR, "min_score" DOUBLE, "max_score" DOUBLE, "element" BIGINT);

-- ## openkws13.references
-- input references (specs/term_detection/tables.yaml): One row per token of the reference transcript, in
--   any order.
CREATE TABLE IF NOT EXISTS "references" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "token" VARCHAR, "subtype" VARCHAR, "speaker" VARCHAR, "confidence" DOUBLE);

-- ## openkws13.excerpt_starts
-- relation excerpt_starts (specs/term_detection/shared/alignment.yaml)
-- One row per document, channel and time at which an excerpt of the audio begins.
CREATE TABLE "excerpt_starts" AS
SELECT DISTINCT doc, channel, excerpt_.tbeg AS onset
FROM "audio" AS excerpt_
WHERE four_decimals(excerpt_.tbeg + excerpt_.dur) > excerpt_.tbeg;

-- ## openkws13.excerpts
-- relation excerpts (specs/term_detection/shared/alignment.yaml)
-- The excerpts of the audio, with times in the unit of the parameter `times`: one row for each minute of the
--   document that an excerpt touches. With the minute, an equality join finds the excerpt that contains a
--   detection. `followed`: another excerpt of the document and channel begins where this one ends. In a
--   breakdown it may be of another slice.
CREATE TABLE "excerpts" AS
WITH timed AS (
    SELECT doc, channel, excerpt_.tbeg AS onset, four_decimals(excerpt_.tbeg + excerpt_.dur) AS excerpt_end
    FROM "audio" AS excerpt_
)
SELECT *, (doc, channel, excerpt_end) IN (SELECT (doc, channel, onset) FROM "excerpt_starts") AS followed,
    unnest(range(floor(onset / 60)::BIGINT, floor(excerpt_end / 60)::BIGINT + 1)) AS minute
FROM timed;

-- ## openkws13.query_texts
-- relation query_texts (specs/term_detection/shared/alignment.yaml)
-- One row per query, with the words of its text, which blanks separate. They are NULL if the query has no
--   text.
CREATE TABLE "query_texts" AS
SELECT query, list_filter(string_split_regex(text, '\s+'), lambda word: word <> '') AS words,
    compare_normalize
FROM "queries";

-- ## openkws13.query_words
-- relation query_words (specs/term_detection/shared/alignment.yaml)
-- The queries, each with the list of words that are looked for in the references, in the form of the
--   parameter `unicode_form`. `any_case`: the first word is compared without regard to case. As in F4DE, case
--   never matters for the other words.
CREATE TABLE "query_words" AS
SELECT query,
    list_transform(words, lambda word: nfc_normalize(word)) AS words,
    coalesce(compare_normalize, 'lowercase') = 'lowercase' AS any_case
FROM "query_texts";

-- ## openkws13.respelt_words
-- relation respelt_words (specs/term_detection/shared/alignment.yaml)
-- The words that are not written in the Unicode form NFC, with the word in that form. There are no rows if
--   words are compared as they are written.
CREATE TABLE "respelt_words" AS
-- no word is changed
SELECT NULL::VARCHAR AS token, NULL::VARCHAR AS composed LIMIT 0;

-- ## openkws13.located_occurrences
-- relation located_occurrences (specs/term_detection/shared/alignment.yaml)
-- The occurrences of the queries, inside or outside of the audio that is searched. They are read from the
--   input `occurrences` or found in the input `references`.
-- In the references, an occurrence is a sequence of consecutive tokens of one speaker that are the words of
--   the query, with gaps of at most `max_gap` (0.5 s) and no other token between them. A token of a subtype
--   in `never_first` (filled pauses, fragments) cannot be the first. A token can be in several occurrences:
--   `a b a b a` has two occurrences of `a b a`. `first_end` is the end of the first word, because in F4DE
--   only the first word must lie in the audio.
CREATE TABLE "located_occurrences" AS
WITH
terms AS (
    SELECT *, len(words) AS size, lower(words[1]) AS word FROM "query_words"
),
tokens AS (
    SELECT doc, channel, coalesce(speaker, '') AS speaker, coalesce(composed, token) AS token,
        lower(coalesce(composed, token)) AS word, tbeg, dur,
        token_.tbeg AS onset, four_decimals(token_.tbeg + token_.dur) AS token_end,
        coalesce(subtype NOT IN ['fp', 'frag']::VARCHAR[], true) AS may_begin
    FROM "references" AS token_
    LEFT JOIN "respelt_words" USING (token)
),
-- a run of tokens ends where the gap to the next token exceeds max_gap; only queries of two or more words need runs
breaks AS (
    SELECT *, row_number() OVER stream AS number,
        coalesce(four_decimals(onset - lag(token_end) OVER stream) > 0.5e0, true) AS breaks
    FROM tokens
    WHERE (SELECT max(size) FROM terms) > 1
    WINDOW stream AS (PARTITION BY doc, channel, speaker ORDER BY tbeg, dur, token, may_begin)
),
numbered AS (
    SELECT *, count_if(breaks) OVER (PARTITION BY doc, channel, speaker ORDER BY number) AS run
    FROM breaks
),
begun AS (
    SELECT query, words, unnest(range(2, size + 1)) AS place, doc, channel, speaker, run,
        number AS first_number, onset, token_end AS first_end
    FROM terms
    JOIN numbered USING (word)
    WHERE size > 1 AND may_begin AND (any_case OR token = words[1])
),
found AS (
    SELECT query, doc, channel, onset, token_end AS "offset", token_end AS first_end
    FROM terms
    JOIN tokens USING (word)
    WHERE size = 1 AND may_begin AND (any_case OR token = words[1])
    UNION ALL
    SELECT query, begun_.doc, begun_.channel, begun_.onset,
        arg_max(next_.token_end, place) AS "offset", begun_.first_end
    FROM begun AS begun_
    JOIN numbered AS next_
        ON begun_.doc = next_.doc AND begun_.channel = next_.channel AND begun_.speaker = next_.speaker
        AND begun_.run = next_.run AND next_.number = first_number + place - 1 AND next_.word = lower(words[place])
    GROUP BY query, begun_.doc, begun_.channel, begun_.speaker,
        first_number, begun_.onset, begun_.first_end, len(words)
    HAVING count(*) = len(words) - 1
),
timed AS (
    SELECT *, onset AS onset_s, "offset" AS offset_s FROM found
)
SELECT query, doc, channel, onset, "offset", first_end, onset_s, offset_s
FROM timed;

-- ## openkws13.targets
-- relation targets (specs/term_detection/shared/alignment.yaml)
-- The target trials. If trials are virtual, these are the occurrences in the audio: those whose midpoint lies
--   in an excerpt or, with inside_audio = whole, those whose first word does. If trials are segments or
--   documents, these are the segments or documents that contain an occurrence of the query: two occurrences
--   in one segment are one target.
CREATE TABLE "targets" AS
SELECT query, doc, channel, onset, "offset", onset_s, offset_s,
    NULL::BIGINT AS trial
FROM "located_occurrences" AS occurrence_
SEMI JOIN "excerpts" AS excerpt_
    ON occurrence_.doc = excerpt_.doc AND occurrence_.channel = excerpt_.channel
    AND floor(occurrence_.onset / 60)::BIGINT = excerpt_.minute
    AND occurrence_.onset >= excerpt_.onset AND occurrence_.first_end <= excerpt_.excerpt_end;

-- ## openkws13.occurrence_islands
-- relation occurrence_islands (specs/term_detection/shared/alignment.yaml)
-- The occurrences that are aligned, grouped into islands: all occurrences or, with inside_audio = whole,
--   those in the audio. The reach of an occurrence is its time span, extended by `tolerance` (0.5 s) at both
--   ends; a detection can be aligned with the occurrence if its midpoint is in the reach. An island is a
--   chain of occurrences of one query, in one document and channel, whose reaches overlap. With occurrences
--   at 1.0–1.4, 2.2–2.6 and 9.0–9.4 s, the first two are one island (0.5–1.9 and 1.7–3.1 s overlap), and the
--   third is another. A detection can be aligned with occurrences of one island only, so that each island is
--   aligned by itself.
CREATE TABLE "occurrence_islands" AS
WITH extended AS (
    SELECT query, doc, channel, onset_s, offset_s,
        onset - 0.5e0 AS reach_from,
        "offset" + 0.5e0 AS reach_to
    FROM "targets"
),
parted AS (
    SELECT *, coalesce(reach_from > max(reach_to) OVER before, true) AS begins
    FROM extended
    WINDOW before AS (PARTITION BY query, doc, channel ORDER BY reach_from, reach_to
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT * EXCLUDE (begins),
        count_if(begins) OVER (ORDER BY query, doc, channel, reach_from, begins DESC, reach_to ROWS UNBOUNDED PRECEDING) AS island
    FROM parted
)
SELECT *, row_number() OVER (PARTITION BY island ORDER BY reach_from, reach_to) AS occurrence,
    min(reach_from) OVER (PARTITION BY island) AS island_from, max(reach_to) OVER (PARTITION BY island) AS island_to
FROM numbered;

-- ## openkws13.candidate_pairs
-- relation candidate_pairs (specs/term_detection/shared/alignment.yaml)
-- The pairs of a detection and an occurrence that can be aligned: the midpoint of the detection lies in the
--   occurrence or at most `tolerance` (0.5 s) outside of it (section 2.1). A detection from 3.0 to 3.4 s has
--   its midpoint at 3.2 s, and can be aligned with an occurrence that ends at 2.7 s, but not with an
--   occurrence that ends at 2.6 s.
-- Among the alignments with the most pairs, the largest sum of `gain_1` is preferred, then of `gain_2`, then
--   of `gain_3`. With assignment = ranks these are the rank of the score in the island, the overlap, and the
--   rank by time and decision. With assignment = gain, `gain_1` is the gain of F4DE times 1e8:
--   `gain_score_weight` · relative score + relative overlap; `gain_2` is 0. `contested`: some detection of
--   the island can be aligned with several occurrences.
CREATE TABLE "candidate_pairs" AS
WITH aligned AS (
    SELECT *
    FROM "detections" AS row_
    SEMI JOIN "excerpts" AS excerpt_
        ON row_.doc = excerpt_.doc AND row_.channel = excerpt_.channel
    AND floor(row_.tbeg / 60)::BIGINT = excerpt_.minute
    AND row_.tbeg >= excerpt_.onset AND four_decimals(row_.tbeg + row_.dur) <= excerpt_.excerpt_end
),
islands AS (
    SELECT DISTINCT query, doc, channel, island, island_from, island_to FROM "occurrence_islands"
),
-- one row for each interval of 11.0 s that an island touches, so that an equality join finds the island of a detection
stretches AS (
    SELECT *, unnest(range(floor(island_from / 11.0)::BIGINT, floor(island_to / 11.0)::BIGINT + 1)) AS stretch
    FROM islands
),
near AS (
    SELECT query, doc, channel, tbeg, dur, ranked_score(score) AS score, decision, min_score, max_score, island, middle
    FROM (
        SELECT *, floor(middle / 11.0)::BIGINT AS stretch
        FROM (SELECT *, (detection_.tbeg + detection_.dur / 2) AS middle FROM aligned AS detection_)
    )
    JOIN stretches USING (query, doc, channel, stretch)
    WHERE middle BETWEEN island_from AND island_to
),
numbered AS (
    SELECT *, microseconds(tbeg) AS onset, microseconds(tbeg) + microseconds(dur) AS "offset",
        row_number() OVER (PARTITION BY island ORDER BY microseconds(tbeg), microseconds(dur), score DESC, decision DESC) AS detection
    FROM near
),
-- F4DE scales scores by min_score and max_score of the list or, without these, by the extremes in the document and channel
limits AS (
    SELECT query, doc, channel,
        coalesce(min(min_score) FILTER (WHERE isfinite(min_score)), min(score) FILTER (WHERE isfinite(score)), 0) AS lowest,
        coalesce(max(max_score) FILTER (WHERE isfinite(max_score)), max(score) FILTER (WHERE isfinite(score)), 0) AS highest
    FROM aligned
    SEMI JOIN islands USING (query, doc, channel)
    GROUP BY ALL
),
paired AS (
    SELECT detection_.*, occurrence_.occurrence, occurrence_.onset_s, occurrence_.offset_s,
        dense_rank() OVER (PARTITION BY island ORDER BY detection_.onset DESC, detection_."offset" DESC, decision = 'YES') AS gain_3,
        100.0e0 * CASE
            WHEN isinf(score) THEN if(score > 0, 1e0, 0e0)
            WHEN isinf(highest - lowest) THEN (score / 2 - lowest / 2) / (highest / 2 - lowest / 2)  -- too large to be subtracted
            ELSE (score - lowest) / greatest(highest - lowest, 1e-05)
        END
            + (least(four_decimals(tbeg + dur), four_decimals(offset_s)) - greatest(tbeg, onset_s))
            / greatest(four_decimals(offset_s) - onset_s, 1e-05) AS gain_1,
        0 AS gain_2
    FROM numbered AS detection_
    JOIN (SELECT island, occurrence, onset_s, offset_s, reach_from, reach_to FROM "occurrence_islands") AS occurrence_ USING (island)
    JOIN limits USING (query, doc, channel)
    WHERE middle BETWEEN reach_from AND reach_to
),
counted AS (
    SELECT *, count(*) OVER (PARTITION BY island, detection) AS partners FROM paired
)
SELECT query, doc, channel, tbeg, dur, score, decision, island, detection, occurrence, onset_s AS occurrence_onset, offset_s AS occurrence_offset,
    gain_1, gain_2, gain_3, max(partners) OVER (PARTITION BY island) > 1 AS contested
FROM counted;

-- ## openkws13.aligned_pairs
-- relation aligned_pairs (specs/term_detection/shared/alignment.yaml)
-- The aligned pairs of a detection and an occurrence, one-to-one. If each detection of an island can be
--   aligned with only one occurrence, each occurrence takes its best detection. The function best_matching
--   solves the other islands.
-- "aligned_pairs_rows" is what the Python function best_matching makes of the rows of
--   SELECT query, island, detection AS left_row, occurrence AS right_row, gain_1, gain_2, gain_3
--   FROM "candidate_pairs"
--   WHERE contested
--   ORDER BY island, detection, occurrence
CREATE TABLE "aligned_pairs" AS
SELECT query, island, detection, occurrence
FROM "candidate_pairs"
WHERE NOT contested
QUALIFY row_number() OVER (PARTITION BY island, occurrence ORDER BY gain_1 DESC, gain_2 DESC, gain_3 DESC, detection) = 1
UNION ALL
SELECT query, island, left_row, right_row FROM "aligned_pairs_rows";

-- ## openkws13.aligned_rows
-- relation aligned_rows (specs/term_detection/shared/alignment.yaml)
-- The detections, each with its occurrence (NULL if it is not aligned), and the occurrences without a
--   detection, if trials are virtual. `inside`: the row lies in the audio. With inside_audio = midpoint, all
--   detections and occurrences are aligned, and a row is then judged by a midpoint: that of its occurrence
--   or, if the detection is not aligned, that of the detection. With inside_audio = whole, as in F4DE, only
--   what lies in the audio is aligned.
-- A slice of a breakdown by the audio has the rows inside its excerpts. Rows outside every excerpt are in no
--   slice.
CREATE TABLE "aligned_rows" AS
WITH joined AS (
    SELECT query, doc, channel, tbeg, dur, score, decision,
        NULL::DOUBLE AS occurrence_onset, NULL::DOUBLE AS occurrence_offset, false AS target
    FROM "detections"
    ANTI JOIN "candidate_pairs" USING (query, doc, channel, tbeg, dur)
    UNION ALL
    SELECT query, doc, channel, tbeg, dur, score, decision,
        if(found, occurrence_onset, NULL), if(found, occurrence_offset, NULL), coalesce(found, false)
    FROM "candidate_pairs"
    LEFT JOIN (SELECT island, detection, occurrence, true AS found FROM "aligned_pairs") USING (island, detection, occurrence)
    QUALIFY row_number() OVER (PARTITION BY island, detection ORDER BY found NULLS LAST, occurrence) = 1
    UNION ALL
    SELECT query, doc, channel, NULL, NULL, NULL, NULL, onset_s, offset_s, true
    FROM "occurrence_islands"
    ANTI JOIN "aligned_pairs" USING (island, occurrence)
),
places AS (
    SELECT *, true AS found
    FROM (SELECT DISTINCT doc, channel, tbeg, dur FROM "detections") AS place_
    SEMI JOIN "excerpts" AS excerpt_
        ON place_.doc = excerpt_.doc AND place_.channel = excerpt_.channel
    AND floor(place_.tbeg / 60)::BIGINT = excerpt_.minute
    AND place_.tbeg >= excerpt_.onset AND four_decimals(place_.tbeg + place_.dur) <= excerpt_.excerpt_end
)
SELECT query, doc, channel, tbeg, dur, score, decision, occurrence_onset, occurrence_offset, target, target OR coalesce(found, false) AS inside
FROM joined
LEFT JOIN places USING (doc, channel, tbeg, dur)
UNION ALL
SELECT query, doc, channel, NULL, NULL, NULL, NULL, onset_s, offset_s, true, false
FROM "located_occurrences" AS occurrence_
ANTI JOIN "excerpts" AS excerpt_
    ON occurrence_.doc = excerpt_.doc AND occurrence_.channel = excerpt_.channel
    AND floor(occurrence_.onset / 60)::BIGINT = excerpt_.minute
    AND occurrence_.onset >= excerpt_.onset AND occurrence_.first_end <= excerpt_.excerpt_end;

-- ## openkws13.left_out
-- relation left_out (specs/term_detection/shared/alignment.yaml)
-- The detections and occurrences that do not count as they are, with the reason and the verdict. The verdict
--   depends on the parameter `outside_audio`. left out: the detection or occurrence does not count. false
--   alarm: the detection counts as unaligned. refused: the run ends with an error. With inside_audio =
--   midpoint, an occurrence outside the audio and the detection that is aligned with it are always left out;
--   without the gold, it is unknown whether a detection is aligned.
CREATE TABLE "left_out" AS
WITH reasons AS (
    SELECT 'detection' AS kind, query, doc, channel, tbeg, dur, score, decision, true AS outside,
        if(target, 'aligned with an occurrence outside the audio', 'outside the audio') AS reason
    FROM "aligned_rows"
    WHERE NOT inside AND tbeg IS NOT NULL
    UNION ALL
    SELECT 'occurrence', query, doc, channel, occurrence_onset, occurrence_offset - occurrence_onset, NULL, NULL, true,
        'outside the audio'
    FROM "aligned_rows"
    WHERE NOT inside AND target
)
SELECT *,
    'left out' AS verdict
FROM reasons;

-- ## openkws13.alignment
-- relation alignment (specs/term_detection/shared/alignment.yaml)
-- The alignment: each detection that counts, with its occurrence (NULL if it is not aligned), and each
--   occurrence without a detection. Outcomes (section 2.1): an aligned detection with YES is a hit, and with
--   NO a miss; an unaligned detection with YES is a false_alarm, and with NO a correct_rejection; an
--   occurrence without a detection is a miss.
CREATE TABLE "alignment" AS
WITH judged AS (
    SELECT query, doc, channel, tbeg, dur, score, decision, occurrence_onset, occurrence_offset, target
    FROM "aligned_rows"
    WHERE inside
    UNION ALL
    SELECT query, doc, channel, tbeg, dur, score, decision, NULL, NULL, false
    FROM "left_out"
    WHERE verdict = 'false alarm'
)
SELECT *,
    CASE
        WHEN target AND decision = 'YES' THEN 'hit'
        WHEN target THEN 'miss'
        WHEN decision = 'YES' THEN 'false_alarm'
        ELSE 'correct_rejection'
    END AS outcome
FROM judged;

-- ## openkws13.audio_size
-- relation audio_size, T_audio (specs/term_detection/shared/alignment.yaml)
-- The duration of the audio that is searched, T_audio, and the number of trials of one query: n_tps · T_audio
--   if trials are virtual (Eq 2), otherwise the number of segments or documents.
CREATE TABLE "audio_size" AS
WITH durations AS (
    -- As in F4DE, the channels of a document are ignored, and an excerpt ends where the next excerpt begins. The unit is
    -- half a microsecond, because excerpts of type splitcts count half.
    SELECT (least(onset + size, coalesce(lead(onset) OVER document, onset + size)) - onset)
        * if(source_type = 'splitcts', 1, 2) AS halves
    FROM (SELECT *, microseconds(tbeg) AS onset, microseconds(dur) AS size FROM "audio")
    WINDOW document AS (PARTITION BY doc ORDER BY onset, size)
),
sizes AS (
    SELECT sum(halves) / 2e6 AS seconds FROM durations
)
SELECT *, round_even(1.0e0 * seconds, 0) AS trials, 'virtual' AS kind,
    NULL::BIGINT AS speech_trials
FROM sizes;

-- ## openkws13.query_sizes
-- relation query_sizes (specs/term_detection/shared/rates.yaml)
-- The queries, each with its number of target trials, N_act(q), and its number of nontarget trials, N_nt(q) =
--   trials − N_act(q) (Eq 2).
CREATE TABLE "query_sizes" AS
WITH counted AS (
    SELECT query, count(*) AS targets FROM "targets" GROUP BY ALL
)
SELECT query, coalesce(targets, 0) AS targets, trials - coalesce(targets, 0) AS nontargets,
    targets IS NULL AS unscored
FROM (SELECT DISTINCT query FROM "queries")
CROSS JOIN "audio_size"
LEFT JOIN counted USING (query);

-- ## openkws13.scored_queries
-- relation scored_queries, Q (specs/term_detection/shared/rates.yaml)
-- The scored queries (Q), each with the weight of one hit and of one false alarm in the rates averaged over
--   queries. A hit of q weighs 1 / (N_act(q) · |Q|), so that the sum over all hits is 1 − P_miss (Eqs 1 and
--   4). A false alarm weighs 1 / (N_nt(q) · |Q|), so that the sum over all false alarms is P_fa (Eqs 3 and
--   5).
-- Weights are whole numbers in units of 2^-90. Sums of whole numbers do not depend on the order of rows; sums
--   of binary64 fractions such as 1/3 do. With three queries, a hit of a query with 5 occurrences weighs 2^90
--   // 15.
-- With include_queries_without_targets, P_fa is averaged over all queries and P_miss over the queries with a
--   target. With pooled, all queries are one block with the trials of one query. A block without nontarget
--   trials has no false alarm rate, and its false alarms weigh 0: P_fa is averaged over the other blocks.
CREATE TABLE "scored_queries" AS
WITH blocks AS (
    SELECT *,
        query AS block, targets AS block_targets, nontargets AS block_nontargets,
        count_if(targets > 0) OVER () AS targeted, count_if(nontargets > 0) OVER () AS rated
    FROM "query_sizes"
    WHERE targets > 0
)
SELECT query, targets, nontargets, block, block_targets, block_nontargets,
    if(block_targets > 0, one_weight() // (block_targets * targeted), NULL) AS hit_weight,
    if(block_nontargets > 0, round_even(one_weight()::DOUBLE / (block_nontargets * rated), 0)::HUGEINT, 0) AS false_alarm_weight
FROM blocks;

-- ## openkws13.scored_detections
-- relation scored_detections (specs/term_detection/shared/rates.yaml)
-- The detections of the scored queries, each with the weight that it adds if it is accepted: `hit_weight` if
--   it is aligned, otherwise `false_alarm_weight` (see scored_queries). TWV at any threshold is a function of
--   the sums of the two weights (Eq 6).
CREATE TABLE "scored_detections" AS
SELECT query, block, score, target, outcome, decision = 'YES' AS accepted, targets > 0 AS has_targets,
    if(target, hit_weight, 0) AS hit_weight, if(target, 0, false_alarm_weight) AS false_alarm_weight
FROM "alignment"
JOIN "scored_queries" USING (query)
WHERE decision IS NOT NULL;

-- ## openkws13.query_counts
-- relation query_counts (specs/term_detection/shared/rates.yaml)
-- The scored queries, each with its numbers of detections, hits, misses, false alarms and correct rejections.
--   `unordered`: the highest score with NO is at least the lowest score with YES, so that no threshold on the
--   scores of the query gives the decisions.
CREATE TABLE "query_counts" AS
WITH counted AS (
    SELECT query, count(*) AS detections, count_if(target) AS aligned, count_if(outcome = 'hit') AS hits,
        count_if(outcome = 'false_alarm') AS false_alarms, count_if(outcome = 'correct_rejection') AS correct_rejections,
        max(score) FILTER (WHERE NOT accepted) >= min(score) FILTER (WHERE accepted) AS unordered
    FROM "scored_detections"
    GROUP BY ALL
)
SELECT query_.*,
    coalesce(detections, 0) AS detections, coalesce(aligned, 0) AS aligned, coalesce(hits, 0) AS hits,
    targets - coalesce(hits, 0) AS misses, coalesce(false_alarms, 0) AS false_alarms,
    coalesce(correct_rejections, 0) AS correct_rejections, coalesce(unordered, false) AS unordered
FROM "scored_queries" AS query_
LEFT JOIN counted USING (query);

-- ## openkws13.operating_point
-- relation operating_point (specs/term_detection/shared/rates.yaml)
-- The operating point, one row for the whole set in every breakdown: costs and priors, β (Eq 7), the
--   empirical prior (Eq 12), α (Eq 20), the weight of a miss, the effective prior P_tar (Eq 23) and the
--   threshold of minimum expected cost θ_mincost = −logit(P_tar) = ln β (Eq 31). With p_target = null, the
--   prior is that of SWS 2012, N_true / (n_tps · T_audio) (Eq 17).
-- Eq 15 weighs a false alarm with β · p / (1 − p) misses, where p is the empirical prior. The weight of a
--   miss is the inverse. If p_target is the empirical prior, it is C_miss / C_fa (Eq 16). For Eq 17 and costs
--   of 1 it is |Q|·α (Eq 19).
-- With C_miss = 100, C_fa = 1 and P_target = 0.00015 (Eq 21): β = 66.657, P_tar = 0.0148, θ_mincost = 4.2.
CREATE TABLE "operating_point" AS
WITH sizes AS (
    SELECT count(*) AS queries, sum(targets)::BIGINT AS targets FROM "query_sizes" WHERE targets > 0
),
chosen AS (
    SELECT *, 0.0001e0::DOUBLE AS p_target
    FROM sizes, "audio_size"
)
SELECT *, 1 / (1 + beta) AS p_tar, ln(beta) AS theta_mincost,
    (1 - p_target_empirical) / nullif(1 - queries * p_target_empirical, 0) AS alpha,
    (1 - p_target_empirical) / (p_target_empirical * beta) AS miss_weight
FROM (
    SELECT queries, targets, trials, p_target, 10.0e0 AS c_miss, 1.0e0 AS c_fa,
        (1.0e0 / 10.0e0) * (1 / p_target - 1) AS beta, targets / (queries * trials) AS p_target_empirical
    FROM chosen
);

-- ## openkws13.query_totals
-- relation query_totals (specs/term_detection/shared/rates.yaml)
-- The number of scored queries, the number of those with a target (over which P_miss is averaged) and the
--   number of those with a nontarget trial (over which P_fa is averaged), with the operating point.
CREATE TABLE "query_totals" AS
SELECT *
FROM (
    SELECT count(*) AS queries, count_if(targets > 0) AS queries_with_targets, count_if(block_nontargets > 0) AS queries_with_nontargets,
        sum(targets)::BIGINT AS targets, any_value(FALSE) AS pooled
    FROM "scored_queries"
)
CROSS JOIN (SELECT beta, c_miss, c_fa, p_target FROM "operating_point");

-- ## openkws13.score_weights
-- relation score_weights (specs/term_detection/shared/submitted_scores.yaml)
-- The detections added up by score: their weights (see scored_detections), and the numbers of aligned
--   detections (targets), of unaligned detections, and of detections with the decision YES. Sums of these
--   numbers are exact: they are whole numbers below 2^53.
CREATE TABLE "score_weights" AS
SELECT ranked_score(score) AS score, has_targets, sum(hit_weight) AS hit_weight,
    sum(false_alarm_weight) AS false_alarm_weight, count_if(target)::DOUBLE AS true_trials,
    count_if(NOT target)::DOUBLE AS false_trials, count_if(accepted)::DOUBLE AS accepted_trials
FROM "scored_detections"
GROUP BY ALL;

-- ## openkws13.decision_totals
-- relation decision_totals (specs/term_detection/shared/rates.yaml)
-- The totals, with the smallest score that the system accepts (θ_act) and the largest score that it rejects.
--   If the smallest accepted score is above the largest rejected score, accepting the scores from θ_act on
--   gives exactly the decisions of the system.
CREATE TABLE "decision_totals" AS
SELECT *
FROM "query_totals"
CROSS JOIN (
    SELECT min(score) FILTER (WHERE accepted_trials > 0) AS smallest_accepted,
        max(score) FILTER (WHERE accepted_trials < true_trials + false_trials) AS largest_rejected
    FROM "score_weights"
);

-- ## openkws13.atwv_units
-- metric atwv, statistics per unit (specs/term_detection/shared/atwv.yaml)
-- Actual term-weighted value (ATWV): 1 − P_miss − β·P_fa at the decisions of the system, averaged over
--   queries. 1 is perfect, 0 is a system that always says NO. The value is at least −β unless a query has
--   more false alarms than nontarget trials. `threshold` is θ_act, the smallest score with the decision YES;
--   a note says so if no threshold gives the decisions.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "atwv_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(hits) AS "hits",
    sum(nontargets) AS "nontargets",
    sum(false_alarms) AS "false_alarms",
    sum(hits * hit_weight) AS "gain",
    sum(false_alarms * false_alarm_weight) AS "loss"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## openkws13.atwv
-- metric atwv, scores (specs/term_detection/shared/atwv.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "atwv" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "atwv_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(queries_with_targets > 0 AND queries_with_nontargets > 0, rate_of(gain) - beta * rate_of(loss), NULL) AS "value",
    smallest_accepted AS "threshold",
    CASE WHEN smallest_accepted IS NULL THEN 'reject all' WHEN largest_rejected >= smallest_accepted THEN 'no threshold gives the decisions' ELSE NULL END AS remark,
    CASE WHEN coalesce(queries_with_targets, 0) = 0 THEN 'no query has an occurrence' WHEN queries_with_nontargets = 0 THEN 'no query has trials besides its occurrences' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (
    SELECT any_value("queries_with_targets") AS "queries_with_targets", any_value("queries_with_nontargets") AS "queries_with_nontargets", any_value("beta") AS "beta", any_value("smallest_accepted") AS "smallest_accepted", any_value("largest_rejected") AS "largest_rejected"
    FROM "decision_totals" AS row_
    HAVING if(count(*) > 1, error(concat('relation decision_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## openkws13.submitted_scores
-- relation submitted_scores (specs/term_detection/shared/submitted_scores.yaml)
-- How scores and decisions are distributed: numbers of detections with YES and with NO, and how the
--   detections with NO are spread at the lower end of their scores.
-- A system that lists detections far below its decision threshold has few of them at the lower end, where its
--   scores thin out: of 1,871 detections with NO in a normal distribution, about 9 are in the lowest tenth of
--   the range. If all scores below some value are missing, the list ends where scores are frequent, with 5 %
--   or more in the lowest tenth (`ends_where_frequent`); if they are replaced by one value, most detections
--   have that value (`ends_at_one_score`). Probabilities thin out towards no side, because they cannot be
--   below 0, so that an end at 0 says nothing.
-- The numbers below decide on warnings only. No score depends on them.
CREATE TABLE "submitted_scores" AS
WITH ends AS (
    SELECT min(score) AS lowest, min(score) FILTER (WHERE isfinite(score)) AS range_start,
        max(score) FILTER (WHERE isfinite(score)) AS range_end
    FROM "detections"
    WHERE decision = 'NO'
),
counted AS (
    SELECT count(*) AS detections, count_if(decision = 'YES') AS accepted, count_if(decision = 'NO') AS rejected,
        count_if(decision = 'NO' AND score = lowest) AS at_lowest,
        count_if(decision = 'NO' AND isfinite(score) AND score < range_start * (1 - 0.1e0) + range_end * 0.1e0)
            AS in_lowest_tenth,
        coalesce(min(score) >= 0 AND max(score) <= 1, false) AS in_unit_range,
        in_unit_range AND coalesce(any_value(range_start < 0.01e0 * (range_end - range_start)), false) AS from_zero
    FROM "detections", ends
)
SELECT detections, accepted, rejected, at_lowest, in_lowest_tenth, at_lowest > 0.5e0 * rejected AS ends_at_one_score,
    rejected >= 100 AND in_lowest_tenth > 0.05e0 * rejected AND NOT from_zero AS ends_where_frequent,
    detections >= 100 AND in_unit_range AS like_probabilities
FROM counted;

-- ## openkws13.curve_totals
-- relation curve_totals (specs/term_detection/shared/submitted_scores.yaml)
-- One row with the columns of query_totals that metrics over all thresholds read; in a breakdown, one row per
--   slice. It also reads submitted_scores, so that these metrics give the warnings of that relation.
CREATE TABLE "curve_totals" AS
SELECT queries_with_targets, queries_with_nontargets, beta
FROM "query_totals", "submitted_scores";

-- ## openkws13.mtwv_units
-- metric mtwv, statistics per unit (specs/term_detection/openkws13/mtwv.yaml)
-- Maximum term-weighted value (MTWV) as in KWSEval: the largest 1 − P_miss − β·P_fa over all scores as
--   thresholds. At least one detection is accepted, so that the value can be below 0.
CREATE TABLE "mtwv_units" AS
WITH counted AS (
    SELECT "query",
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
    FROM "scored_detections" AS counted_rows
    GROUP BY ALL
)
SELECT all_units."query",
    coalesce("gain", 0) AS "gain",
    coalesce("loss", 0) AS "loss"
FROM (
    FROM (SELECT DISTINCT "query" FROM "scored_queries")
) AS all_units
LEFT JOIN counted ON counted."query" IS NOT DISTINCT FROM all_units."query";

-- ## openkws13.mtwv_scores
-- metric mtwv, sums per score (specs/term_detection/openkws13/mtwv.yaml)
-- The sums of the statistics over the rows with each score: one row for each distinct score of a slice (of a
--   unit, if each unit has its own threshold). Rows without a score are left out. Statistics are additive, so
--   that a run in parts adds up the sums that each part has made of its rows.
CREATE VIEW "mtwv_scores" AS
SELECT
        0 AS breakdown,
        ranked_score(score) AS threshold,
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
FROM "score_weights" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## openkws13.mtwv_sums
-- metric mtwv, running sums (specs/term_detection/openkws13/mtwv.yaml)
-- The running sums of the statistics from the highest score to the lowest: one row for each distinct score of
--   a slice (of a unit, if each unit has its own threshold), with the sums over all rows with this score or a
--   higher score.
-- The naive way filters the rows again at each threshold θ, by score ≥ θ. Because statistics are additive,
--   the sum at θ is the sum at the next higher threshold plus the rows with the score θ, so that one pass is
--   enough. With the scores 0.9 (hit), 0.8 (false alarm) and 0.5 (hit), the running numbers are 1, 1, 2 hits
--   and 0, 1, 1 false alarms. Rows without a score are in no sum. tests/unit/test_sweep.py compares the two
--   ways.
CREATE TABLE "mtwv_sums" AS
SELECT breakdown, threshold,
        row_number() OVER down AS rank,
        coalesce(sum("gain") OVER down, 0) AS "gain",
        coalesce(sum("loss") OVER down, 0) AS "loss"
FROM "mtwv_scores"
WINDOW down AS (ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- ## openkws13.mtwv
-- metric mtwv, scores (specs/term_detection/openkws13/mtwv.yaml)
-- The best point of the curve in each slice (or unit): the threshold at which the component named by `best`
--   is largest or smallest, with all components at this threshold.
-- The naive way tries each threshold θ in turn: accept the rows with score ≥ θ, add up their statistics,
--   compute the components. Here the sums at all thresholds are already known (running_sums.sql), and the
--   components are computed once for each threshold. Components within `tie` (1e-12) of the best value are
--   ties, and the lowest of their thresholds is taken. The point that accepts no row is above all thresholds,
--   so that it is taken only if there is no tie. tests/unit/test_sweep.py compares the result with the naive
--   way.
CREATE TABLE "mtwv" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "mtwv_units"
    GROUP BY ALL
),
points AS NOT MATERIALIZED (
    SELECT
        sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
        {"gain": sums."gain", "loss": sums."loss" } AS total,
        given."queries_with_targets",
        given."queries_with_nontargets",
        given."beta",
        coalesce(running."gain", 0) AS "gain",
        coalesce(running."loss", 0) AS "loss"
    FROM sums
    LEFT JOIN (
        SELECT any_value("queries_with_targets") AS "queries_with_targets", any_value("queries_with_nontargets") AS "queries_with_nontargets", any_value("beta") AS "beta"
        FROM "curve_totals" AS row_
        HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
    LEFT JOIN "mtwv_sums" AS running ON running.breakdown = sums.breakdown
),
at_points AS NOT MATERIALIZED (
    SELECT slice, breakdown, rank, threshold, mark,
        if(queries_with_targets > 0 AND queries_with_nontargets > 0, rate_of(gain) - beta * rate_of(loss), NULL) AS "value",
        if(queries_with_targets > 0 AND queries_with_nontargets > 0, 1 - rate_of(gain), NULL) AS "p_miss",
        if(queries_with_targets > 0 AND queries_with_nontargets > 0, rate_of(loss), NULL) AS "p_fa",
        {"gain": points."gain", "loss": points."loss" } AS accepted
    FROM points
)
,
optimum AS (
    SELECT breakdown, max(nullif("value"::DOUBLE, 'nan'::DOUBLE)) AS best
    FROM at_points
    GROUP BY ALL
),
chosen AS (
    SELECT at_points.*
    FROM at_points JOIN optimum ON at_points.breakdown = optimum.breakdown
    WHERE at_points."value"::DOUBLE = optimum.best
        OR at_points."value"::DOUBLE > optimum.best - 1e-12
    QUALIFY row_number() OVER (PARTITION BY at_points.breakdown ORDER BY threshold ASC NULLS LAST) = 1
)
SELECT sums.scope, sums.slice, sums.breakdown,
    chosen."value",
    chosen."p_miss",
    chosen."p_fa",
    chosen.threshold AS threshold, chosen.rank AS best_rank,
    CASE WHEN chosen.rank = 0 THEN 'reject all' END AS remark,
    CASE WHEN coalesce(queries_with_targets, 0) = 0 THEN 'no query has an occurrence' WHEN queries_with_nontargets = 0 THEN 'no query has trials besides its occurrences' ELSE CASE WHEN chosen.rank IS NULL THEN 'at every threshold'
         ELSE nullif(concat_ws(', ', CASE WHEN chosen.accepted."gain" = 0 THEN 'gain = 0' END, CASE WHEN chosen.accepted."loss" = 0 THEN 'loss = 0' END), '')
    END END AS note
FROM sums LEFT JOIN (
    SELECT any_value("queries_with_targets") AS "queries_with_targets", any_value("queries_with_nontargets") AS "queries_with_nontargets", any_value("beta") AS "beta"
    FROM "curve_totals" AS row_
    HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true
 LEFT JOIN chosen ON chosen.breakdown = sums.breakdown;

-- ## openkws13.mtwv_marks
-- metric mtwv, sums of marked points (specs/term_detection/openkws13/mtwv.yaml)
-- The sums of the statistics at the marked points of a curve. At a marked point, the accepted rows are those
--   that satisfy a condition, such as decision = 'YES', and not those above a threshold.
CREATE TABLE "mtwv_marks" AS
SELECT
        0 AS breakdown,
        'actual' AS mark,
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
FROM "scored_detections" AS counted_rows
WHERE accepted
GROUP BY ALL;

-- ## openkws13.p_miss_units
-- metric p_miss, statistics per unit (specs/term_detection/shared/p_miss.yaml)
-- Miss rate (P_miss) at the decisions of the system: the misses of a query divided by its targets, averaged
--   over queries.
CREATE TABLE "p_miss_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(hits) AS "hits",
    sum(nontargets) AS "nontargets",
    sum(false_alarms) AS "false_alarms",
    sum(hits * hit_weight) AS "gain",
    sum(false_alarms * false_alarm_weight) AS "loss"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## openkws13.p_miss
-- metric p_miss, scores (specs/term_detection/shared/p_miss.yaml)
CREATE TABLE "p_miss" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "p_miss_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(queries_with_targets > 0, 1 - rate_of(gain), NULL) AS "value",
    CASE WHEN coalesce(queries_with_targets, 0) = 0 THEN 'no query has an occurrence' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (
    SELECT any_value("queries_with_targets") AS "queries_with_targets"
    FROM "query_totals" AS row_
    HAVING if(count(*) > 1, error(concat('relation query_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## openkws13.p_fa_units
-- metric p_fa, statistics per unit (specs/term_detection/shared/p_fa.yaml)
-- False alarm rate (P_fa) at the decisions of the system: the false alarms of a query divided by its trials
--   that are not targets, averaged over queries. It can exceed 1, because the number of virtual trials does
--   not limit the number of false alarms.
CREATE TABLE "p_fa_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(hits) AS "hits",
    sum(nontargets) AS "nontargets",
    sum(false_alarms) AS "false_alarms",
    sum(hits * hit_weight) AS "gain",
    sum(false_alarms * false_alarm_weight) AS "loss"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## openkws13.p_fa
-- metric p_fa, scores (specs/term_detection/shared/p_fa.yaml)
CREATE TABLE "p_fa" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "p_fa_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(queries_with_nontargets > 0, rate_of(loss), NULL) AS "value",
    CASE WHEN coalesce(queries, 0) = 0 THEN 'no query has an occurrence' WHEN queries_with_nontargets = 0 THEN 'no query has trials besides its occurrences' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (
    SELECT any_value("queries") AS "queries", any_value("queries_with_nontargets") AS "queries_with_nontargets"
    FROM "query_totals" AS row_
    HAVING if(count(*) > 1, error(concat('relation query_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## openkws13.block_counts
-- relation block_counts (specs/term_detection/shared/counts.yaml)
-- One row per block of scored queries, with the numbers of query_counts added up over its queries.
CREATE TABLE "block_counts" AS
SELECT block, sum(targets)::BIGINT AS targets, sum(detections)::BIGINT AS detections, sum(hits)::BIGINT AS hits,
    sum(misses)::BIGINT AS misses, sum(false_alarms)::BIGINT AS false_alarms,
    sum(correct_rejections)::BIGINT AS correct_rejections
FROM "query_counts"
GROUP BY block;

-- ## openkws13.counts_units
-- metric counts, statistics per unit (specs/term_detection/shared/counts.yaml)
-- Counts: numbers of scored queries, of their targets and detections, and of hits, misses, false alarms and
--   correct rejections at the decisions of the system (section 2.1). Queries without occurrences are not
--   scored unless include_queries_without_targets is true.
CREATE TABLE "counts_units" AS
SELECT "block",
    count(DISTINCT block) AS "queries",
    sum(targets) AS "targets",
    sum(detections) AS "detections",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms",
    sum(correct_rejections) AS "correct_rejections"
FROM "block_counts" AS counted_rows
GROUP BY ALL;

-- ## openkws13.counts
-- metric counts, scores (specs/term_detection/shared/counts.yaml)
CREATE TABLE "counts" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("queries"), 0) AS "queries",
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("detections"), 0) AS "detections",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("misses"), 0) AS "misses",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("correct_rejections"), 0) AS "correct_rejections"
    FROM "counts_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    queries AS "queries",
    targets AS "targets",
    detections AS "detections",
    hits AS "hits",
    misses AS "misses",
    false_alarms AS "false_alarms",
    correct_rejections AS "correct_rejections",
    nullif(concat_ws(', ', CASE WHEN sums."queries" = 0 THEN 'queries = 0' END, CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."detections" = 0 THEN 'detections = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."misses" = 0 THEN 'misses = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."correct_rejections" = 0 THEN 'correct_rejections = 0' END), '') AS note
FROM sums;

-- ## openkws13.query_steps
-- relation query_steps (specs/term_detection/shared/upper_bound_twv.yaml)
-- The detections of each block in groups of adjacent scores, each with its lowest score and its total
--   weights. Only these scores are tried as the threshold of the block.
-- The naive way tries every score. As the threshold falls, TWV rises where an aligned detection (hit) is
--   accepted, and falls where an unaligned detection (false alarm) is accepted. So the best threshold is the
--   score of an aligned detection, or no detection is accepted. Unaligned detections between the scores of
--   two aligned detections can therefore be added up. With hits at 0.9 and 0.5 and false alarms at 0.8, 0.7
--   and 0.3, the groups are {0.9}, {0.8, 0.7}, {0.5} and {0.3}: four thresholds instead of five.
-- The detections with the highest score of the block are always a group of their own, because openkws13 must
--   accept at least these. tests/conformance/test_term_detection.py compares the best values with those of
--   KWSEval.
-- With `pooled`, the detections of all queries are one block, and are read as they were added up by score.
CREATE TABLE "query_steps" AS
WITH steps AS (
    SELECT DISTINCT block, score FROM "scored_detections" WHERE target
),
highest AS (
    SELECT block, max(score) AS highest FROM "scored_detections" GROUP BY ALL
)
SELECT block, min(score) AS score, sum(hit_weight) AS hit_weight, sum(false_alarm_weight) AS false_alarm_weight
FROM (
    SELECT detection_.*, step_.score AS step, detection_.score > step_.score AS above
    FROM "scored_detections" AS detection_
    ASOF LEFT JOIN steps AS step_
        ON detection_.block = step_.block
        AND detection_.score >= step_.score
)
JOIN highest USING (block)
GROUP BY block, step, above, score = highest;

-- ## openkws13.query_blocks
-- relation query_blocks (specs/term_detection/shared/upper_bound_twv.yaml)
-- One row per block of queries over which rates are averaged: each query or, if `pooled` is true, one block
--   of all queries.
CREATE TABLE "query_blocks" AS
SELECT block, count(*) OVER () AS blocks, queries_with_nontargets, beta
FROM (SELECT DISTINCT block FROM "scored_queries")
CROSS JOIN "curve_totals";

-- ## openkws13.reachable_scores
-- relation reachable_scores (specs/term_detection/openkws13/upper_bound_twv.yaml)
-- The groups of query_steps, and for each block a further group with the highest score of all blocks and the
--   weights 0. KWSEval takes the thresholds of a query from the scores of all queries. So it can reject all
--   detections of a query if another query has a higher score.
CREATE TABLE "reachable_scores" AS
SELECT block, score, hit_weight, false_alarm_weight FROM "query_steps"
UNION ALL
SELECT block, highest_score, 0, 0
FROM "query_blocks"
CROSS JOIN (SELECT max(score) AS highest_score FROM "query_steps");

-- ## openkws13.upper_bound_twv_units
-- metric upper_bound_twv, statistics per unit (specs/term_detection/openkws13/upper_bound_twv.yaml)
-- Upper-bound term-weighted value (UBTWV) as in KWSEval: the largest 1 − P_miss − β·P_fa if each query has
--   its own best threshold among the scores of all queries. The detection with the highest score of all is
--   always accepted, so that the value can be below 0.
CREATE TABLE "upper_bound_twv_units" AS
WITH counted AS (
    SELECT "block",
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
    FROM "reachable_scores" AS counted_rows
    GROUP BY ALL
)
SELECT all_units."block",
    coalesce("gain", 0) AS "gain",
    coalesce("loss", 0) AS "loss"
FROM (
    FROM (SELECT DISTINCT "block" FROM "query_blocks")
) AS all_units
LEFT JOIN counted ON counted."block" IS NOT DISTINCT FROM all_units."block";

-- ## openkws13.block_queries
-- relation block_queries (specs/term_detection/shared/upper_bound_twv.yaml)
-- One row per block of queries, with the name of its query. A block of all queries has no name.
CREATE TABLE "block_queries" AS
SELECT DISTINCT block, block AS query FROM "scored_queries";

-- ## openkws13.upper_bound_twv_scores
-- metric upper_bound_twv, sums per score (specs/term_detection/openkws13/upper_bound_twv.yaml)
CREATE VIEW "upper_bound_twv_scores" AS
SELECT
        0 AS breakdown,
        "block" AS "block",
        ranked_score(score) AS threshold,
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
FROM "reachable_scores" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## openkws13.upper_bound_twv_sums
-- metric upper_bound_twv, running sums (specs/term_detection/openkws13/upper_bound_twv.yaml)
CREATE TABLE "upper_bound_twv_sums" AS
SELECT "block", breakdown, threshold,
        row_number() OVER down AS rank,
        coalesce(sum("gain") OVER down, 0) AS "gain",
        coalesce(sum("loss") OVER down, 0) AS "loss"
FROM "upper_bound_twv_scores"
WINDOW down AS (PARTITION BY "block" ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- ## openkws13.upper_bound_twv_best
-- metric upper_bound_twv, the best threshold of each unit
--   (specs/term_detection/openkws13/upper_bound_twv.yaml)
CREATE TABLE "upper_bound_twv_best" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        "block" AS "block",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "upper_bound_twv_units"
    GROUP BY "block"
),
points AS NOT MATERIALIZED (
    SELECT sums."block",
        sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
        {"gain": sums."gain", "loss": sums."loss" } AS total,
        given."beta",
        given."blocks",
        given."queries_with_nontargets",
        coalesce(running."gain", 0) AS "gain",
        coalesce(running."loss", 0) AS "loss"
    FROM sums
    LEFT JOIN (
        SELECT "block", any_value("beta") AS "beta", any_value("blocks") AS "blocks", any_value("queries_with_nontargets") AS "queries_with_nontargets"
        FROM "query_blocks" AS row_
        GROUP BY "block"
        HAVING if(count(*) > 1, error(concat('relation query_blocks: `given` reads one row per block, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON given."block" IS NOT DISTINCT FROM sums."block"
    LEFT JOIN "upper_bound_twv_sums" AS running ON running.breakdown = sums.breakdown AND running."block" IS NOT DISTINCT FROM sums."block"
),
at_points AS NOT MATERIALIZED (
    SELECT "block", slice, breakdown, rank, threshold, mark,
        if(queries_with_nontargets > 0, blocks * (rate_of(gain) - beta * rate_of(loss)), NULL) AS "value",
        {"gain": points."gain", "loss": points."loss" } AS accepted
    FROM points
)
,
optimum AS (
    SELECT "block", breakdown, max(nullif("value"::DOUBLE, 'nan'::DOUBLE)) AS best
    FROM at_points
    GROUP BY ALL
),
chosen AS (
    SELECT at_points.*
    FROM at_points JOIN optimum ON at_points.breakdown = optimum.breakdown AND at_points."block" IS NOT DISTINCT FROM optimum."block"
    WHERE at_points."value"::DOUBLE = optimum.best
        OR at_points."value"::DOUBLE > optimum.best - 1e-12
    QUALIFY row_number() OVER (PARTITION BY at_points."block", at_points.breakdown ORDER BY threshold ASC NULLS LAST) = 1
)
SELECT sums."block", sums.scope, sums.slice, sums.breakdown,
    chosen."value",
    finite(chosen.threshold) AS threshold, chosen.rank AS best_rank,
    CASE WHEN chosen.rank = 0 THEN 'reject all' END AS remark,
    chosen.accepted."gain" AS "gain",
    chosen.accepted."loss" AS "loss",
    CASE WHEN chosen.rank IS NULL THEN 'at every threshold'
         ELSE nullif(concat_ws(', ', CASE WHEN chosen.accepted."gain" = 0 THEN 'gain = 0' END, CASE WHEN chosen.accepted."loss" = 0 THEN 'loss = 0' END), '')
    END AS note
FROM sums LEFT JOIN chosen ON chosen.breakdown = sums.breakdown AND chosen."block" IS NOT DISTINCT FROM sums."block";

-- ## openkws13.upper_bound_twv
-- metric upper_bound_twv, scores (specs/term_detection/openkws13/upper_bound_twv.yaml)
-- The scores of the metric: the mean of each component over the units, for all units together and for each
--   slice. Units whose component is undefined are left out of its mean, and a note gives their number.
CREATE TABLE "upper_bound_twv" AS
SELECT
    json_object() AS scope,
    json_object() AS slice,
    0 AS breakdown,
    coalesce(sum("value") FILTER (WHERE NOT isfinite("value"::DOUBLE)), exact_mean(finite("value"::DOUBLE)))
        AS "value",
    CASE WHEN count(breakdown) = 0 THEN 'no units'
         WHEN count("value") < count(breakdown)
         THEN concat('defined in ', count("value"), ' (value)', ' of ', count(breakdown), ' units')
    END AS note
FROM (
    FROM "upper_bound_twv_best" WHERE breakdown = 0
) AS units_of_breakdown
GROUP BY ALL;

-- ## openkws13.supremum_twv_units
-- metric supremum_twv, statistics per unit (specs/term_detection/shared/supremum_twv.yaml)
-- Supremum term-weighted value (STWV), as in KWSEval: 1 − P_miss if all detections that are aligned with an
--   occurrence are accepted, and no others. It is the share of the targets of a query that the system
--   detects, averaged over queries, and at least upper_bound_twv.
CREATE TABLE "supremum_twv_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(aligned * hit_weight) AS "gain"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## openkws13.supremum_twv
-- metric supremum_twv, scores (specs/term_detection/shared/supremum_twv.yaml)
CREATE TABLE "supremum_twv" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("gain"), 0) AS "gain"
    FROM "supremum_twv_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(queries_with_targets > 0, rate_of(gain), NULL) AS "value",
    CASE WHEN coalesce(queries_with_targets, 0) = 0 THEN 'no query has an occurrence' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END), '') END AS note
FROM sums
LEFT JOIN (
    SELECT any_value("queries_with_targets") AS "queries_with_targets"
    FROM "query_totals" AS row_
    HAVING if(count(*) > 1, error(concat('relation query_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## openkws13.bayes_detections
-- relation bayes_detections (specs/term_detection/shared/bayes_twv.yaml)
-- One row per detection of a scored query whose score, after the map γ·score + δ (Eq 44), is above the Bayes
--   threshold θ_mincost = −logit(P_tar). If mapped scores are calibrated log-likelihood ratios, accepting
--   exactly these detections has the least expected cost (Eqs 30 and 31).
CREATE TABLE "bayes_detections" AS
SELECT detection_.*
FROM "scored_detections" AS detection_, "operating_point"
WHERE calibrated(score, 1.0e0, 0.0e0) > theta_mincost;

-- ## openkws13.bayes_twv_units
-- metric bayes_twv, statistics per unit (specs/term_detection/shared/bayes_twv.yaml)
-- Term-weighted value at the Bayes threshold: 1 − P_miss − β·P_fa if exactly the detections with a score
--   above θ_mincost = ln β are accepted. For calibrated natural log-likelihood ratios this threshold has the
--   least expected cost. 1 is perfect. `score_scale` and `score_offset` calibrate the scores first.
CREATE TABLE "bayes_twv_units" AS
WITH counted AS (
    SELECT "query",
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
    FROM "bayes_detections" AS counted_rows
    GROUP BY ALL
)
SELECT all_units."query",
    coalesce("gain", 0) AS "gain",
    coalesce("loss", 0) AS "loss"
FROM (
    FROM (SELECT DISTINCT "query" FROM "scored_queries")
) AS all_units
LEFT JOIN counted ON counted."query" IS NOT DISTINCT FROM all_units."query";

-- ## openkws13.bayes_twv
-- metric bayes_twv, scores (specs/term_detection/shared/bayes_twv.yaml)
CREATE TABLE "bayes_twv" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "bayes_twv_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(queries_with_targets > 0 AND queries_with_nontargets > 0, rate_of(gain) - beta * rate_of(loss), NULL) AS "value",
    CASE WHEN coalesce(queries_with_targets, 0) = 0 THEN 'no query has an occurrence' WHEN queries_with_nontargets = 0 THEN 'no query has trials besides its occurrences' ELSE nullif(concat_ws(', ', CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (
    SELECT any_value("queries_with_targets") AS "queries_with_targets", any_value("queries_with_nontargets") AS "queries_with_nontargets", any_value("beta") AS "beta"
    FROM "query_totals" AS row_
    HAVING if(count(*) > 1, error(concat('relation query_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## openkws13.cost_units
-- metric cost, statistics per unit (specs/term_detection/shared/cost.yaml)
-- Normalised detection cost `c_norm` = `c_det` / `c_default`: the detection cost at the decisions of the
--   system, divided by the cost of the better trivial system. `c_norm` is 1 − atwv if c_miss·p_target is at
--   most c_fa·(1 − p_target).
CREATE TABLE "cost_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(hits) AS "hits",
    sum(nontargets) AS "nontargets",
    sum(false_alarms) AS "false_alarms",
    sum(hits * hit_weight) AS "gain",
    sum(false_alarms * false_alarm_weight) AS "loss"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## openkws13.cost
-- metric cost, scores (specs/term_detection/shared/cost.yaml)
CREATE TABLE "cost" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "cost_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(queries_with_targets > 0 AND queries_with_nontargets > 0, c_miss * p_target * (1 - rate_of(gain)) + c_fa * (1 - p_target) * rate_of(loss), NULL) AS "c_det",
    least(c_miss * p_target, c_fa * (1 - p_target)) AS "c_default",
    ratio(c_det, c_default) AS "c_norm",
    CASE WHEN coalesce(queries_with_targets, 0) = 0 THEN 'no query has an occurrence' WHEN queries_with_nontargets = 0 THEN 'no query has trials besides its occurrences' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (
    SELECT any_value("queries_with_targets") AS "queries_with_targets", any_value("queries_with_nontargets") AS "queries_with_nontargets", any_value("c_miss") AS "c_miss", any_value("c_fa") AS "c_fa", any_value("p_target") AS "p_target"
    FROM "query_totals" AS row_
    HAVING if(count(*) > 1, error(concat('relation query_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## openkws13.prior_units
-- metric prior, statistics per unit (specs/term_detection/shared/prior.yaml)
-- Operating point: the prior, the effective prior (Eq 23), β (Eq 7) and the Bayes threshold (Eq 31), which
--   follow from c_miss, c_fa and p_target; the empirical prior (Eq 12) and α (Eq 20) of the reference; and
--   the weight of a miss (Eq 15).
CREATE TABLE "prior_units" AS
SELECT
    sum(targets) AS "targets"
FROM "operating_point" AS counted_rows
GROUP BY ALL;

-- ## openkws13.prior
-- metric prior, scores (specs/term_detection/shared/prior.yaml)
CREATE TABLE "prior" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets"
    FROM "prior_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    p_tar AS "p_tar",
    beta AS "beta",
    p_target AS "p_target",
    p_target_empirical AS "p_target_empirical",
    alpha AS "alpha",
    miss_weight AS "miss_weight",
    theta_mincost AS "theta_mincost",
    CASE WHEN targets = 0 THEN 'no query has an occurrence' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END), '') END AS note
FROM sums
LEFT JOIN (
    SELECT any_value("p_tar") AS "p_tar", any_value("beta") AS "beta", any_value("p_target") AS "p_target", any_value("p_target_empirical") AS "p_target_empirical", any_value("alpha") AS "alpha", any_value("miss_weight") AS "miss_weight", any_value("theta_mincost") AS "theta_mincost"
    FROM "operating_point" AS row_
    HAVING if(count(*) > 1, error(concat('relation operating_point: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## openkws13.smallest_score
-- relation smallest_score (specs/term_detection/shared/submitted_scores.yaml)
-- One row for the whole set with the smallest score of the detections of queries that have an occurrence. It
--   also reads submitted_scores, so that cross entropies give the warnings of that relation.
CREATE TABLE "smallest_score" AS
SELECT coalesce(min(score), 0) AS smallest_score FROM "score_weights", "submitted_scores" WHERE has_targets;

-- ## openkws13.trial_scores
-- relation trial_scores (specs/term_detection/shared/cnxe.yaml)
-- The trials of the queries that have targets: for each score, the number of target trials (true) and of
--   nontarget trials (false). Aligned detections are target trials and unaligned detections are nontarget
--   trials, whatever their decisions.
-- With score_set = all, the trials that the system does not list have the smallest submitted score (Eq 42),
--   and all |Q| · n_tps · T_audio trials count (Eqs 41 and 43). With score_set = submitted, only the listed
--   trials count (Eq 38). `excess_detections`: there are more unaligned detections than nontarget trials.
CREATE TABLE "trial_scores" AS
WITH listed AS (
    SELECT score, true_trials, false_trials FROM "score_weights" WHERE has_targets
)
SELECT score, true_trials, false_trials, false AS excess_detections FROM listed
UNION ALL
SELECT smallest_score, targets - coalesce(aligned, 0), nontargets - coalesce(unaligned, 0),
    coalesce(unaligned, 0) > nontargets
FROM (SELECT sum(targets) AS targets, sum(nontargets) AS nontargets FROM "query_sizes" WHERE targets > 0)
CROSS JOIN (SELECT sum(true_trials) AS aligned, sum(false_trials) AS unaligned FROM listed)
CROSS JOIN "smallest_score";

-- ## openkws13.likelihood_ratios
-- relation likelihood_ratios (specs/term_detection/shared/cnxe.yaml)
-- One row with the number of detections and whether their scores are like probabilities, although cnxe reads
--   scores as log-likelihood ratios. Scores that the run calibrates are not judged.
CREATE TABLE "likelihood_ratios" AS
SELECT detections, like_probabilities AS like_probabilities
FROM "submitted_scores";

-- ## openkws13.trial_costs
-- relation trial_costs (specs/term_detection/shared/cnxe.yaml)
-- One row per score, with the logarithmic cost of a true and of a false trial (Eq 37, divided by ln 2). With
--   llr = γ·score + δ (Eq 44), which is read as a log-likelihood ratio, a true trial costs log2(1 + exp(−(llr
--   + logit(P_tar)))) bits, and a false trial log2(1 + exp(llr + logit(P_tar))). It also reads
--   likelihood_ratios, so that cnxe gives the warning of that relation.
CREATE TABLE "trial_costs" AS
SELECT score, true_trials, false_trials,
    if(true_trials = 0, 0, if(true_bits < 1e15, true_bits, 'inf'::DOUBLE)) AS true_bits,
    if(false_trials = 0, 0, if(false_bits < 1e15, false_bits, 'inf'::DOUBLE)) AS false_bits
FROM (
    SELECT *, bits_of_odds(llr + log_odds) AS true_bits, bits_of_odds(-llr - log_odds) AS false_bits
    FROM (SELECT *, calibrated(score, 1.0e0, 0.0e0) AS llr FROM "trial_scores"),
        (SELECT logit(p_tar) AS log_odds FROM "operating_point")
), "likelihood_ratios";

-- ## openkws13.cnxe_prior
-- relation cnxe_prior (specs/term_detection/shared/cnxe.yaml)
-- One row with the effective prior P_tar (Eq 23), and whether the trials of the cross entropy can be counted;
--   in a breakdown, one row per slice.
CREATE TABLE "cnxe_prior" AS
SELECT bool_or(excess_detections) AS excess_detections, any_value(p_tar) AS p_tar
FROM "trial_scores", (SELECT p_tar FROM "operating_point");

-- ## openkws13.cnxe_units
-- metric cnxe, statistics per unit (specs/term_detection/shared/cnxe.yaml)
-- Normalised cross entropy (C_nxe) of the scores, read as natural log-likelihood ratios: the empirical cross
--   entropy divided by the entropy of the prior. 0 is perfect, 1 is no better than the prior alone, and more
--   than 1 means badly calibrated scores. Trials that the system does not list have the smallest submitted
--   score or, with score_set=submitted, do not count. `score_scale` and `score_offset` calibrate the scores
--   first.
CREATE TABLE "cnxe_units" AS
SELECT
    exact_sum(true_trials) AS "true_trials",
    exact_sum(false_trials) AS "false_trials",
    count_if(isinf(true_bits) OR isinf(false_bits)) AS "infinite",
    sum(finite(true_trials * true_bits)::DECIMAL(38, 12)) AS "true_bits",
    sum(finite(false_trials * false_bits)::DECIMAL(38, 12)) AS "false_bits"
FROM "trial_costs" AS counted_rows
GROUP BY ALL;

-- ## openkws13.cnxe
-- metric cnxe, scores (specs/term_detection/shared/cnxe.yaml)
CREATE TABLE "cnxe" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("true_trials"), 0) AS "true_trials",
        coalesce(sum("false_trials"), 0) AS "false_trials",
        coalesce(sum("infinite"), 0) AS "infinite",
        coalesce(sum("true_bits"), 0) AS "true_bits",
        coalesce(sum("false_bits"), 0) AS "false_bits"
    FROM "cnxe_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    CASE WHEN excess_detections THEN NULL WHEN infinite > 0 THEN 'inf'::DOUBLE ELSE p_tar * ratio(true_bits, true_trials) + (1 - p_tar) * ratio(false_bits, false_trials) END AS "cross_entropy",
    shared_bits(p_tar, 1 - p_tar) AS "prior_entropy",
    cross_entropy / prior_entropy AS "value",
    CASE WHEN excess_detections THEN 'more unaligned detections than false trials' ELSE nullif(concat_ws(', ', CASE WHEN sums."true_trials" = 0 THEN 'true_trials = 0' END, CASE WHEN sums."false_trials" = 0 THEN 'false_trials = 0' END, CASE WHEN sums."infinite" = 0 THEN 'infinite = 0' END, CASE WHEN sums."true_bits" = 0 THEN 'true_bits = 0' END, CASE WHEN sums."false_bits" = 0 THEN 'false_bits = 0' END), '') END AS note
FROM sums
LEFT JOIN (
    SELECT any_value("p_tar") AS "p_tar", any_value("excess_detections") AS "excess_detections"
    FROM "cnxe_prior" AS row_
    HAVING if(count(*) > 1, error(concat('relation cnxe_prior: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## openkws13.min_cnxe_units
-- metric min_cnxe, statistics per unit (specs/term_detection/shared/min_cnxe.yaml)
-- Minimum normalised cross entropy (C_nxe^min): cnxe after the affine map γ·score + δ that minimises it. 0 is
--   perfect, 1 is no better than the effective prior of c_miss, c_fa and p_target alone. If the cost keeps
--   falling as γ grows, for example because a threshold separates all targets from all other trials, the
--   value is the limit, and `gamma` and `delta` are NULL.
CREATE TABLE "min_cnxe_units" AS
SELECT
    exact_sum(true_trials) AS "positives",
    exact_sum(false_trials) AS "negatives"
FROM "trial_scores" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## openkws13.min_cnxe_parts
-- metric min_cnxe, weights per slice (specs/term_detection/shared/min_cnxe.yaml)
-- The slices to which calibrations are fitted, numbered as parts, each with the prior and the total weights
--   of its positives and of its negatives.
CREATE TABLE "min_cnxe_parts" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("positives"), 0) AS "positives",
        coalesce(sum("negatives"), 0) AS "negatives"
    FROM "min_cnxe_units"
    GROUP BY ALL
)
SELECT *, (if(excess_detections, NULL, p_tar))::DOUBLE AS prior,
    row_number() OVER (ORDER BY breakdown) AS part
FROM (
    SELECT sums.* REPLACE (sums.positives::DOUBLE AS positives, sums.negatives::DOUBLE AS negatives), given."p_tar", given."excess_detections"
    FROM sums
    LEFT JOIN (
        SELECT any_value("p_tar") AS "p_tar", any_value("excess_detections") AS "excess_detections"
        FROM "cnxe_prior" AS row_
        HAVING if(count(*) > 1, error(concat('relation cnxe_prior: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
);

-- ## openkws13.min_cnxe_weights
-- metric min_cnxe, weights per score (specs/term_detection/shared/min_cnxe.yaml)
-- The weights of the positives and of the negatives at each score: one row for each distinct score of a
--   slice. A run in parts adds up the weights that each part has found in its rows.
CREATE VIEW "min_cnxe_weights" AS
SELECT
        0 AS breakdown,
        ranked_score(score) AS score,
        coalesce(exact_sum(true_trials), 0) AS "positives",
        coalesce(exact_sum(false_trials), 0) AS "negatives"
FROM "trial_scores" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## openkws13.min_cnxe_points
-- metric min_cnxe, points (specs/term_detection/shared/min_cnxe.yaml)
-- The points of the calibration: each distinct score of a part, with the weight of the positives and the
--   weight of the negatives at this score. In each part, the weights of all positives add up to the prior,
--   and the weights of all negatives to 1 − prior. Rows with equal scores have equal costs, so that they are
--   one point.
CREATE TABLE "min_cnxe_points" AS
SELECT part, weights.score,
    weights.positives::DOUBLE * (prior / nullif(parts.positives, 0)) AS positive,
    weights.negatives::DOUBLE * ((1 - prior) / nullif(parts.negatives, 0)) AS negative
FROM "min_cnxe_weights" AS weights JOIN "min_cnxe_parts" AS parts ON parts.breakdown = weights.breakdown;

-- ## openkws13.min_cnxe_minimum
-- metric min_cnxe, the least cost (specs/term_detection/shared/min_cnxe.yaml)
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
CREATE TABLE "min_cnxe_minimum" AS
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
    FROM "min_cnxe_points"
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
            FROM "min_cnxe_points" AS points JOIN level USING (part)
            WHERE isfinite(score) AND (SELECT count(*) FROM "min_cnxe_points") > 5000
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
                        FROM steps JOIN "min_cnxe_points" AS points USING (part)
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

-- ## openkws13.min_cnxe
-- metric min_cnxe, scores (specs/term_detection/shared/min_cnxe.yaml)
-- The scores of the metric: the components, computed from the minimum cost of each slice and from the slope
--   and shift of the affine map with this cost. `prior_cost`, the entropy of the prior, is the cost without
--   scores.
CREATE TABLE "min_cnxe" AS
SELECT scope, slice, breakdown,
    ratio(cost, prior_cost) AS "value",
    slope AS "gamma",
    shift AS "delta",
    if(defined, remark, NULL) AS remark,
    CASE WHEN excess_detections THEN 'more unaligned detections than false trials' ELSE CASE
        WHEN positives = 0 OR negatives = 0 THEN concat_ws(', ', if(positives = 0, 'positives = 0', NULL), if(negatives = 0, 'negatives = 0', NULL))
        WHEN NOT coalesce(prior > 0 AND prior < 1, false) THEN concat('prior = ', prior)
        WHEN below_0 THEN 'a weight below 0'
    END END AS note
FROM (
    SELECT parts.*,
        shared_bits(prior, 1 - prior) AS prior_cost,
        CASE WHEN defined THEN if(flat, shared_bits(prior, 1 - prior), least_cost) END AS cost,
        CASE WHEN defined THEN if(flat, 0, best_slope) END AS slope,
        CASE WHEN defined THEN if(flat, 0, intercept - logit(prior)) END AS shift
    FROM (
        SELECT * EXCLUDE (cost, slope, centre, scale, slope_left, intercept_left), cost AS least_cost, slope AS best_slope,
            coalesce(positives > 0 AND negatives > 0 AND prior > 0 AND prior < 1 AND NOT below_0, false) AS defined
        FROM "min_cnxe_parts" LEFT JOIN "min_cnxe_minimum" USING (part)
    ) AS parts
);

-- ## openkws13.calibration_loss
-- metric calibration_loss, scores (specs/term_detection/shared/calibration_loss.yaml)
-- Calibration loss: cnxe − min_cnxe, the part of the normalised cross entropy that the best affine map of the
--   scores removes (section 4.2.5). 0 is perfect calibration.
-- The scores of the metric: components computed from components of other metrics, which are joined by slice
--   and fold. A metric without slices has the same value in every slice of the first metric.
CREATE TABLE "calibration_loss" AS
SELECT cnxe.scope, cnxe.slice, cnxe.breakdown,
    cnxe.value - min_cnxe.value AS "value",
    nullif(concat_ws('; ', cnxe.note, min_cnxe.note), '') AS note
FROM "cnxe" AS cnxe
LEFT JOIN "min_cnxe" AS min_cnxe
    ON min_cnxe.scope = cnxe.scope;

-- ## openkws13.query_outcomes
-- relation query_outcomes (specs/term_detection/shared/rates.yaml)
-- One row per scored query, with the numbers that reports show.
CREATE TABLE "query_outcomes" AS
SELECT query, targets, detections, hits, misses, false_alarms, correct_rejections FROM "query_counts";

-- ## openkws13.metric_mtwv_points_of_its_curve
-- metric mtwv, points of its curve (specs/term_detection/openkws13/mtwv.yaml)
SELECT 'mtwv' AS metric, slice, rank, threshold, mark, "value", "p_miss", "p_fa", "probit_miss", "probit_fa", NULL::DOUBLE AS "p_miss_low", NULL::DOUBLE AS "p_miss_high"
FROM (
    WITH
    "marked_actual" AS (FROM "mtwv_marks" WHERE mark = 'actual'),
    sums AS (
        SELECT
            json_object() AS scope,
            json_object() AS slice,
            0 AS breakdown,
            coalesce(sum("gain"), 0) AS "gain",
            coalesce(sum("loss"), 0) AS "loss"
        FROM "mtwv_units"
        GROUP BY ALL
    ),
    points AS NOT MATERIALIZED (
        SELECT
            sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
            {"gain": sums."gain", "loss": sums."loss" } AS total,
            given."queries_with_targets",
            given."queries_with_nontargets",
            given."beta",
            coalesce(running."gain", 0) AS "gain",
            coalesce(running."loss", 0) AS "loss"
        FROM sums
        LEFT JOIN (
            SELECT any_value("queries_with_targets") AS "queries_with_targets", any_value("queries_with_nontargets") AS "queries_with_nontargets", any_value("beta") AS "beta"
            FROM "curve_totals" AS row_
            HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
        ) AS given
            ON true
        LEFT JOIN "mtwv_sums" AS running ON running.breakdown = sums.breakdown
        UNION ALL
        SELECT
            sums.slice, sums.breakdown, NULL AS rank, NULL AS threshold, 'actual' AS mark,
            {"gain": sums."gain", "loss": sums."loss" } AS total,
            given."queries_with_targets",
            given."queries_with_nontargets",
            given."beta",
            coalesce(marked."gain", 0) AS "gain",
            coalesce(marked."loss", 0) AS "loss"
        FROM sums
        LEFT JOIN (
            SELECT any_value("queries_with_targets") AS "queries_with_targets", any_value("queries_with_nontargets") AS "queries_with_nontargets", any_value("beta") AS "beta"
            FROM "curve_totals" AS row_
            HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
        ) AS given
            ON true
        LEFT JOIN "marked_actual" AS marked ON marked.breakdown = sums.breakdown
    ),
    at_points AS NOT MATERIALIZED (
        SELECT slice, breakdown, rank, threshold, mark,
            if(queries_with_targets > 0 AND queries_with_nontargets > 0, rate_of(gain) - beta * rate_of(loss), NULL) AS "value",
            if(queries_with_targets > 0 AND queries_with_nontargets > 0, 1 - rate_of(gain), NULL) AS "p_miss",
            if(queries_with_targets > 0 AND queries_with_nontargets > 0, rate_of(loss), NULL) AS "p_fa",
            probit(p_miss) AS "probit_miss",
            probit(p_fa) AS "probit_fa",
            {"gain": points."gain", "loss": points."loss" } AS accepted
        FROM points
    )
    ,
    lengths AS (
        SELECT breakdown, max(rank) AS length
        FROM "mtwv_sums"
        GROUP BY ALL
    ),
    placed AS (
        SELECT at_points.* EXCLUDE (mark), coalesce(length, 0) AS length,
            coalesce(mark, CASE
                WHEN rank = coalesce(chosen.best_rank, -1) THEN 'best' END) AS mark
        FROM at_points
        LEFT JOIN lengths ON lengths.breakdown = at_points.breakdown
        LEFT JOIN "mtwv" AS chosen ON chosen.breakdown = at_points.breakdown
    )
    SELECT slice, rank, threshold, mark,
        "value"::DOUBLE AS "value",
        "p_miss"::DOUBLE AS "p_miss",
        "p_fa"::DOUBLE AS "p_fa",
        "probit_miss"::DOUBLE AS "probit_miss",
        "probit_fa"::DOUBLE AS "probit_fa"
    FROM placed
    WHERE mark IS NOT NULL OR rank IN (0, 1, length) OR rank % ceil(length / 10000)::BIGINT = 0
    ORDER BY breakdown, slice_order(slice), slice::VARCHAR, rank NULLS LAST, mark
);

-- ## openkws13.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        coalesce(remark, remark(value, note)) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'atwv' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'threshold', 'value': "threshold"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "atwv"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'mtwv' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'p_miss', 'value': "p_miss"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'p_fa', 'value': "p_fa"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'threshold', 'value': "threshold"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "mtwv"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'p_miss' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "p_miss"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'p_fa' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "p_fa"
        UNION ALL
        SELECT 4 AS position, 0 AS variant, 'counts' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'queries', 'value': "queries"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'targets', 'value': "targets"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'detections', 'value': "detections"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'hits', 'value': "hits"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 4, 'component': 'misses', 'value': "misses"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 5, 'component': 'false_alarms', 'value': "false_alarms"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 6, 'component': 'correct_rejections', 'value': "correct_rejections"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "counts"
        UNION ALL
        SELECT 5 AS position, 0 AS variant, 'upper_bound_twv' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "upper_bound_twv"
        UNION ALL
        SELECT 6 AS position, 0 AS variant, 'supremum_twv' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "supremum_twv"
        UNION ALL
        SELECT 7 AS position, 0 AS variant, 'bayes_twv' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "bayes_twv"
        UNION ALL
        SELECT 8 AS position, 0 AS variant, 'cost' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'c_det', 'value': "c_det"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'c_default', 'value': "c_default"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'c_norm', 'value': "c_norm"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "cost"
        UNION ALL
        SELECT 9 AS position, 0 AS variant, 'prior' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'p_tar', 'value': "p_tar"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'beta', 'value': "beta"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'p_target', 'value': "p_target"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'p_target_empirical', 'value': "p_target_empirical"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 4, 'component': 'alpha', 'value': "alpha"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 5, 'component': 'miss_weight', 'value': "miss_weight"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 6, 'component': 'theta_mincost', 'value': "theta_mincost"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "prior"
        UNION ALL
        SELECT 10 AS position, 0 AS variant, 'cnxe' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'cross_entropy', 'value': "cross_entropy"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'prior_entropy', 'value': "prior_entropy"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "cnxe"
        UNION ALL
        SELECT 11 AS position, 0 AS variant, 'min_cnxe' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': remark},
                {'place': 1, 'component': 'gamma', 'value': "gamma"::DOUBLE, 'remark': remark},
                {'place': 2, 'component': 'delta', 'value': "delta"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "min_cnxe"
        UNION ALL
        SELECT 12 AS position, 0 AS variant, 'calibration_loss' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "calibration_loss"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## quesst2015.Suite_quesst2015
-- Suite quesst2015: Query by example search of MediaEval 2015 (QUESST), as MediaEvalQUESST2015.jar scores it.
--   Each pair of a query and a document is a trial with a score and a decision; times are ignored. The other
--   suites align detections with occurrences.
-- To run it in DuckDB, first fill the tables of the inputs: queries, audio, detections, occurrences (not
--   read: references); also the tables …_rows_…, which Python functions make
-- Order: each of the 59 steps reads inputs and steps above it. Metrics: query_counts → atwv, p_miss, p_fa,
--   counts, bayes_twv, cost, cnxe; score_steps → mtwv; query_steps → upper_bound_twv; operating_point →
--   prior; blocks → min_cnxe; blocks_pooled → min_cnxe_pooled; trial_scores → min_cnxe_affine; other metrics
--   → calibration_loss; blocks_by_query → lower_bound_cnxe

-- ## quesst2015.detections
-- input detections (specs/term_detection/quesst2015/tables.yaml): One row per trial that the system
--   lists, a pair of a query and a document, with its score and decision. Channel and times are ignored.
CREATE TABLE IF NOT EXISTS "detections" (line BIGINT, "query" VARCHAR, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "score" DOUBLE, "decision" VARCHAR, "min_score" DOUBLE, "max_score" DOUBLE, "element" BIGINT);

-- ## quesst2015.occurrences
-- input occurrences (specs/term_detection/tables.yaml): One row per occurrence of a query. This input
--   replaces references if the occurrences are known.
CREATE TABLE IF NOT EXISTS "occurrences" (line BIGINT, "query" VARCHAR, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE);

-- ## quesst2015.targets
-- relation targets (specs/term_detection/quesst2015/trials.yaml)
-- The target trials: the pairs of a query and a document that contains the query. In the input `references`,
--   a document contains a query if one of its tokens is the name of the query.
CREATE TABLE "targets" AS
SELECT query, doc, doc IN (SELECT doc FROM "audio") AS in_audio
FROM (
    SELECT query, doc FROM "occurrences"
)
GROUP BY query, doc;

-- ## quesst2015.documents
-- relation documents (specs/term_detection/quesst2015/trials.yaml)
-- One row per distinct document of the audio.
CREATE TABLE "documents" AS
SELECT doc, row_number() OVER (ORDER BY min(line), doc) AS place
FROM "audio"
GROUP BY doc;

-- ## quesst2015.scored_queries
-- relation scored_queries (specs/term_detection/quesst2015/trials.yaml)
-- The queries, numbered from 1 in the order of the input, each with the number of documents (its trials) and
--   the number of documents that contain it (its targets).
CREATE TABLE "scored_queries" AS
SELECT query_.query,
    any_value(query_.place) AS place, count(*) AS documents, count(target_.doc) AS targets
FROM (
    SELECT *, row_number() OVER (ORDER BY line, query) AS place FROM "queries"
) AS query_
CROSS JOIN "documents" AS document_
LEFT JOIN "targets" AS target_ ON target_.query = query_.query AND target_.doc = document_.doc
GROUP BY query_.query;

-- ## quesst2015.missing_trials
-- relation missing_trials (specs/term_detection/quesst2015/trials.yaml)
-- The trials that the system does not list, of queries that have targets, with the score `default_score`. A
--   query with as many detections as there are documents has no missing trial. Such queries are skipped,
--   because counting detections is cheaper than looking for missing trials. They are removed before queries
--   and documents are crossed.
CREATE TABLE "missing_trials" AS
WITH complete AS (
    SELECT query FROM "detections" GROUP BY query HAVING count(*) = (SELECT count(DISTINCT doc) FROM "audio")
),
incomplete AS MATERIALIZED (
    SELECT * FROM "scored_queries" WHERE targets > 0 AND query NOT IN (FROM complete)
)
SELECT query_.query, document_.doc, query_.place AS query_place, document_.place AS doc_place,
    NULL::DOUBLE AS score
FROM incomplete AS query_
CROSS JOIN "documents" AS document_
ANTI JOIN (SELECT query, doc FROM "detections" SEMI JOIN incomplete USING (query)) AS detection
    ON detection.query = query_.query AND detection.doc = document_.doc;

-- ## quesst2015.trial_scores
-- relation trial_scores (specs/term_detection/quesst2015/trials.yaml)
-- The trials: every pair of a document and a query that has targets, with its submitted score and decision
--   or, if it is missing, with the default score and NO. Queries and documents are numbers here, because
--   there are millions of rows.
-- `place` orders trials with equal scores as the QUESST scorer does, whose calibration depends on that order:
--   −0.0 before 0.0, then submitted trials by line, then missing trials by query and document. A file has
--   fewer than 2^56 lines, and there are fewer than 2^28 queries and documents, so that these three are one
--   number below 2^60.
CREATE TABLE "trial_scores" AS
WITH targets AS (
    SELECT query_.place AS query_place, document_.place AS doc_place
    FROM "targets" AS target_
    JOIN "scored_queries" AS query_ ON query_.query = target_.query
    JOIN "documents" AS document_ ON document_.doc = target_.doc
),
trials AS (
    SELECT query_.place AS query_place, document_.place AS doc_place, score, decision = 'YES' AS yes,
        true AS submitted, coalesce(element, line) AS place
    FROM "detections" AS detection
    JOIN "scored_queries" AS query_ ON query_.query = detection.query AND query_.targets > 0
    JOIN "documents" AS document_ ON document_.doc = detection.doc
    UNION ALL
    SELECT query_place, doc_place, score, false, false, (1::BIGINT << 56) + (query_place::BIGINT << 28) + doc_place
    FROM "missing_trials"
)
SELECT query_place, doc_place, ranked_score(score) AS score, yes, targets.doc_place IS NOT NULL AS target, submitted,
    place - if(score = 0 AND signbit(score), 1::BIGINT << 60, 0) AS place
FROM trials LEFT JOIN targets USING (query_place, doc_place);

-- ## quesst2015.operating_point
-- relation operating_point, P_tar, β, θ (specs/term_detection/quesst2015/prior.yaml)
-- The effective prior P_tar (Eq 23), and the values that follow from it: β = (1 − P_tar) / P_tar (Eqs 7 and
--   22), logit(P_tar), the threshold θ_mincost (Eq 31) and the prior entropy (Eq 39). As in the QUESST
--   scorer, P_tar is cut off after `prior_decimals` (7) decimals: 0.0741289844 becomes 0.0741289. This is an
--   exact division of whole numbers, for which costs are rounded to 6 decimals and p_target to 12.
CREATE TABLE "operating_point" AS
SELECT 0.0008e0 AS p_target, p_tar, (1 - p_tar) / p_tar AS beta, logit(p_tar) AS log_odds, ln((1 - p_tar) / p_tar) AS theta_mincost,
    shared_bits(p_tar, 1 - p_tar) AS prior_entropy
FROM (
    SELECT (targets * pow(10, 7::BIGINT)::HUGEINT // nullif(targets + others, 0))::DOUBLE
            / pow(10e0, 7::BIGINT) AS p_tar
    FROM (
        SELECT round(100.0e0 * 1e6)::HUGEINT * round(0.0008e0 * 1e12)::HUGEINT AS targets,
            round(1.0e0 * 1e6)::HUGEINT * round((1e0 - 0.0008e0) * 1e12)::HUGEINT AS others
    )
);

-- ## quesst2015.query_counts
-- relation query_counts (specs/term_detection/quesst2015/trials.yaml)
-- The queries that have targets, each with its numbers of hits, misses, false alarms and correct rejections
--   at the decisions of the system. Scores are then mapped to llr = γ·score + δ (Eq 44). Further columns are
--   its hits and false alarms if the trials with an llr above θ_mincost are accepted (bayes_…), and the sums
--   of the logarithmic costs of llr, in bits (Eq 37, divided by ln 2): `target_bits` and `nontarget_bits`,
--   with 15 decimals. Infinite costs are left out of the sums, and `infinite_bits` counts them. Costs of
--   10^15 bits or more count as infinite.
CREATE TABLE "query_counts" AS
SELECT query_.query, counted.* EXCLUDE (query_place)
FROM (
    SELECT query_place,
        count(*) AS trials,
        count(*) FILTER (WHERE target) AS targets,
        count(*) FILTER (WHERE NOT target) AS nontargets,
        count(*) FILTER (WHERE target AND yes) AS hits,
        count(*) FILTER (WHERE target AND NOT yes) AS misses,
        count(*) FILTER (WHERE NOT target AND yes) AS false_alarms,
        count(*) FILTER (WHERE NOT target AND NOT yes) AS correct_rejections,
        coalesce(max(score) FILTER (WHERE NOT yes) >= min(score) FILTER (WHERE yes), false) AS unordered,
        count(*) FILTER (WHERE target AND llr > theta_mincost) AS bayes_hits,
        count(*) FILTER (WHERE NOT target AND llr > theta_mincost) AS bayes_false_alarms,
        coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE target), 0) AS target_bits,
        coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE NOT target), 0) AS nontarget_bits,
        count(*) FILTER (WHERE cost IS NULL) AS infinite_bits
    FROM (
        SELECT *, if(bits < 1e15, bits, NULL) AS cost
        FROM (
            SELECT score_.*, theta_mincost, bits_of_odds(if(target, llr + log_odds, -llr - log_odds)) AS bits
            FROM (SELECT *, calibrated(score, 1.0e0, 0.0e0) AS llr FROM "trial_scores") AS score_
            CROSS JOIN "operating_point"
        )
    )
    GROUP BY query_place
) AS counted
JOIN "scored_queries" AS query_ ON query_.place = counted.query_place;

-- ## quesst2015.decision_totals
-- relation decision_totals (specs/term_detection/quesst2015/atwv.yaml)
-- β, with the smallest score that the system accepts and the largest score that it rejects (θ_act). If the
--   smallest accepted score is above the largest rejected score, accepting the scores above θ_act gives
--   exactly the decisions of the system.
CREATE TABLE "decision_totals" AS
SELECT *
FROM (
    SELECT min(score) FILTER (WHERE yes) AS smallest_accepted, max(score) FILTER (WHERE NOT yes) AS largest_rejected
    FROM "trial_scores"
    GROUP BY ALL
)
CROSS JOIN (SELECT beta FROM "operating_point");

-- ## quesst2015.atwv_units
-- metric atwv, statistics per unit (specs/term_detection/quesst2015/atwv.yaml)
-- Actual term-weighted value (ATWV): 1 − P_miss − β·P_fa at the decisions of the system, averaged over
--   queries, where the trials are documents. 1 is perfect, 0 is a system that always says NO, −β is the
--   worst. `threshold` is θ_act, the largest score with the decision NO; a note says so if no threshold gives
--   the decisions.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "atwv_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.atwv
-- metric atwv, scores (specs/term_detection/quesst2015/atwv.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "atwv" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("misses"), 0) AS "misses",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "atwv_units"
    GROUP BY "query"
)
, of_units AS (
    SELECT sums.*,
        ratio(hits, targets) - beta * ratio(false_alarms, nontargets) AS "value",
        if(smallest_accepted IS NULL, largest_rejected, coalesce(largest_rejected, '-inf'::DOUBLE)) AS "threshold",
    CASE WHEN smallest_accepted IS NULL AND largest_rejected IS NOT NULL THEN 'reject all' WHEN largest_rejected >= smallest_accepted THEN 'no threshold gives the decisions' ELSE NULL END AS remark
    FROM sums
    LEFT JOIN (
        SELECT any_value("beta") AS "beta", any_value("smallest_accepted") AS "smallest_accepted", any_value("largest_rejected") AS "largest_rejected"
        FROM "decision_totals" AS row_
        HAVING if(count(*) > 1, error(concat('relation decision_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
)
SELECT
    json_object() AS scope,
    json_object() AS slice,
    0 AS breakdown,
    coalesce(sum("value") FILTER (WHERE NOT isfinite("value"::DOUBLE)), exact_mean(finite("value"::DOUBLE)))
        AS "value",
    max("threshold") AS "threshold",
    max("remark") AS "remark",
    CASE WHEN count(breakdown) = 0 THEN 'no units'
         WHEN count("value") < count(breakdown)
         THEN concat('defined in ', count("value"), ' (value)', ' of ', count(breakdown), ' units')
    END AS note
FROM (
    FROM of_units WHERE breakdown = 0
) AS units_of_breakdown
GROUP BY ALL;

-- ## quesst2015.query_weights
-- relation query_weights (specs/term_detection/quesst2015/trials.yaml)
-- The queries that have targets, each with the weight of one hit and of one false alarm in the rates averaged
--   over queries. A target of q weighs 1 / (targets(q) · |Q|) and a nontarget trial weighs 1 / (nontargets(q)
--   · |Q|), as whole numbers in units of 2^-90, so that sums do not depend on the order of rows.
CREATE TABLE "query_weights" AS
SELECT query, query_place,
    (one_weight() * 2 + queries * targets) // (2 * queries * targets) AS hit_weight,
    (one_weight() * 2 + queries * nontargets) // nullif(2 * queries * nontargets, 0) AS false_alarm_weight
FROM (
    SELECT query, place AS query_place, targets::HUGEINT AS targets, (documents - targets)::HUGEINT AS nontargets,
        (count(*) OVER ())::HUGEINT AS queries
    FROM "scored_queries"
    WHERE targets > 0
);

-- ## quesst2015.score_steps
-- relation score_steps (specs/term_detection/quesst2015/trials.yaml)
-- The trials of all queries in groups of adjacent scores, from which the best threshold for all queries is
--   found and the curve is drawn. A trial is accepted if its score is above the threshold. `rejected` is the
--   largest score below the group; as a threshold, it accepts the group and everything above. The last row,
--   without trials, is the threshold that rejects all trials.
-- The naive way tries every score. But as the threshold falls, TWV rises only where a target is accepted, so
--   that the nontarget trials between the scores of two targets can be added up. With targets at 0.9 and 0.5
--   and nontarget trials at 0.8, 0.7 and 0.3, the groups are {0.9}, {0.8, 0.7}, {0.5} and {0.3}. In each
--   group, the trials with the decision YES and those with NO are separate rows, so that the point of the
--   decisions can be computed, too.
CREATE TABLE "score_steps" AS
WITH grouped AS (
    SELECT step_.score AS step, coalesce(score_.score > step_.score, false) AS above, score_.yes,
        max(score_.score) AS high,
        count(*) FILTER (WHERE score_.target) AS targets, count(*) FILTER (WHERE NOT score_.target) AS nontargets,
        coalesce(sum(weight_.hit_weight) FILTER (WHERE score_.target), 0)::HUGEINT AS hit_weight,
        coalesce(sum(weight_.false_alarm_weight) FILTER (WHERE NOT score_.target), 0)::HUGEINT AS false_alarm_weight
    FROM "trial_scores" AS score_
    ASOF LEFT JOIN (SELECT DISTINCT score FROM "trial_scores" WHERE target) AS step_
        ON score_.score >= step_.score
    JOIN "query_weights" AS weight_ ON weight_.query_place = score_.query_place
    GROUP BY ALL
),
highest AS (
    SELECT step, above, max(high) AS high FROM grouped GROUP BY ALL
),
below AS (
    SELECT step, above, high, coalesce(lag(high) OVER (ORDER BY step NULLS FIRST, above), '-inf'::DOUBLE) AS rejected
    FROM highest
)
SELECT below.rejected, below.high, grouped.yes,
    grouped.targets, grouped.nontargets, grouped.hit_weight, grouped.false_alarm_weight
FROM grouped JOIN below ON grouped.step IS NOT DISTINCT FROM below.step AND grouped.above = below.above
UNION ALL
SELECT max(high), 'inf'::DOUBLE, false, 0, 0, 0, 0 FROM highest HAVING count(*) > 0;

-- ## quesst2015.unlisted_trials
-- relation unlisted_trials (specs/term_detection/quesst2015/submitted_scores.yaml)
-- One row for the whole set, with the number of all trials and the number of trials that the system does not
--   list.
CREATE TABLE "unlisted_trials" AS
SELECT count(*) AS trials, count_if(NOT submitted) AS unlisted FROM "trial_scores";

-- ## quesst2015.curve_totals
-- relation curve_totals (specs/term_detection/quesst2015/submitted_scores.yaml)
-- One row with the columns of operating_point that metrics over all thresholds and cross entropies read. It
--   also reads submitted_scores and unlisted_trials, so that these metrics give the warnings of these
--   relations.
CREATE TABLE "curve_totals" AS
SELECT beta, p_tar, prior_entropy FROM "operating_point", "submitted_scores", "unlisted_trials";

-- ## quesst2015.mtwv_units
-- metric mtwv, statistics per unit (specs/term_detection/quesst2015/mtwv.yaml)
-- Maximum term-weighted value (MTWV): the largest 1 − P_miss − β·P_fa over all thresholds, with one threshold
--   for all queries, where the trials are documents. It is at least 0, the value of rejecting all trials. A
--   trial is accepted if its score is above the threshold.
CREATE TABLE "mtwv_units" AS
SELECT
    coalesce(sum(hit_weight), 0) AS "hits",
    coalesce(sum(false_alarm_weight), 0) AS "false_alarms"
FROM "score_steps" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.mtwv_scores
-- metric mtwv, sums per score (specs/term_detection/quesst2015/mtwv.yaml)
-- The sums of the statistics over the rows with each score: one row for each distinct score of a slice (of a
--   unit, if each unit has its own threshold). Rows without a score are left out. Statistics are additive, so
--   that a run in parts adds up the sums that each part has made of its rows.
CREATE VIEW "mtwv_scores" AS
SELECT
        0 AS breakdown,
        ranked_score(rejected) AS threshold,
        coalesce(sum(hit_weight), 0) AS "hits",
        coalesce(sum(false_alarm_weight), 0) AS "false_alarms"
FROM "score_steps" AS counted_rows
WHERE (rejected) IS NOT NULL
GROUP BY ALL;

-- ## quesst2015.mtwv_sums
-- metric mtwv, running sums (specs/term_detection/quesst2015/mtwv.yaml)
-- The running sums of the statistics from the highest score to the lowest: one row for each distinct score of
--   a slice (of a unit, if each unit has its own threshold), with the sums over all rows with this score or a
--   higher score.
-- The naive way filters the rows again at each threshold θ, by score ≥ θ. Because statistics are additive,
--   the sum at θ is the sum at the next higher threshold plus the rows with the score θ, so that one pass is
--   enough. With the scores 0.9 (hit), 0.8 (false alarm) and 0.5 (hit), the running numbers are 1, 1, 2 hits
--   and 0, 1, 1 false alarms. Rows without a score are in no sum. tests/unit/test_sweep.py compares the two
--   ways.
CREATE TABLE "mtwv_sums" AS
SELECT breakdown, threshold,
        row_number() OVER down AS rank,
        coalesce(sum("hits") OVER down, 0) AS "hits",
        coalesce(sum("false_alarms") OVER down, 0) AS "false_alarms"
FROM "mtwv_scores"
WINDOW down AS (ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- ## quesst2015.mtwv
-- metric mtwv, scores (specs/term_detection/quesst2015/mtwv.yaml)
-- The best point of the curve in each slice (or unit): the threshold at which the component named by `best`
--   is largest or smallest, with all components at this threshold.
-- The naive way tries each threshold θ in turn: accept the rows with score ≥ θ, add up their statistics,
--   compute the components. Here the sums at all thresholds are already known (running_sums.sql), and the
--   components are computed once for each threshold. Components within `tie` (1e-12) of the best value are
--   ties, and the lowest of their thresholds is taken. The point that accepts no row is above all thresholds,
--   so that it is taken only if there is no tie. tests/unit/test_sweep.py compares the result with the naive
--   way.
CREATE TABLE "mtwv" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "mtwv_units"
    GROUP BY ALL
),
points AS NOT MATERIALIZED (
    SELECT
        sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        given."beta",
        coalesce(running."hits", 0) AS "hits",
        coalesce(running."false_alarms", 0) AS "false_alarms"
    FROM sums
    LEFT JOIN (
        SELECT any_value("beta") AS "beta"
        FROM "curve_totals" AS row_
        HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
    JOIN "mtwv_sums" AS running ON running.breakdown = sums.breakdown
    UNION ALL
    SELECT
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        given."beta",
        0 AS "hits",
        0 AS "false_alarms"
    FROM sums
    LEFT JOIN (
        SELECT any_value("beta") AS "beta"
        FROM "curve_totals" AS row_
        HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
),
at_points AS NOT MATERIALIZED (
    SELECT slice, breakdown, rank, threshold, mark,
        ratio(hits, total.hits) - beta * ratio(false_alarms, total.false_alarms) AS "value",
        ratio(total.hits - hits, total.hits) AS "p_miss",
        ratio(false_alarms, total.false_alarms) AS "p_fa",
        {"hits": points."hits", "false_alarms": points."false_alarms" } AS accepted
    FROM points
)
,
optimum AS (
    SELECT breakdown, max(nullif("value"::DOUBLE, 'nan'::DOUBLE)) AS best
    FROM at_points
    GROUP BY ALL
),
chosen AS (
    SELECT at_points.*
    FROM at_points JOIN optimum ON at_points.breakdown = optimum.breakdown
    WHERE at_points."value"::DOUBLE = optimum.best
        OR at_points."value"::DOUBLE > optimum.best - 1e-12
    QUALIFY row_number() OVER (PARTITION BY at_points.breakdown ORDER BY threshold ASC NULLS LAST) = 1
)
SELECT sums.scope, sums.slice, sums.breakdown,
    chosen."value",
    chosen."p_miss",
    chosen."p_fa",
    chosen.threshold AS threshold, chosen.rank AS best_rank,
    CASE WHEN chosen.rank = 0 THEN 'reject all' END AS remark,
    CASE WHEN chosen.rank IS NULL THEN 'at every threshold'
         ELSE nullif(concat_ws(', ', CASE WHEN chosen.accepted."hits" = 0 THEN 'hits = 0' END, CASE WHEN chosen.accepted."false_alarms" = 0 THEN 'false_alarms = 0' END), '')
    END AS note
FROM sums LEFT JOIN chosen ON chosen.breakdown = sums.breakdown;

-- ## quesst2015.mtwv_marks
-- metric mtwv, sums of marked points (specs/term_detection/quesst2015/mtwv.yaml)
-- The sums of the statistics at the marked points of a curve. At a marked point, the accepted rows are those
--   that satisfy a condition, such as decision = 'YES', and not those above a threshold.
CREATE TABLE "mtwv_marks" AS
SELECT
        0 AS breakdown,
        'actual' AS mark,
        coalesce(sum(hit_weight), 0) AS "hits",
        coalesce(sum(false_alarm_weight), 0) AS "false_alarms"
FROM "score_steps" AS counted_rows
WHERE yes
GROUP BY ALL;

-- ## quesst2015.p_miss_units
-- metric p_miss, statistics per unit (specs/term_detection/quesst2015/p_miss.yaml)
-- Miss rate (P_miss) at the decisions of the system: the number of documents with the query that have the
--   decision NO, divided by the number of all documents with the query, averaged over queries.
CREATE TABLE "p_miss_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.p_miss
-- metric p_miss, scores (specs/term_detection/quesst2015/p_miss.yaml)
CREATE TABLE "p_miss" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("misses"), 0) AS "misses",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "p_miss_units"
    GROUP BY "query"
)
, of_units AS (
    SELECT sums.*,
        ratio(misses, targets) AS "value",
    FROM sums
)
SELECT
    json_object() AS scope,
    json_object() AS slice,
    0 AS breakdown,
    coalesce(sum("value") FILTER (WHERE NOT isfinite("value"::DOUBLE)), exact_mean(finite("value"::DOUBLE)))
        AS "value",
    CASE WHEN count(breakdown) = 0 THEN 'no units'
         WHEN count("value") < count(breakdown)
         THEN concat('defined in ', count("value"), ' (value)', ' of ', count(breakdown), ' units')
    END AS note
FROM (
    FROM of_units WHERE breakdown = 0
) AS units_of_breakdown
GROUP BY ALL;

-- ## quesst2015.p_fa_units
-- metric p_fa, statistics per unit (specs/term_detection/quesst2015/p_fa.yaml)
-- False alarm rate (P_fa) at the decisions of the system: the number of documents without the query that have
--   the decision YES, divided by the number of all documents without the query, averaged over queries.
CREATE TABLE "p_fa_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.p_fa, like quesst2015.p_miss except:
@@ -1,2 +1,2 @@
--- metric p_miss, scores (specs/term_detection/quesst2015/p_miss.yaml)
-CREATE TABLE "p_miss" AS
+-- metric p_fa, scores (specs/term_detection/quesst2015/p_fa.yaml)
+CREATE TABLE "p_fa" AS
@@ -13 +13 @@
-    FROM "p_miss_units"
+    FROM "p_fa_units"
@@ -18 +18 @@
-        ratio(misses, targets) AS "value",
+        ratio(false_alarms, nontargets) AS "value",

-- ## quesst2015.counts_units
-- metric counts, statistics per unit (specs/term_detection/quesst2015/counts.yaml)
-- Counts: numbers of scored queries, of their targets and trials (`detections`, with the trials that the
--   system does not list), and of hits, misses, false alarms and correct rejections at the decisions of the
--   system. Queries that are in no document are not scored.
CREATE TABLE "counts_units" AS
SELECT "query",
    count(*) AS "queries",
    sum(targets) AS "targets",
    sum(trials) AS "detections",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms",
    sum(correct_rejections) AS "correct_rejections"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.counts, like openkws13.counts except:
@@ -1 +1 @@
--- metric counts, scores (specs/term_detection/shared/counts.yaml)
+-- metric counts, scores (specs/term_detection/quesst2015/counts.yaml)

-- ## quesst2015.query_steps
-- relation query_steps (specs/term_detection/quesst2015/trials.yaml)
-- The trials of each query in groups of adjacent scores. The best threshold of the query is never inside a
--   group: as the threshold falls, TWV rises only where a target is accepted.
-- Let `step` be the score of a target. The trials with this score are a group, and the trials above it and
--   below the next higher score of a target are another group (`above`). The trials below all targets are a
--   group without `step`.
CREATE TABLE "query_steps" AS
SELECT query_.query, grouped.* EXCLUDE (query_place)
FROM (
    SELECT score_.query_place, step_.score AS step,
        coalesce(score_.score > step_.score, false) AS above, max(score_.score) AS high,
        count(*) FILTER (WHERE score_.target) AS targets, count(*) FILTER (WHERE NOT score_.target) AS nontargets
    FROM "trial_scores" AS score_
    ASOF LEFT JOIN (SELECT DISTINCT query_place, score FROM "trial_scores" WHERE target) AS step_
        ON score_.query_place = step_.query_place AND score_.score >= step_.score
    GROUP BY ALL
) AS grouped
JOIN "scored_queries" AS query_ ON query_.place = grouped.query_place;

-- ## quesst2015.upper_bound_twv_units
-- metric upper_bound_twv, statistics per unit (specs/term_detection/quesst2015/upper_bound_twv.yaml)
-- Upper-bound term-weighted value (UBTWV): the largest 1 − P_miss − β·P_fa if each query has its own best
--   threshold, where the trials are documents. It is at least mtwv, which has one threshold for all queries.
--   The scorer prints another number, because it computes this metric from scores that it has already
--   calibrated.
CREATE TABLE "upper_bound_twv_units" AS
SELECT "query",
    sum(targets) AS "hits",
    sum(nontargets) AS "false_alarms"
FROM "query_steps" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.upper_bound_twv_scores
-- metric upper_bound_twv, sums per score (specs/term_detection/quesst2015/upper_bound_twv.yaml)
CREATE VIEW "upper_bound_twv_scores" AS
SELECT
        0 AS breakdown,
        "query" AS "query",
        ranked_score(step) AS threshold,
        sum(targets) AS "hits",
        sum(nontargets) AS "false_alarms"
FROM "query_steps" AS counted_rows
WHERE (step) IS NOT NULL
GROUP BY ALL;

-- ## quesst2015.upper_bound_twv_sums
-- metric upper_bound_twv, running sums (specs/term_detection/quesst2015/upper_bound_twv.yaml)
CREATE TABLE "upper_bound_twv_sums" AS
SELECT "query", breakdown, threshold,
        row_number() OVER down AS rank,
        coalesce(sum("hits") OVER down, 0) AS "hits",
        coalesce(sum("false_alarms") OVER down, 0) AS "false_alarms"
FROM "upper_bound_twv_scores"
WINDOW down AS (PARTITION BY "query" ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- ## quesst2015.upper_bound_twv_best
-- metric upper_bound_twv, the best threshold of each unit
--   (specs/term_detection/quesst2015/upper_bound_twv.yaml)
CREATE TABLE "upper_bound_twv_best" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        "query" AS "query",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "upper_bound_twv_units"
    GROUP BY "query"
),
points AS NOT MATERIALIZED (
    SELECT sums."query",
        sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        given."beta",
        coalesce(running."hits", 0) AS "hits",
        coalesce(running."false_alarms", 0) AS "false_alarms"
    FROM sums
    LEFT JOIN (
        SELECT any_value("beta") AS "beta"
        FROM "curve_totals" AS row_
        HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
    JOIN "upper_bound_twv_sums" AS running ON running.breakdown = sums.breakdown AND running."query" IS NOT DISTINCT FROM sums."query"
    UNION ALL
    SELECT sums."query",
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        given."beta",
        0 AS "hits",
        0 AS "false_alarms"
    FROM sums
    LEFT JOIN (
        SELECT any_value("beta") AS "beta"
        FROM "curve_totals" AS row_
        HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
),
at_points AS NOT MATERIALIZED (
    SELECT "query", slice, breakdown, rank, threshold, mark,
        ratio(hits, total.hits) - beta * ratio(false_alarms, total.false_alarms) AS "value",
        {"hits": points."hits", "false_alarms": points."false_alarms" } AS accepted
    FROM points
)
,
optimum AS (
    SELECT "query", breakdown, max(nullif("value"::DOUBLE, 'nan'::DOUBLE)) AS best
    FROM at_points
    GROUP BY ALL
),
chosen AS (
    SELECT at_points.*
    FROM at_points JOIN optimum ON at_points.breakdown = optimum.breakdown AND at_points."query" IS NOT DISTINCT FROM optimum."query"
    WHERE at_points."value"::DOUBLE = optimum.best
        OR at_points."value"::DOUBLE > optimum.best - 1e-12
    QUALIFY row_number() OVER (PARTITION BY at_points."query", at_points.breakdown ORDER BY threshold ASC NULLS LAST) = 1
)
SELECT sums."query", sums.scope, sums.slice, sums.breakdown,
    chosen."value",
    finite(chosen.threshold) AS threshold, chosen.rank AS best_rank,
    CASE WHEN chosen.rank = 0 THEN 'reject all' END AS remark,
    chosen.accepted."hits" AS "hits",
    chosen.accepted."false_alarms" AS "false_alarms",
    CASE WHEN chosen.rank IS NULL THEN 'at every threshold'
         ELSE nullif(concat_ws(', ', CASE WHEN chosen.accepted."hits" = 0 THEN 'hits = 0' END, CASE WHEN chosen.accepted."false_alarms" = 0 THEN 'false_alarms = 0' END), '')
    END AS note
FROM sums LEFT JOIN chosen ON chosen.breakdown = sums.breakdown AND chosen."query" IS NOT DISTINCT FROM sums."query";

-- ## quesst2015.upper_bound_twv, like openkws13.upper_bound_twv except:
@@ -1 +1 @@
--- metric upper_bound_twv, scores (specs/term_detection/openkws13/upper_bound_twv.yaml)
+-- metric upper_bound_twv, scores (specs/term_detection/quesst2015/upper_bound_twv.yaml)

-- ## quesst2015.bayes_twv_units
-- metric bayes_twv, statistics per unit (specs/term_detection/quesst2015/bayes_twv.yaml)
-- Term-weighted value at the Bayes threshold: 1 − P_miss − β·P_fa if exactly the trials with a score above
--   θ_mincost = −logit(p_tar) = ln β are accepted, where the trials are documents. For calibrated natural
--   log-likelihood ratios this threshold has the least expected cost. 1 is perfect. `score_scale` and
--   `score_offset` calibrate the scores first.
CREATE TABLE "bayes_twv_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(bayes_hits) AS "hits",
    sum(bayes_false_alarms) AS "false_alarms"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.bayes_twv
-- metric bayes_twv, scores (specs/term_detection/quesst2015/bayes_twv.yaml)
CREATE TABLE "bayes_twv" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "bayes_twv_units"
    GROUP BY "query"
)
, of_units AS (
    SELECT sums.*,
        ratio(hits, targets) - beta * ratio(false_alarms, nontargets) AS "value",
    FROM sums
    LEFT JOIN (
        SELECT any_value("beta") AS "beta"
        FROM "operating_point" AS row_
        HAVING if(count(*) > 1, error(concat('relation operating_point: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
)
SELECT
    json_object() AS scope,
    json_object() AS slice,
    0 AS breakdown,
    coalesce(sum("value") FILTER (WHERE NOT isfinite("value"::DOUBLE)), exact_mean(finite("value"::DOUBLE)))
        AS "value",
    CASE WHEN count(breakdown) = 0 THEN 'no units'
         WHEN count("value") < count(breakdown)
         THEN concat('defined in ', count("value"), ' (value)', ' of ', count(breakdown), ' units')
    END AS note
FROM (
    FROM of_units WHERE breakdown = 0
) AS units_of_breakdown
GROUP BY ALL;

-- ## quesst2015.cost_units
-- metric cost, statistics per unit (specs/term_detection/quesst2015/cost.yaml)
-- Normalised detection cost `c_norm` = `c_det` / `c_default`: the detection cost at the decisions of the
--   system, divided by the cost of the better trivial system. The costs of a miss and of a false alarm are 1
--   and the prior is p_tar, because the scorer is called with these values. `c_norm` is 1 − atwv if p_tar is
--   at most 1/2 (Eq 24).
CREATE TABLE "cost_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.cost
-- metric cost, scores (specs/term_detection/quesst2015/cost.yaml)
CREATE TABLE "cost" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("misses"), 0) AS "misses",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "cost_units"
    GROUP BY "query"
)
, of_units AS (
    SELECT sums.*,
        p_tar * ratio(misses, targets) + (1 - p_tar) * ratio(false_alarms, nontargets) AS "c_det",
        least(p_tar, 1 - p_tar) AS "c_default",
        c_det / c_default AS "c_norm",
    FROM sums
    LEFT JOIN (
        SELECT any_value("p_tar") AS "p_tar"
        FROM "operating_point" AS row_
        HAVING if(count(*) > 1, error(concat('relation operating_point: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
)
SELECT
    json_object() AS scope,
    json_object() AS slice,
    0 AS breakdown,
    coalesce(sum("c_det") FILTER (WHERE NOT isfinite("c_det"::DOUBLE)), exact_mean(finite("c_det"::DOUBLE)))
        AS "c_det",
    coalesce(sum("c_default") FILTER (WHERE NOT isfinite("c_default"::DOUBLE)), exact_mean(finite("c_default"::DOUBLE)))
        AS "c_default",
    coalesce(sum("c_norm") FILTER (WHERE NOT isfinite("c_norm"::DOUBLE)), exact_mean(finite("c_norm"::DOUBLE)))
        AS "c_norm",
    CASE WHEN count(breakdown) = 0 THEN 'no units'
         WHEN count("c_det") < count(breakdown) OR count("c_default") < count(breakdown) OR count("c_norm") < count(breakdown)
         THEN concat('defined in ', count("c_det"), ' (c_det), ', count("c_default"), ' (c_default), ', count("c_norm"), ' (c_norm)', ' of ', count(breakdown), ' units')
    END AS note
FROM (
    FROM of_units WHERE breakdown = 0
) AS units_of_breakdown
GROUP BY ALL;

-- ## quesst2015.prior_units
-- metric prior, statistics per unit (specs/term_detection/quesst2015/prior.yaml)
-- Operating point: the prior p_target, the effective prior (Eq 23), cut off after prior_decimals decimals,
--   and β (Eqs 7 and 22) and the Bayes threshold (Eq 31), which follow from the effective prior.
CREATE TABLE "prior_units" AS
SELECT
    count(*) AS "priors"
FROM "operating_point" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.prior
-- metric prior, scores (specs/term_detection/quesst2015/prior.yaml)
CREATE TABLE "prior" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("priors"), 0) AS "priors"
    FROM "prior_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    p_tar AS "p_tar",
    beta AS "beta",
    p_target AS "p_target",
    theta_mincost AS "theta_mincost",
    nullif(concat_ws(', ', CASE WHEN sums."priors" = 0 THEN 'priors = 0' END), '') AS note
FROM sums
LEFT JOIN (
    SELECT any_value("p_tar") AS "p_tar", any_value("beta") AS "beta", any_value("p_target") AS "p_target", any_value("theta_mincost") AS "theta_mincost"
    FROM "operating_point" AS row_
    HAVING if(count(*) > 1, error(concat('relation operating_point: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## quesst2015.cnxe_totals
-- relation cnxe_totals (specs/term_detection/quesst2015/cnxe.yaml)
-- One row with the prior that cnxe reads. It also reads likelihood_ratios, so that cnxe gives the warning of
--   that relation.
CREATE TABLE "cnxe_totals" AS
SELECT p_tar, prior_entropy FROM "curve_totals", "likelihood_ratios";

-- ## quesst2015.cnxe_units
-- metric cnxe, statistics per unit (specs/term_detection/quesst2015/cnxe.yaml)
-- Normalised cross entropy (C_nxe) of the scores, read as natural log-likelihood ratios: the empirical cross
--   entropy divided by the entropy of the prior, where the trials are documents. 0 is perfect, 1 is no better
--   than the prior alone, and more than 1 means badly calibrated scores. Trials that the system does not list
--   have the score default_score. `score_scale` and `score_offset` calibrate the scores first, for example by
--   the best map of a development set; with the `gamma` and `delta` of min_cnxe_affine, cnxe is
--   min_cnxe_affine.
CREATE TABLE "cnxe_units" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(target_bits) AS "target_bits",
    sum(nontarget_bits) AS "nontarget_bits",
    sum(infinite_bits) AS "infinite"
FROM "query_counts" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.cnxe
-- metric cnxe, scores (specs/term_detection/quesst2015/cnxe.yaml)
CREATE TABLE "cnxe" AS
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
    FROM "cnxe_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    (p_tar * ratio(target_bits, targets) + (1 - p_tar) * ratio(nontarget_bits, nontargets) + if(infinite > 0, 'inf'::DOUBLE, 0)) / prior_entropy AS "value",
    value * prior_entropy AS "cross_entropy",
    prior_entropy AS "prior_entropy",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."target_bits" = 0 THEN 'target_bits = 0' END, CASE WHEN sums."nontarget_bits" = 0 THEN 'nontarget_bits = 0' END, CASE WHEN sums."infinite" = 0 THEN 'infinite = 0' END), '') AS note
FROM sums
LEFT JOIN (
    SELECT any_value("p_tar") AS "p_tar", any_value("prior_entropy") AS "prior_entropy"
    FROM "cnxe_totals" AS row_
    HAVING if(count(*) > 1, error(concat('relation cnxe_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## quesst2015.blocks
-- relation blocks (specs/term_detection/quesst2015/min_cnxe.yaml)
-- The blocks of the rising map (isotonic calibration, pool adjacent violators), from low to high scores. All
--   trials of a block get the same log-likelihood ratio: the log odds of a target in the block minus the log
--   odds of a target among all trials. `target_bits` and `nontarget_bits` are the logarithmic costs of this
--   ratio for a target and for a nontarget trial, in bits (Eq 37, divided by ln 2).
-- Example: a block has 3 targets and 1 nontarget trial, and all trials are 10 targets and 90 nontarget
--   trials. The log-likelihood ratio of the block is ln(3/1) − ln(10/90) = 3.30.
-- "blocks_rows" is what the Python function pool_adjacent_violators makes of the rows of
--   SELECT score, positives, negatives
--   FROM (
--       SELECT score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives, place
--       FROM "trial_scores"
--       SEMI JOIN (FROM "trial_scores" WHERE target) AS target_ USING (score)
--       UNION ALL
--       SELECT high, 0, sum(nontargets)::BIGINT, 0
--       FROM "score_steps"
--       GROUP BY high
--       HAVING sum(targets) = 0 AND sum(nontargets) > 0
--   )
--   ORDER BY score, place
CREATE TABLE "blocks" AS
SELECT blocks.*, bits_of_odds(llr + log_odds) AS target_bits, bits_of_odds(-llr - log_odds) AS nontarget_bits
FROM (
    SELECT *, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM "blocks_rows"
    WINDOW everything AS ()
) AS blocks
CROSS JOIN "operating_point";

-- ## quesst2015.min_cnxe_units
-- metric min_cnxe, statistics per unit (specs/term_detection/quesst2015/min_cnxe.yaml)
-- Minimum normalised cross entropy: cnxe after the isotonic (rising) map of the scores that minimises it,
--   found by pool adjacent violators (PAV). An isotonic map never gives a higher score a lower value. As in
--   the scorer, equal scores are not pooled first: they are put in the order of their lines, and trials with
--   equal scores can get different values. quesst2015.min_cnxe_pooled pools them. 0 is perfect, 1 is no
--   better than the prior alone. The minimum over affine maps, as in Eq 45, is quesst2015.min_cnxe_affine.
CREATE TABLE "min_cnxe_units" AS
SELECT
    sum(positives) AS "targets",
    sum(negatives) AS "nontargets",
    exact_sum(if(positives = 0, 0, positives * target_bits)) AS "target_bits",
    exact_sum(if(negatives = 0, 0, negatives * nontarget_bits)) AS "nontarget_bits"
FROM "blocks" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.min_cnxe
-- metric min_cnxe, scores (specs/term_detection/quesst2015/min_cnxe.yaml)
CREATE TABLE "min_cnxe" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("target_bits"), 0) AS "target_bits",
        coalesce(sum("nontarget_bits"), 0) AS "nontarget_bits"
    FROM "min_cnxe_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    (p_tar * ratio(target_bits, targets) + (1 - p_tar) * ratio(nontarget_bits, nontargets)) / prior_entropy AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."target_bits" = 0 THEN 'target_bits = 0' END, CASE WHEN sums."nontarget_bits" = 0 THEN 'nontarget_bits = 0' END), '') AS note
FROM sums
LEFT JOIN (
    SELECT any_value("p_tar") AS "p_tar", any_value("prior_entropy") AS "prior_entropy"
    FROM "curve_totals" AS row_
    HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## quesst2015.blocks_pooled
-- relation blocks_pooled (specs/term_detection/quesst2015/min_cnxe_pooled.yaml)
-- "blocks_pooled_rows" is what the Python function pool_adjacent_violators makes of the rows of
--   SELECT high AS score, sum(targets)::BIGINT AS positives, sum(nontargets)::BIGINT AS negatives
--   FROM "score_steps"
--   GROUP BY ALL
--   HAVING sum(targets + nontargets) > 0
--   ORDER BY score
CREATE TABLE "blocks_pooled" AS
SELECT blocks.*, bits_of_odds(llr + log_odds) AS target_bits, bits_of_odds(-llr - log_odds) AS nontarget_bits
FROM (
    SELECT *, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM "blocks_pooled_rows"
    WINDOW everything AS ()
) AS blocks
CROSS JOIN "operating_point";

-- ## quesst2015.min_cnxe_pooled_units
-- metric min_cnxe_pooled, statistics per unit (specs/term_detection/quesst2015/min_cnxe_pooled.yaml)
-- Minimum normalised cross entropy: cnxe after the isotonic (rising) map of the scores that minimises it,
--   found by pool adjacent violators (PAV). An isotonic map never gives a higher score a lower value. Equal
--   scores are pooled first, so they get one value. 0 is perfect, 1 is no better than the prior alone. It
--   does not depend on the order of rows, and is at least quesst2015.min_cnxe, which does not pool equal
--   scores.
CREATE TABLE "min_cnxe_pooled_units" AS
SELECT
    sum(positives) AS "targets",
    sum(negatives) AS "nontargets",
    exact_sum(if(positives = 0, 0, positives * target_bits)) AS "target_bits",
    exact_sum(if(negatives = 0, 0, negatives * nontarget_bits)) AS "nontarget_bits"
FROM "blocks_pooled" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.min_cnxe_pooled, like quesst2015.min_cnxe except:
@@ -1,2 +1,2 @@
--- metric min_cnxe, scores (specs/term_detection/quesst2015/min_cnxe.yaml)
-CREATE TABLE "min_cnxe" AS
+-- metric min_cnxe_pooled, scores (specs/term_detection/quesst2015/min_cnxe_pooled.yaml)
+CREATE TABLE "min_cnxe_pooled" AS
@@ -12 +12 @@
-    FROM "min_cnxe_units"
+    FROM "min_cnxe_pooled_units"

-- ## quesst2015.min_cnxe_affine_units
-- metric min_cnxe_affine, statistics per unit (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- Minimum normalised cross entropy (C_nxe^min) by its published definition: cnxe after the affine map γ·score
--   + δ that minimises it. 0 is perfect, 1 is no better than the effective prior of c_miss, c_fa and p_target
--   alone. If the cost keeps falling as γ grows, for example because a threshold separates all targets from
--   all other trials, the value is the limit, and `gamma` and `delta` are NULL. quesst2015.min_cnxe and
--   quesst2015.min_cnxe_pooled take the best isotonic (rising) map instead. An affine map with a negative γ
--   is not rising.
CREATE TABLE "min_cnxe_affine_units" AS
SELECT
    count(*) FILTER (WHERE target) AS "positives",
    count(*) FILTER (WHERE NOT target) AS "negatives"
FROM "trial_scores" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## quesst2015.min_cnxe_affine_parts
-- metric min_cnxe_affine, weights per slice (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- The slices to which calibrations are fitted, numbered as parts, each with the prior and the total weights
--   of its positives and of its negatives.
CREATE TABLE "min_cnxe_affine_parts" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("positives"), 0) AS "positives",
        coalesce(sum("negatives"), 0) AS "negatives"
    FROM "min_cnxe_affine_units"
    GROUP BY ALL
)
SELECT *, (p_tar)::DOUBLE AS prior,
    row_number() OVER (ORDER BY breakdown) AS part
FROM (
    SELECT sums.* REPLACE (sums.positives::DOUBLE AS positives, sums.negatives::DOUBLE AS negatives), given."p_tar", given."prior_entropy"
    FROM sums
    LEFT JOIN (
        SELECT any_value("p_tar") AS "p_tar", any_value("prior_entropy") AS "prior_entropy"
        FROM "curve_totals" AS row_
        HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
    ) AS given
        ON true
);

-- ## quesst2015.min_cnxe_affine_weights
-- metric min_cnxe_affine, weights per score (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- The weights of the positives and of the negatives at each score: one row for each distinct score of a
--   slice. A run in parts adds up the weights that each part has found in its rows.
CREATE VIEW "min_cnxe_affine_weights" AS
SELECT
        0 AS breakdown,
        ranked_score(score) AS score,
        coalesce(count(*) FILTER (WHERE target), 0) AS "positives",
        coalesce(count(*) FILTER (WHERE NOT target), 0) AS "negatives"
FROM "trial_scores" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## quesst2015.min_cnxe_affine_points
-- metric min_cnxe_affine, points (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- The points of the calibration: each distinct score of a part, with the weight of the positives and the
--   weight of the negatives at this score. In each part, the weights of all positives add up to the prior,
--   and the weights of all negatives to 1 − prior. Rows with equal scores have equal costs, so that they are
--   one point.
CREATE TABLE "min_cnxe_affine_points" AS
SELECT part, weights.score,
    weights.positives::DOUBLE * (prior / nullif(parts.positives, 0)) AS positive,
    weights.negatives::DOUBLE * ((1 - prior) / nullif(parts.negatives, 0)) AS negative
FROM "min_cnxe_affine_weights" AS weights JOIN "min_cnxe_affine_parts" AS parts ON parts.breakdown = weights.breakdown;

-- ## quesst2015.min_cnxe_affine_minimum, like openkws13.min_cnxe_minimum except:
@@ -1 +1 @@
--- metric min_cnxe, the least cost (specs/term_detection/shared/min_cnxe.yaml)
+-- metric min_cnxe_affine, the least cost (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
@@ -46 +46 @@
-CREATE TABLE "min_cnxe_minimum" AS
+CREATE TABLE "min_cnxe_affine_minimum" AS
@@ -63 +63 @@
-    FROM "min_cnxe_points"
+    FROM "min_cnxe_affine_points"
@@ -93,2 +93,2 @@
-            FROM "min_cnxe_points" AS points JOIN level USING (part)
-            WHERE isfinite(score) AND (SELECT count(*) FROM "min_cnxe_points") > 5000
+            FROM "min_cnxe_affine_points" AS points JOIN level USING (part)
+            WHERE isfinite(score) AND (SELECT count(*) FROM "min_cnxe_affine_points") > 5000
@@ -207 +207 @@
-                        FROM steps JOIN "min_cnxe_points" AS points USING (part)
+                        FROM steps JOIN "min_cnxe_affine_points" AS points USING (part)

-- ## quesst2015.min_cnxe_affine
-- metric min_cnxe_affine, scores (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- The scores of the metric: the components, computed from the minimum cost of each slice and from the slope
--   and shift of the affine map with this cost. `prior_cost`, the entropy of the prior, is the cost without
--   scores.
CREATE TABLE "min_cnxe_affine" AS
SELECT scope, slice, breakdown,
    ratio(cost, prior_cost) AS "value",
    slope AS "gamma",
    shift AS "delta",
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
        FROM "min_cnxe_affine_parts" LEFT JOIN "min_cnxe_affine_minimum" USING (part)
    ) AS parts
);

-- ## quesst2015.calibration_loss
-- metric calibration_loss, scores (specs/term_detection/quesst2015/calibration_loss.yaml)
-- Calibration loss: cnxe − min_cnxe, the part of the normalised cross entropy that the best rising map of the
--   scores removes (section 4.2.5, with rising instead of affine maps). 0 is perfect calibration.
-- The scores of the metric: components computed from components of other metrics, which are joined by slice
--   and fold. A metric without slices has the same value in every slice of the first metric.
CREATE TABLE "calibration_loss" AS
SELECT cnxe.scope, cnxe.slice, cnxe.breakdown,
    cnxe.value - min_cnxe.value AS "value",
    nullif(concat_ws('; ', cnxe.note, min_cnxe.note), '') AS note
FROM "cnxe" AS cnxe
LEFT JOIN "min_cnxe" AS min_cnxe
    ON min_cnxe.scope = cnxe.scope;

-- ## quesst2015.blocks_by_query
-- relation blocks_by_query (specs/term_detection/quesst2015/lower_bound_cnxe.yaml)
-- "blocks_by_query_rows" is what the Python function pool_adjacent_violators makes of the rows of
--   SELECT query, score, positives, negatives
--   FROM (
--       SELECT query_.query, score_.score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives, score_.place
--       FROM "trial_scores" AS score_
--       SEMI JOIN (FROM "trial_scores" WHERE target) AS target_ USING (query_place, score)
--       JOIN "scored_queries" AS query_ ON query_.place = score_.query_place
--       UNION ALL
--       SELECT query, high, 0, nontargets, 0
--       FROM "query_steps"
--       WHERE above OR step IS NULL
--   )
--   ORDER BY query, score, place
CREATE TABLE "blocks_by_query" AS
SELECT blocks.*, bits_of_odds(llr + log_odds) AS target_bits, bits_of_odds(-llr - log_odds) AS nontarget_bits
FROM (
    SELECT *, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM "blocks_by_query_rows"
    WINDOW everything AS ()
) AS blocks
CROSS JOIN "operating_point";

-- ## quesst2015.lower_bound_cnxe_units
-- metric lower_bound_cnxe, statistics per unit (specs/term_detection/quesst2015/lower_bound_cnxe.yaml)
-- Lower-bound normalised cross entropy: cnxe if each query has its own best rising map of the scores, found
--   by pool adjacent violators (PAV), with equal scores ordered by their lines. The log-likelihood ratio of a
--   block is the log odds of a target in the block minus the log odds of a target among the trials of all
--   queries. 0 is perfect, 1 is no better than the prior alone. It is at most min_cnxe, which has one map for
--   all queries. The scorer prints another number, because it computes this metric from scores that it has
--   already calibrated.
CREATE TABLE "lower_bound_cnxe_units" AS
SELECT "query",
    sum(positives) AS "targets",
    sum(negatives) AS "nontargets",
    exact_sum(if(positives = 0, 0, positives * target_bits)) AS "target_bits",
    exact_sum(if(negatives = 0, 0, negatives * nontarget_bits)) AS "nontarget_bits"
FROM "blocks_by_query" AS counted_rows
GROUP BY ALL;

-- ## quesst2015.lower_bound_cnxe, like quesst2015.min_cnxe except:
@@ -1,2 +1,2 @@
--- metric min_cnxe, scores (specs/term_detection/quesst2015/min_cnxe.yaml)
-CREATE TABLE "min_cnxe" AS
+-- metric lower_bound_cnxe, scores (specs/term_detection/quesst2015/lower_bound_cnxe.yaml)
+CREATE TABLE "lower_bound_cnxe" AS
@@ -12 +12 @@
-    FROM "min_cnxe_units"
+    FROM "lower_bound_cnxe_units"

-- ## quesst2015.trials
-- relation trials (specs/term_detection/quesst2015/evidence.yaml)
-- Evidence: the trials, each with the names of its query and document and the outcome of the decision: hit,
--   miss, false_alarm or correct_rejection.
CREATE TABLE "trials" AS
SELECT query_.query, document_.doc, score_.score, score_.yes, score_.target, score_.submitted,
    CASE
        WHEN score_.target THEN if(score_.yes, 'hit', 'miss')
        ELSE if(score_.yes, 'false_alarm', 'correct_rejection')
    END AS outcome
FROM "trial_scores" AS score_
JOIN "scored_queries" AS query_ ON query_.place = score_.query_place
JOIN "documents" AS document_ ON document_.place = score_.doc_place;

-- ## quesst2015.metric_mtwv_points_of_its_curve
-- metric mtwv, points of its curve (specs/term_detection/quesst2015/mtwv.yaml)
SELECT 'mtwv' AS metric, slice, rank, threshold, mark, "value", "p_miss", "p_fa", "probit_miss", "probit_fa", NULL::DOUBLE AS "p_miss_low", NULL::DOUBLE AS "p_miss_high"
FROM (
    WITH
    "marked_actual" AS (FROM "mtwv_marks" WHERE mark = 'actual'),
    sums AS (
        SELECT
            json_object() AS scope,
            json_object() AS slice,
            0 AS breakdown,
            coalesce(sum("hits"), 0) AS "hits",
            coalesce(sum("false_alarms"), 0) AS "false_alarms"
        FROM "mtwv_units"
        GROUP BY ALL
    ),
    points AS NOT MATERIALIZED (
        SELECT
            sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
            {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
            given."beta",
            coalesce(running."hits", 0) AS "hits",
            coalesce(running."false_alarms", 0) AS "false_alarms"
        FROM sums
        LEFT JOIN (
            SELECT any_value("beta") AS "beta"
            FROM "curve_totals" AS row_
            HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
        ) AS given
            ON true
        JOIN "mtwv_sums" AS running ON running.breakdown = sums.breakdown
        UNION ALL
        SELECT
            sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
            {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
            given."beta",
            0 AS "hits",
            0 AS "false_alarms"
        FROM sums
        LEFT JOIN (
            SELECT any_value("beta") AS "beta"
            FROM "curve_totals" AS row_
            HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
        ) AS given
            ON true
        UNION ALL
        SELECT
            sums.slice, sums.breakdown, NULL AS rank, NULL AS threshold, 'actual' AS mark,
            {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
            given."beta",
            coalesce(marked."hits", 0) AS "hits",
            coalesce(marked."false_alarms", 0) AS "false_alarms"
        FROM sums
        LEFT JOIN (
            SELECT any_value("beta") AS "beta"
            FROM "curve_totals" AS row_
            HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
        ) AS given
            ON true
        LEFT JOIN "marked_actual" AS marked ON marked.breakdown = sums.breakdown
    ),
    at_points AS NOT MATERIALIZED (
        SELECT slice, breakdown, rank, threshold, mark,
            ratio(hits, total.hits) - beta * ratio(false_alarms, total.false_alarms) AS "value",
            ratio(total.hits - hits, total.hits) AS "p_miss",
            ratio(false_alarms, total.false_alarms) AS "p_fa",
            probit(p_miss) AS "probit_miss",
            probit(p_fa) AS "probit_fa",
            {"hits": points."hits", "false_alarms": points."false_alarms" } AS accepted
        FROM points
    )
    ,
    lengths AS (
        SELECT breakdown, max(rank) AS length
        FROM "mtwv_sums"
        GROUP BY ALL
    ),
    placed AS (
        SELECT at_points.* EXCLUDE (mark), coalesce(length, 0) AS length,
            coalesce(mark, CASE
                WHEN rank = coalesce(chosen.best_rank, -1) THEN 'best' END) AS mark
        FROM at_points
        LEFT JOIN lengths ON lengths.breakdown = at_points.breakdown
        LEFT JOIN "mtwv" AS chosen ON chosen.breakdown = at_points.breakdown
    )
    SELECT slice, rank, threshold, mark,
        "value"::DOUBLE AS "value",
        "p_miss"::DOUBLE AS "p_miss",
        "p_fa"::DOUBLE AS "p_fa",
        "probit_miss"::DOUBLE AS "probit_miss",
        "probit_fa"::DOUBLE AS "probit_fa"
    FROM placed
    WHERE mark IS NOT NULL OR rank IN (0, 1, length) OR rank % ceil(length / 10000)::BIGINT = 0
    ORDER BY breakdown, slice_order(slice), slice::VARCHAR, rank NULLS LAST, mark
);

-- ## quesst2015.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        coalesce(remark, remark(value, note)) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'atwv' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'threshold', 'value': "threshold"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "atwv"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'mtwv' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'p_miss', 'value': "p_miss"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'p_fa', 'value': "p_fa"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'threshold', 'value': "threshold"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "mtwv"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'p_miss' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "p_miss"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'p_fa' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "p_fa"
        UNION ALL
        SELECT 4 AS position, 0 AS variant, 'counts' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'queries', 'value': "queries"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'targets', 'value': "targets"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'detections', 'value': "detections"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'hits', 'value': "hits"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 4, 'component': 'misses', 'value': "misses"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 5, 'component': 'false_alarms', 'value': "false_alarms"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 6, 'component': 'correct_rejections', 'value': "correct_rejections"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "counts"
        UNION ALL
        SELECT 5 AS position, 0 AS variant, 'upper_bound_twv' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "upper_bound_twv"
        UNION ALL
        SELECT 6 AS position, 0 AS variant, 'bayes_twv' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "bayes_twv"
        UNION ALL
        SELECT 7 AS position, 0 AS variant, 'cost' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'c_det', 'value': "c_det"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'c_default', 'value': "c_default"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'c_norm', 'value': "c_norm"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "cost"
        UNION ALL
        SELECT 8 AS position, 0 AS variant, 'prior' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'p_tar', 'value': "p_tar"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'beta', 'value': "beta"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'p_target', 'value': "p_target"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'theta_mincost', 'value': "theta_mincost"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "prior"
        UNION ALL
        SELECT 9 AS position, 0 AS variant, 'cnxe' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'cross_entropy', 'value': "cross_entropy"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'prior_entropy', 'value': "prior_entropy"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "cnxe"
        UNION ALL
        SELECT 10 AS position, 0 AS variant, 'min_cnxe' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "min_cnxe"
        UNION ALL
        SELECT 11 AS position, 0 AS variant, 'min_cnxe_pooled' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "min_cnxe_pooled"
        UNION ALL
        SELECT 12 AS position, 0 AS variant, 'min_cnxe_affine' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': remark},
                {'place': 1, 'component': 'gamma', 'value': "gamma"::DOUBLE, 'remark': remark},
                {'place': 2, 'component': 'delta', 'value': "delta"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "min_cnxe_affine"
        UNION ALL
        SELECT 13 AS position, 0 AS variant, 'calibration_loss' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "calibration_loss"
        UNION ALL
        SELECT 14 AS position, 0 AS variant, 'lower_bound_cnxe' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "lower_bound_cnxe"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## resources.Suite_resources
-- Suite resources: Processor time and memory that a search system needs for indexing and searching, and the
--   processing load, one number for both (section 4.3 of Rodriguez-Fuentes and Penagarikano 2013).
-- To run it in DuckDB, first fill the tables of the inputs: measurements, query_examples, audio
-- Order: each of the 11 steps reads inputs and steps above it. Metrics: phase_costs → isf, ssf, pmu_index,
--   pmu_search; other metrics → processing_load

-- ## resources.measurements
-- input measurements (specs/term_detection/tables.yaml): One row per measurement of processor time and
--   memory. A phase can have several measurements, for example one per computer or step. Other columns of the
--   file, such as the type of processor, can be named by --by.
CREATE TABLE IF NOT EXISTS "measurements" (line BIGINT, "phase" VARCHAR, "node" VARCHAR, "cpu_hours" DOUBLE, "wall_hours" DOUBLE, "cores" BIGINT, "peak_gb" DOUBLE, "nodes" BIGINT, "brand" VARCHAR, "cpu_model" VARCHAR, "cpu_cores" BIGINT, "clock_ghz" DOUBLE, "ram_gb" DOUBLE, "operating_system" VARCHAR);

-- ## resources.query_examples
-- input query_examples (specs/term_detection/tables.yaml): One row per spoken example of a query. The
--   durations of all examples are added up (Eq 47).
CREATE TABLE IF NOT EXISTS "query_examples" (line BIGINT, "query" VARCHAR, "example" VARCHAR, "dur" DOUBLE);

-- ## resources.phase_costs
-- relation phase_costs (specs/term_detection/resources/phase_costs.yaml)
-- The phases index and search, each with its CPU hours (wall hours times cores if CPU hours are not given),
--   summed over its measurements; its peak memory; and, in hours, the duration T_Ω of the audio and the
--   duration T_Q of all query examples (Eq 47). ISF, SSF (Eq 46) and the processing load (Eq 48) are computed
--   from these.
CREATE TABLE "phase_costs" AS
SELECT phase, exact_sum(coalesce(cpu_hours, wall_hours * cores))::DOUBLE AS cpu_hours, max(peak_gb) AS peak_gb,
    (SELECT sum(length) / 3600e6 FROM (
        SELECT *, greatest(0, onset + size - greatest(onset, coalesce(max(onset + size) OVER earlier, onset))) AS length
        FROM (SELECT *, microseconds(tbeg) AS onset, microseconds(dur) AS size FROM "audio")
        WINDOW earlier AS (PARTITION BY doc, channel ORDER BY onset, size ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )) AS audio_hours,
    (SELECT sum(microseconds(dur)) / 3600e6 FROM "query_examples") AS query_hours,
    0.1e0 AS "lambda"
FROM "measurements"
GROUP BY phase;

-- ## resources.isf_units
-- metric isf, statistics per unit (specs/term_detection/resources/isf.yaml)
-- Indexing speed factor (ISF): CPU hours of indexing divided by hours of audio (section 4.3, without an
--   equation number). It is a real-time factor: 1 means that one CPU indexes an hour of audio in an hour.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "isf_units" AS
SELECT
    sum(cpu_hours) AS "cpu_hours",
    max(audio_hours) AS "audio_hours",
    max(query_hours) AS "query_hours"
FROM "phase_costs" AS counted_rows
WHERE phase = 'index'
GROUP BY ALL;

-- ## resources.isf
-- metric isf, scores (specs/term_detection/resources/isf.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "isf" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("cpu_hours"), 0) AS "cpu_hours",
        coalesce(sum("audio_hours"), 0) AS "audio_hours",
        coalesce(sum("query_hours"), 0) AS "query_hours"
    FROM "isf_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(cpu_hours, audio_hours) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."cpu_hours" = 0 THEN 'cpu_hours = 0' END, CASE WHEN sums."audio_hours" = 0 THEN 'audio_hours = 0' END, CASE WHEN sums."query_hours" = 0 THEN 'query_hours = 0' END), '') AS note
FROM sums;

-- ## resources.ssf_units
-- metric ssf, statistics per unit (specs/term_detection/resources/ssf.yaml)
-- Searching speed factor (SSF): CPU hours of searching, divided by the product of the hours of query examples
--   and the hours of audio. All spoken examples of a query count.
CREATE TABLE "ssf_units" AS
SELECT
    sum(cpu_hours) AS "cpu_hours",
    max(audio_hours) AS "audio_hours",
    max(query_hours) AS "query_hours"
FROM "phase_costs" AS counted_rows
WHERE phase = 'search'
GROUP BY ALL;

-- ## resources.ssf
-- metric ssf, scores (specs/term_detection/resources/ssf.yaml)
CREATE TABLE "ssf" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("cpu_hours"), 0) AS "cpu_hours",
        coalesce(sum("audio_hours"), 0) AS "audio_hours",
        coalesce(sum("query_hours"), 0) AS "query_hours"
    FROM "ssf_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(cpu_hours, query_hours * audio_hours) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."cpu_hours" = 0 THEN 'cpu_hours = 0' END, CASE WHEN sums."audio_hours" = 0 THEN 'audio_hours = 0' END, CASE WHEN sums."query_hours" = 0 THEN 'query_hours = 0' END), '') AS note
FROM sums;

-- ## resources.pmu_index_units
-- metric pmu_index, statistics per unit (specs/term_detection/resources/pmu_index.yaml)
-- Peak memory usage (PMU) of indexing: the largest peak of all its measurements, in GB (section 4.3).
CREATE TABLE "pmu_index_units" AS
SELECT
    count(*) AS "phases",
    max(peak_gb) AS "peak_gb"
FROM "phase_costs" AS counted_rows
WHERE phase = 'index'
GROUP BY ALL;

-- ## resources.pmu_index
-- metric pmu_index, scores (specs/term_detection/resources/pmu_index.yaml)
CREATE TABLE "pmu_index" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("phases"), 0) AS "phases",
        coalesce(sum("peak_gb"), 0) AS "peak_gb"
    FROM "pmu_index_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(phases = 0, NULL, peak_gb) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."phases" = 0 THEN 'phases = 0' END, CASE WHEN sums."peak_gb" = 0 THEN 'peak_gb = 0' END), '') AS note
FROM sums;

-- ## resources.pmu_search_units
-- metric pmu_search, statistics per unit (specs/term_detection/resources/pmu_search.yaml)
-- Peak memory usage (PMU) of searching: the largest peak of all its measurements, in GB (section 4.3).
CREATE TABLE "pmu_search_units" AS
SELECT
    count(*) AS "phases",
    max(peak_gb) AS "peak_gb"
FROM "phase_costs" AS counted_rows
WHERE phase = 'search'
GROUP BY ALL;

-- ## resources.pmu_search
-- metric pmu_search, scores (specs/term_detection/resources/pmu_search.yaml)
CREATE TABLE "pmu_search" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("phases"), 0) AS "phases",
        coalesce(sum("peak_gb"), 0) AS "peak_gb"
    FROM "pmu_search_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(phases = 0, NULL, peak_gb) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."phases" = 0 THEN 'phases = 0' END, CASE WHEN sums."peak_gb" = 0 THEN 'peak_gb = 0' END), '') AS note
FROM sums;

-- ## resources.processing_load
-- metric processing_load, scores (specs/term_detection/resources/processing_load.yaml)
-- Processing load (PL): λ·isf·pmu_index + (1 − λ)·ssf·pmu_search, with times in hours and memory in GB. It is
--   a number without a unit, because it adds GB (indexing) and GB/h (searching).
-- The scores of the metric: components computed from components of other metrics, which are joined by slice
--   and fold. A metric without slices has the same value in every slice of the first metric.
CREATE TABLE "processing_load" AS
SELECT isf.scope, isf.slice, isf.breakdown,
    0.1e0 * isf.value * pmu_index.value + (1 - 0.1e0) * ssf.value * pmu_search.value AS "value",
    nullif(concat_ws('; ', isf.note, ssf.note, pmu_index.note, pmu_search.note), '') AS note
FROM "isf" AS isf
LEFT JOIN "ssf" AS ssf
    ON ssf.scope = isf.scope
LEFT JOIN "pmu_index" AS pmu_index
    ON pmu_index.scope = isf.scope
LEFT JOIN "pmu_search" AS pmu_search
    ON pmu_search.scope = isf.scope;

-- ## resources.hardware
-- relation hardware (specs/term_detection/resources/hardware.yaml)
-- One row per type of computer in the measurements, with its description (section 4.3).
CREATE TABLE "hardware" AS
SELECT node, max(nodes) AS nodes, min(brand) AS brand, min(cpu_model) AS cpu_model,
    min(cpu_cores) AS cpu_cores, min(clock_ghz) AS clock_ghz, min(ram_gb) AS ram_gb,
    min(operating_system) AS operating_system
FROM "measurements"
GROUP BY node;

-- ## resources.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'isf' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "isf"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'ssf' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "ssf"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'pmu_index' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "pmu_index"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'pmu_search' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "pmu_search"
        UNION ALL
        SELECT 4 AS position, 0 AS variant, 'processing_load' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "processing_load"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## std2006.Suite_std2006
-- Suite std2006: Spoken term detection with the costs and the prior of the NIST 2006 evaluation (β = 999.9,
--   section 2.5 of Rodriguez-Fuentes and Penagarikano 2013), scored by the equations of that document.
--   openkws13 has the same costs and prior, but follows the scorer F4DE.
-- To run it in DuckDB, first fill the tables of the inputs: queries, audio, detections, references (not read:
--   occurrences, speech); also the tables …_rows_…, which Python functions make
-- Order: each of the 70 steps reads inputs and steps above it. Metrics: query_counts → atwv, p_miss, p_fa,
--   supremum_twv, cost; scored_detections + scored_queries → mtwv; block_counts → counts; query_blocks +
--   query_steps → upper_bound_twv; bayes_detections + scored_queries → bayes_twv; operating_point → prior;
--   trial_costs → cnxe; trial_scores → min_cnxe; other metrics → calibration_loss

-- ## std2006.excerpt_starts
-- relation excerpt_starts (specs/term_detection/shared/alignment.yaml)
-- One row per document, channel and time at which an excerpt of the audio begins.
CREATE TABLE "excerpt_starts" AS
SELECT DISTINCT doc, channel, microseconds(excerpt_.tbeg) AS onset
FROM "audio" AS excerpt_
WHERE (microseconds(excerpt_.tbeg) + microseconds(excerpt_.dur)) > microseconds(excerpt_.tbeg);

-- ## std2006.excerpts, like openkws13.excerpts except:
@@ -8 +8 @@
-    SELECT doc, channel, excerpt_.tbeg AS onset, four_decimals(excerpt_.tbeg + excerpt_.dur) AS excerpt_end
+    SELECT doc, channel, microseconds(excerpt_.tbeg) AS onset, (microseconds(excerpt_.tbeg) + microseconds(excerpt_.dur)) AS excerpt_end
@@ -12 +12 @@
-    unnest(range(floor(onset / 60)::BIGINT, floor(excerpt_end / 60)::BIGINT + 1)) AS minute
+    unnest(range((onset // 60000000), (excerpt_end // 60000000) + 1)) AS minute

-- ## std2006.query_words, like openkws13.query_words except:
@@ -8 +8 @@
-    coalesce(compare_normalize, 'lowercase') = 'lowercase' AS any_case
+    true AS any_case

-- ## std2006.located_occurrences, like openkws13.located_occurrences except:
@@ -17 +17 @@
-        token_.tbeg AS onset, four_decimals(token_.tbeg + token_.dur) AS token_end,
+        microseconds(token_.tbeg) AS onset, (microseconds(token_.tbeg) + microseconds(token_.dur)) AS token_end,
@@ -25 +25 @@
-        coalesce(four_decimals(onset - lag(token_end) OVER stream) > 0.5e0, true) AS breaks
+        coalesce(onset - lag(token_end) OVER stream > microseconds(0.5e0), true) AS breaks
@@ -58 +58 @@
-    SELECT *, onset AS onset_s, "offset" AS offset_s FROM found
+    SELECT *, onset / 1e6 AS onset_s, "offset" / 1e6 AS offset_s FROM found

-- ## std2006.targets, like openkws13.targets except:
@@ -12,2 +12,4 @@
-    AND floor(occurrence_.onset / 60)::BIGINT = excerpt_.minute
-    AND occurrence_.onset >= excerpt_.onset AND occurrence_.first_end <= excerpt_.excerpt_end;
+    AND ((occurrence_.onset + occurrence_."offset") // 120000000) = excerpt_.minute
+    AND (occurrence_.onset + occurrence_."offset") >= 2 * excerpt_.onset
+    AND ((occurrence_.onset + occurrence_."offset") < 2 * excerpt_.excerpt_end
+        OR ((occurrence_.onset + occurrence_."offset") = 2 * excerpt_.excerpt_end AND NOT excerpt_.followed));

-- ## std2006.occurrence_islands, like openkws13.occurrence_islands except:
@@ -12,3 +12,3 @@
-        onset - 0.5e0 AS reach_from,
-        "offset" + 0.5e0 AS reach_to
-    FROM "targets"
+        2 * (onset - microseconds(0.5e0)) AS reach_from,
+        2 * ("offset" + microseconds(0.5e0)) AS reach_to
+    FROM "located_occurrences"

-- ## std2006.candidate_pairs
-- relation candidate_pairs (specs/term_detection/shared/alignment.yaml)
-- The pairs of a detection and an occurrence that can be aligned: the midpoint of the detection lies in the
--   occurrence or at most `tolerance` (0.5 s) outside of it (section 2.1). A detection from 3.0 to 3.4 s has
--   its midpoint at 3.2 s, and can be aligned with an occurrence that ends at 2.7 s, but not with an
--   occurrence that ends at 2.6 s.
-- Among the alignments with the most pairs, the largest sum of `gain_1` is preferred, then of `gain_2`, then
--   of `gain_3`. With assignment = ranks these are the rank of the score in the island, the overlap, and the
--   rank by time and decision. With assignment = gain, `gain_1` is the gain of F4DE times 1e8:
--   `gain_score_weight` · relative score + relative overlap; `gain_2` is 0. `contested`: some detection of
--   the island can be aligned with several occurrences.
CREATE TABLE "candidate_pairs" AS
WITH aligned AS (
    SELECT *
    FROM "detections" AS row_
),
islands AS (
    SELECT DISTINCT query, doc, channel, island, island_from, island_to FROM "occurrence_islands"
),
-- one row for each interval of 11.0 s that an island touches, so that an equality join finds the island of a detection
stretches AS (
    SELECT *, unnest(range((island_from // 22000000), (island_to // 22000000) + 1)) AS stretch
    FROM islands
),
near AS (
    SELECT query, doc, channel, tbeg, dur, ranked_score(score) AS score, decision, min_score, max_score, island, middle
    FROM (
        SELECT *, (middle // 22000000) AS stretch
        FROM (SELECT *, (2 * microseconds(detection_.tbeg) + microseconds(detection_.dur)) AS middle FROM aligned AS detection_)
    )
    JOIN stretches USING (query, doc, channel, stretch)
    WHERE middle BETWEEN island_from AND island_to
),
numbered AS (
    SELECT *, microseconds(tbeg) AS onset, microseconds(tbeg) + microseconds(dur) AS "offset",
        row_number() OVER (PARTITION BY island ORDER BY microseconds(tbeg), microseconds(dur), score DESC, decision DESC) AS detection
    FROM near
),
paired AS (
    SELECT detection_.*, occurrence_.occurrence, occurrence_.onset_s, occurrence_.offset_s,
        dense_rank() OVER (PARTITION BY island ORDER BY detection_.onset DESC, detection_."offset" DESC, decision = 'YES') AS gain_3,
        dense_rank() OVER (PARTITION BY island ORDER BY score) AS gain_1,
        least(detection_."offset", microseconds(offset_s)) - greatest(detection_.onset, microseconds(onset_s)) AS gain_2
    FROM numbered AS detection_
    JOIN (SELECT island, occurrence, onset_s, offset_s, reach_from, reach_to FROM "occurrence_islands") AS occurrence_ USING (island)
    WHERE middle BETWEEN reach_from AND reach_to
),
counted AS (
    SELECT *, count(*) OVER (PARTITION BY island, detection) AS partners FROM paired
)
SELECT query, doc, channel, tbeg, dur, score, decision, island, detection, occurrence, onset_s AS occurrence_onset, offset_s AS occurrence_offset,
    gain_1, gain_2, gain_3, max(partners) OVER (PARTITION BY island) > 1 AS contested
FROM counted;

-- ## std2006.aligned_rows
-- relation aligned_rows (specs/term_detection/shared/alignment.yaml)
-- The detections, each with its occurrence (NULL if it is not aligned), and the occurrences without a
--   detection, if trials are virtual. `inside`: the row lies in the audio. With inside_audio = midpoint, all
--   detections and occurrences are aligned, and a row is then judged by a midpoint: that of its occurrence
--   or, if the detection is not aligned, that of the detection. With inside_audio = whole, as in F4DE, only
--   what lies in the audio is aligned.
-- A slice of a breakdown by the audio has the rows inside its excerpts. Rows outside every excerpt are in no
--   slice.
CREATE TABLE "aligned_rows" AS
WITH joined AS (
    SELECT query, doc, channel, tbeg, dur, score, decision,
        NULL::DOUBLE AS occurrence_onset, NULL::DOUBLE AS occurrence_offset, false AS target
    FROM "detections"
    ANTI JOIN "candidate_pairs" USING (query, doc, channel, tbeg, dur)
    UNION ALL
    SELECT query, doc, channel, tbeg, dur, score, decision,
        if(found, occurrence_onset, NULL), if(found, occurrence_offset, NULL), coalesce(found, false)
    FROM "candidate_pairs"
    LEFT JOIN (SELECT island, detection, occurrence, true AS found FROM "aligned_pairs") USING (island, detection, occurrence)
    QUALIFY row_number() OVER (PARTITION BY island, detection ORDER BY found NULLS LAST, occurrence) = 1
    UNION ALL
    SELECT query, doc, channel, NULL, NULL, NULL, NULL, onset_s, offset_s, true
    FROM "occurrence_islands"
    ANTI JOIN "aligned_pairs" USING (island, occurrence)
),
placed AS (
    SELECT *, if(target, (microseconds(occurrence_onset) + microseconds(occurrence_offset)), (2 * microseconds(row_.tbeg) + microseconds(row_.dur))) AS middle FROM joined AS row_
),
places AS (
    SELECT *, true AS found
    FROM (SELECT DISTINCT doc, channel, middle FROM placed) AS place_
    SEMI JOIN "excerpts" AS excerpt_
        ON place_.doc = excerpt_.doc AND place_.channel = excerpt_.channel
    AND (place_.middle // 120000000) = excerpt_.minute
    AND place_.middle >= 2 * excerpt_.onset
    AND (place_.middle < 2 * excerpt_.excerpt_end
        OR (place_.middle = 2 * excerpt_.excerpt_end AND NOT excerpt_.followed))
)
SELECT query, doc, channel, tbeg, dur, score, decision, occurrence_onset, occurrence_offset, target, coalesce(found, false) AS inside
FROM placed
LEFT JOIN places USING (doc, channel, middle);

-- ## std2006.left_out, like openkws13.left_out except:
@@ -20 +20 @@
-    'left out' AS verdict
+    'false alarm unless aligned' AS verdict

-- ## std2006.audio_size
-- relation audio_size, T_audio (specs/term_detection/shared/alignment.yaml)
-- The duration of the audio that is searched, T_audio, and the number of trials of one query: n_tps · T_audio
--   if trials are virtual (Eq 2), otherwise the number of segments or documents.
CREATE TABLE "audio_size" AS
WITH durations AS (
    SELECT 2 * length AS halves FROM (
        SELECT *, greatest(0, onset + size - greatest(onset, coalesce(max(onset + size) OVER earlier, onset))) AS length
        FROM (SELECT *, microseconds(tbeg) AS onset, microseconds(dur) AS size FROM "audio")
        WINDOW earlier AS (PARTITION BY doc, channel ORDER BY onset, size ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
),
sizes AS (
    SELECT sum(halves) / 2e6 AS seconds FROM durations
)
SELECT *, 1.0e0 * seconds AS trials, 'virtual' AS kind,
    NULL::BIGINT AS speech_trials
FROM sizes;

-- ## std2006.mtwv_units, like openkws13.mtwv_units except:
@@ -1,3 +1,4 @@
--- metric mtwv, statistics per unit (specs/term_detection/openkws13/mtwv.yaml)
--- Maximum term-weighted value (MTWV) as in KWSEval: the largest 1 − P_miss − β·P_fa over all scores as
---   thresholds. At least one detection is accepted, so that the value can be below 0.
+-- metric mtwv, statistics per unit (specs/term_detection/shared/mtwv.yaml)
+-- Maximum term-weighted value (MTWV): the largest 1 − P_miss − β·P_fa over all thresholds, with one threshold
+--   for all queries. It is at least 0, the value of rejecting all detections. `p_miss` and `p_fa` are the
+--   rates at the best `threshold`.

-- ## std2006.mtwv_scores, like openkws13.mtwv_scores except:
@@ -1 +1 @@
--- metric mtwv, sums per score (specs/term_detection/openkws13/mtwv.yaml)
+-- metric mtwv, sums per score (specs/term_detection/shared/mtwv.yaml)

-- ## std2006.mtwv_sums, like openkws13.mtwv_sums except:
@@ -1 +1 @@
--- metric mtwv, running sums (specs/term_detection/openkws13/mtwv.yaml)
+-- metric mtwv, running sums (specs/term_detection/shared/mtwv.yaml)

-- ## std2006.mtwv, like openkws13.mtwv except:
@@ -1 +1 @@
--- metric mtwv, scores (specs/term_detection/openkws13/mtwv.yaml)
+-- metric mtwv, scores (specs/term_detection/shared/mtwv.yaml)
@@ -37 +37,17 @@
-    LEFT JOIN "mtwv_sums" AS running ON running.breakdown = sums.breakdown
+    JOIN "mtwv_sums" AS running ON running.breakdown = sums.breakdown
+    UNION ALL
+    SELECT
+        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
+        {"gain": sums."gain", "loss": sums."loss" } AS total,
+        given."queries_with_targets",
+        given."queries_with_nontargets",
+        given."beta",
+        0 AS "gain",
+        0 AS "loss"
+    FROM sums
+    LEFT JOIN (
+        SELECT any_value("queries_with_targets") AS "queries_with_targets", any_value("queries_with_nontargets") AS "queries_with_nontargets", any_value("beta") AS "beta"
+        FROM "curve_totals" AS row_
+        HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
+    ) AS given
+        ON true

-- ## std2006.mtwv_marks, like openkws13.mtwv_marks except:
@@ -1 +1 @@
--- metric mtwv, sums of marked points (specs/term_detection/openkws13/mtwv.yaml)
+-- metric mtwv, sums of marked points (specs/term_detection/shared/mtwv.yaml)

-- ## std2006.upper_bound_twv_units
-- metric upper_bound_twv, statistics per unit (specs/term_detection/shared/upper_bound_twv.yaml)
-- Upper-bound term-weighted value (UBTWV, the optimum of KWSEval): the largest 1 − P_miss − β·P_fa if each
--   query has its own best threshold. It is at least mtwv, which has one threshold for all queries.
CREATE TABLE "upper_bound_twv_units" AS
WITH counted AS (
    SELECT "block",
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
    FROM "query_steps" AS counted_rows
    GROUP BY ALL
)
SELECT all_units."block",
    coalesce("gain", 0) AS "gain",
    coalesce("loss", 0) AS "loss"
FROM (
    FROM (SELECT DISTINCT "block" FROM "query_blocks")
) AS all_units
LEFT JOIN counted ON counted."block" IS NOT DISTINCT FROM all_units."block";

-- ## std2006.upper_bound_twv_scores
-- metric upper_bound_twv, sums per score (specs/term_detection/shared/upper_bound_twv.yaml)
CREATE VIEW "upper_bound_twv_scores" AS
SELECT
        0 AS breakdown,
        "block" AS "block",
        ranked_score(score) AS threshold,
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
FROM "query_steps" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- ## std2006.upper_bound_twv_sums, like openkws13.upper_bound_twv_sums except:
@@ -1 +1 @@
--- metric upper_bound_twv, running sums (specs/term_detection/openkws13/upper_bound_twv.yaml)
+-- metric upper_bound_twv, running sums (specs/term_detection/shared/upper_bound_twv.yaml)

-- ## std2006.upper_bound_twv_best, like openkws13.upper_bound_twv_best except:
@@ -2 +2 @@
---   (specs/term_detection/openkws13/upper_bound_twv.yaml)
+--   (specs/term_detection/shared/upper_bound_twv.yaml)
@@ -32 +32,18 @@
-    LEFT JOIN "upper_bound_twv_sums" AS running ON running.breakdown = sums.breakdown AND running."block" IS NOT DISTINCT FROM sums."block"
+    JOIN "upper_bound_twv_sums" AS running ON running.breakdown = sums.breakdown AND running."block" IS NOT DISTINCT FROM sums."block"
+    UNION ALL
+    SELECT sums."block",
+        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
+        {"gain": sums."gain", "loss": sums."loss" } AS total,
+        given."beta",
+        given."blocks",
+        given."queries_with_nontargets",
+        0 AS "gain",
+        0 AS "loss"
+    FROM sums
+    LEFT JOIN (
+        SELECT "block", any_value("beta") AS "beta", any_value("blocks") AS "blocks", any_value("queries_with_nontargets") AS "queries_with_nontargets"
+        FROM "query_blocks" AS row_
+        GROUP BY "block"
+        HAVING if(count(*) > 1, error(concat('relation query_blocks: `given` reads one row per block, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
+    ) AS given
+        ON given."block" IS NOT DISTINCT FROM sums."block"

-- ## std2006.upper_bound_twv, like openkws13.upper_bound_twv except:
@@ -1 +1 @@
--- metric upper_bound_twv, scores (specs/term_detection/openkws13/upper_bound_twv.yaml)
+-- metric upper_bound_twv, scores (specs/term_detection/shared/upper_bound_twv.yaml)

-- ## std2006.metric_mtwv_points_of_its_curve, like openkws13.metric_mtwv_points_of_its_curve except:
@@ -1 +1 @@
--- metric mtwv, points of its curve (specs/term_detection/openkws13/mtwv.yaml)
+-- metric mtwv, points of its curve (specs/term_detection/shared/mtwv.yaml)
@@ -32 +32,17 @@
-        LEFT JOIN "mtwv_sums" AS running ON running.breakdown = sums.breakdown
+        JOIN "mtwv_sums" AS running ON running.breakdown = sums.breakdown
+        UNION ALL
+        SELECT
+            sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
+            {"gain": sums."gain", "loss": sums."loss" } AS total,
+            given."queries_with_targets",
+            given."queries_with_nontargets",
+            given."beta",
+            0 AS "gain",
+            0 AS "loss"
+        FROM sums
+        LEFT JOIN (
+            SELECT any_value("queries_with_targets") AS "queries_with_targets", any_value("queries_with_nontargets") AS "queries_with_nontargets", any_value("beta") AS "beta"
+            FROM "curve_totals" AS row_
+            HAVING if(count(*) > 1, error(concat('relation curve_totals: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
+        ) AS given
+            ON true

-- ## sws2012.Suite_sws2012
-- Suite sws2012: Spoken web search of MediaEval 2012: a miss and a false alarm cost 1 each, and the prior is
--   the number of occurrences divided by the number of trials of one query (Eq 17 of Rodriguez-Fuentes and
--   Penagarikano 2013). β (Eq 18) therefore depends on the queries and the audio.
-- To run it in DuckDB, first fill the tables of the inputs: queries, audio, detections, references (not read:
--   occurrences, speech); also the tables …_rows_…, which Python functions make
-- Order: each of the 70 steps reads inputs and steps above it. Metrics: query_counts → atwv, p_miss, p_fa,
--   supremum_twv, cost; scored_detections + scored_queries → mtwv; block_counts → counts; query_blocks +
--   query_steps → upper_bound_twv; bayes_detections + scored_queries → bayes_twv; operating_point → prior;
--   trial_costs → cnxe; trial_scores → min_cnxe; other metrics → calibration_loss

-- ## sws2012.operating_point, like openkws13.operating_point except:
@@ -15 +15 @@
-    SELECT *, 0.0001e0::DOUBLE AS p_target
+    SELECT *, targets / trials::DOUBLE AS p_target
@@ -22,2 +22,2 @@
-    SELECT queries, targets, trials, p_target, 10.0e0 AS c_miss, 1.0e0 AS c_fa,
-        (1.0e0 / 10.0e0) * (1 / p_target - 1) AS beta, targets / (queries * trials) AS p_target_empirical
+    SELECT queries, targets, trials, p_target, 1.0e0 AS c_miss, 1.0e0 AS c_fa,
+        (1.0e0 / 1.0e0) * (1 / p_target - 1) AS beta, targets / (queries * trials) AS p_target_empirical

-- ## sws2013.Suite_sws2013
-- Suite sws2013: Spoken web search of MediaEval 2013: a miss costs 100, a false alarm costs 1, and the prior
--   is 0.00015 (β = 66.66, Eq 21 of Rodriguez-Fuentes and Penagarikano 2013).
-- To run it in DuckDB, first fill the tables of the inputs: queries, audio, detections, references (not read:
--   occurrences, speech); also the tables …_rows_…, which Python functions make
-- Order: each of the 70 steps reads inputs and steps above it. Metrics: query_counts → atwv, p_miss, p_fa,
--   supremum_twv, cost; scored_detections + scored_queries → mtwv; block_counts → counts; query_blocks +
--   query_steps → upper_bound_twv; bayes_detections + scored_queries → bayes_twv; operating_point → prior;
--   trial_costs → cnxe; trial_scores → min_cnxe; other metrics → calibration_loss

-- ## sws2013.operating_point, like openkws13.operating_point except:
@@ -15 +15 @@
-    SELECT *, 0.0001e0::DOUBLE AS p_target
+    SELECT *, 0.00015e0::DOUBLE AS p_target
@@ -22,2 +22,2 @@
-    SELECT queries, targets, trials, p_target, 10.0e0 AS c_miss, 1.0e0 AS c_fa,
-        (1.0e0 / 10.0e0) * (1 / p_target - 1) AS beta, targets / (queries * trials) AS p_target_empirical
+    SELECT queries, targets, trials, p_target, 100.0e0 AS c_miss, 1.0e0 AS c_fa,
+        (1.0e0 / 100.0e0) * (1 / p_target - 1) AS beta, targets / (queries * trials) AS p_target_empirical

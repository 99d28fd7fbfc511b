-- ## steps of articubench
Suite_articubench, SQL_macros_that_the_steps_use, exact_sum, ratio, relative_score, spread, or_0, finite,
remark, slice_order, tokens, labels, submission, tasks, expected_rows, tongue_height_rmse,
tongue_height_errors, tongue_height_units, tongue_height, ema_rmse, ema_errors, ema_units, ema, cps_quantiles,
velocity_jerk_errors, velocity_jerk_units, velocity_jerk, acoustic_rmse, loudness_errors, loudness_units,
loudness, spectrogram_errors, spectrogram_units, spectrogram, semantic_rmse, semantic_distance_errors,
semantic_distance_units, semantic_distance, semantic_ranks, semantic_rank_errors, largest_rank_error,
semantic_rank_units, semantic_rank, articulatory, acoustic, semantic, total, token_errors, worst_trajectories,
the_scores

-- ## steps of articulation
Suite_articulation, articubench.SQL_macros_that_the_steps_use, articubench.exact_sum, articubench.ratio,
articubench.relative_score, articubench.spread, articubench.finite, articubench.remark,
articubench.slice_order, articubench.tokens, labels, articubench.submission, articubench.tasks, expected_rows,
tongue_height_rmse, tongue_height_errors, articubench.tongue_height_units, tongue_height, ema_rmse,
ema_errors, articubench.ema_units, ema, cps_quantiles, velocity_jerk_errors, articubench.velocity_jerk_units,
articubench.velocity_jerk, acoustic_rmse, loudness_errors, articubench.loudness_units, loudness,
spectrogram_errors, articubench.spectrogram_units, spectrogram, semantic_rmse, semantic_distance_errors,
articubench.semantic_distance_units, semantic_distance, semantic_ranks, semantic_rank_errors,
largest_rank_error, articubench.semantic_rank_units, articubench.semantic_rank, articubench.articulatory,
articubench.acoustic, articubench.semantic, total, articubench.token_errors, articubench.worst_trajectories,
articubench.the_scores

-- ## articubench.Suite_articubench
-- Suite articubench: Articulatory synthesis as the program articubench 0.3.5 scores it, for comparison with
--   published scores. The suite articulation has the same scores without the faults of the program.
-- To run it in DuckDB, first fill the tables of the inputs: tokens, labels, submission (not read: baseline);
--   also the tables …_rows_…, which Python functions make
-- Order: each of the 36 steps reads inputs and steps above it. Metrics: tongue_height_errors → tongue_height;
--   ema_errors → ema; velocity_jerk_errors → velocity_jerk; loudness_errors → loudness; spectrogram_errors →
--   spectrogram; semantic_distance_errors → semantic_distance; semantic_rank_errors → semantic_rank; other
--   metrics → articulatory, acoustic, semantic, total

-- ## articubench.SQL_macros_that_the_steps_use
-- SQL macros that the steps use

-- ## articubench.exact_sum
-- Sum of DOUBLEs that does not depend on the order of rows, because each value is first rounded to 18 decimals.
CREATE OR REPLACE MACRO exact_sum(x) AS (
    sum((x)::DECIMAL(38, 18))
);

-- ## articubench.ratio
-- Quotient a / b as a DOUBLE. It is NULL if b is 0; the score is then undefined.
CREATE OR REPLACE MACRO ratio(a, b) AS (
    (a)::DOUBLE / nullif((b)::DOUBLE, 0)
);

-- ## articubench.relative_score
-- Score relative to a baseline, 100 * (1 - error / baseline_error): 100 if there is no error, 0 if the error equals the error of the baseline. If the error of the baseline is 0, the score is NULL or, if `infinite` is true, the result of the division by 0 in IEEE arithmetic.
CREATE OR REPLACE MACRO relative_score(error, baseline_error, infinite) AS (
    100 * (1 - error / if(infinite OR baseline_error <> 0, baseline_error, NULL))
);

-- ## articubench.spread
-- Population standard deviation of n values, from their sum (total) and the sum of their squares. It is NULL if n is 0.
CREATE OR REPLACE MACRO spread(n, total, squares) AS (
    if(n > 0, sqrt(greatest(squares::DOUBLE / n - pow(total::DOUBLE / n, 2), 0)), NULL)
);

-- ## articubench.or_0
-- The number, or 0 if it is NULL or not a number.
CREATE OR REPLACE MACRO or_0(x) AS (
    if(x IS NULL OR isnan((x)::DOUBLE), 0e0, x)
);

-- ## articubench.finite
-- The value x, or NULL if x is infinite or not a number. The results table scores has only finite values.
CREATE OR REPLACE MACRO finite(x) AS (
    if(isfinite(x), x, NULL)
);

-- ## articubench.remark
-- Note in the results table scores on a component with the value x: the reason why x is undefined, or that x is infinite. If x is a finite number, it keeps only a note of the form "defined in 3 of 4 units".
CREATE OR REPLACE MACRO remark(x, note) AS (
    CASE
    WHEN x IS NULL THEN concat('undefined', ': ' || note)
    WHEN isnan(x) THEN 'undefined: not a number'
    WHEN isinf(x) THEN if(x > 0, 'infinite', 'minus infinite')
    WHEN note LIKE 'defined in%' THEN note
    END
);

-- ## articubench.slice_order
-- Key by which rows of scores are ordered: for each column of a slice its name and its value. Numbers are ordered as numbers, also those that a file has as text, and come before other texts. A column without a value comes last.
CREATE OR REPLACE MACRO slice_order(slice) AS (
    list_transform(list_zip(json_keys(slice), json_extract_string(slice, '$.*')), lambda pair: {
        'name': pair[1],
        'number': if(regexp_full_match(pair[2], '-?\d+(\.\d+)?([eE][-+]?\d+)?|-Infinity'),
            coalesce(try_cast(pair[2] AS DOUBLE), 'Infinity'), 'Infinity'),
        'text': pair[2]
    })
);

-- ## articubench.tokens
-- input tokens (specs/articulation/tables.yaml): One row per token. A token is a recording of a word that
--   is synthesised again. Any other column of the file can be named by --by.
CREATE TABLE IF NOT EXISTS "tokens" (line BIGINT, "token" VARCHAR, "label" VARCHAR, "target_semantic_vector" DOUBLE[], "target_log_mel" DOUBLE[][], "target_signal" DOUBLE[], "target_rate" DOUBLE, "target_loudness" DOUBLE[], "reference_tongue_height" DOUBLE[], "reference_ema_TT" DOUBLE[][], "reference_ema_TB" DOUBLE[][]);

-- ## articubench.labels
-- input labels (specs/articulation/articubench/tables.yaml): One row per word that can be spoken in a
--   token, with its semantic vector. If labels are equally near to a vector, the first row counts as nearest
--   (rank_ties). If a word has several rows, the first is used.
CREATE TABLE IF NOT EXISTS "labels" (line BIGINT, "label" VARCHAR, "vector" DOUBLE[]);

-- ## articubench.submission
-- input submission (specs/articulation/tables.yaml): One row per token and task, with the results of the
--   synthesis by a control model.
CREATE TABLE IF NOT EXISTS "submission" (line BIGINT, "submission" VARCHAR, "token" VARCHAR, "task" VARCHAR, "cps" DOUBLE[][], "tongue_height" DOUBLE[], "ema_TT" DOUBLE[][], "ema_TB" DOUBLE[][], "log_mel" DOUBLE[][], "signal" DOUBLE[], "rate" DOUBLE, "loudness" DOUBLE[], "semantic_vector" DOUBLE[]);

-- ## articubench.tasks
-- relation tasks (specs/articulation/shared/errors.yaml)
-- The tasks of each submission. A task that is not among `task_names` is a fault, unless `*` is among them.
--   The message names the allowed task that is most similar to it, if the similarity of Jaro and Winkler is
--   0.8 or more: copy-sinthesis and copy-synthesis have 0.97.
CREATE TABLE "tasks" AS
WITH allowed AS (SELECT unnest(['copy-synthesis', 'semantic-only', 'acoustic-only']::VARCHAR[]) AS name),
present AS (
    SELECT coalesce(submission, '') AS submission, task, min(line) AS line
    FROM "submission"
    GROUP BY ALL
),
unknown AS (
    SELECT task, max(similarity) AS similarity, max_by(name, (similarity, name)) AS name
    FROM (
        SELECT task, name, jaro_winkler_similarity(task, name) AS similarity
        FROM (SELECT DISTINCT task FROM present)
        LEFT JOIN allowed ON true
    )
    GROUP BY task
    HAVING count_if(name IN (task, '*')) = 0
)
SELECT submission, task, line,
    CASE WHEN unknown.task IS NOT NULL THEN concat('unknown task ', task, ' of submission ' || nullif(submission, ''), '; ',
        if(similarity >= 0.8, 'did you mean ' || name || '?', 'allowed: ' || array_to_string(['copy-synthesis', 'semantic-only', 'acoustic-only']::VARCHAR[], ', ')),
        ' (parameter task_names)')
    END AS fault
FROM present
LEFT JOIN unknown USING (task);

-- ## articubench.expected_rows
-- relation expected_rows (specs/articulation/shared/errors.yaml)
-- The rows that the inputs should have: each token in each task of each submission and, if it is given, in
--   the baseline. `verdict` is NULL if the input has the row; otherwise the parameter `unusable` decides it.
CREATE TABLE "expected_rows" AS
WITH every_task AS (
    SELECT submission, task
    FROM "tasks"
), present AS (
    SELECT coalesce(submission, '') AS submission, task, token, true AS there
    FROM "submission"
)
SELECT submission, task, token, label,
    if(there, NULL, 'left out') AS verdict
FROM every_task
CROSS JOIN "tokens"
LEFT JOIN present USING (submission, task, token);

-- ## articubench.tongue_height_rmse
-- relation tongue_height_rmse (specs/articulation/shared/errors.yaml)
-- One row per token, task and submission, with the RMSE between its tongue height and the measured one.
-- "tongue_height_rmse_rows" is what the Python function rmse (broadcast = true) makes of the rows of
--   SELECT submission, task, token, tongue_height, reference_tongue_height
--   FROM (
--       SELECT coalesce(submission, '') AS submission, task, token, tongue_height
--       FROM "submission"
--   )
--   JOIN "tokens" USING (token)
CREATE TABLE "tongue_height_rmse" AS
FROM "tongue_height_rmse_rows";

-- ## articubench.tongue_height_errors
-- relation tongue_height_errors (specs/articulation/shared/errors.yaml)
-- One row per token, task and submission, with the error of the tongue height and the error of the baseline
--   for the same token. The error is the RMSE between synthesised and measured tongue height.
CREATE TABLE "tongue_height_errors" AS
WITH measured AS (
    SELECT submission, task, token, rmse AS error, CASE
        WHEN reference_shape IS NULL THEN 'there is no ' || 'reference_tongue_height'
        WHEN shape IS NULL THEN 'there is no ' || 'tongue_height'
        WHEN NOT comparable AND shape <> reference_shape
            THEN concat('tongue_height', ' is ', shape, ' (' || fault || ')', ', ',
                'reference_tongue_height', ' is ', reference_shape, ' (' || reference_fault || ')')
        WHEN fault IS NOT NULL THEN concat('tongue_height', ': ', fault)
        WHEN reference_fault IS NOT NULL THEN concat('reference_tongue_height', ': ', reference_fault)
        ELSE concat('tongue_height', ': the error is too large to be squared')
    END AS left_out,
        CASE
        WHEN reference_shape IS NULL THEN 'no reference'
        WHEN shape IS NULL THEN 'unusable'
        WHEN NOT comparable THEN 'not comparable'
        WHEN rmse IS NULL THEN 'unusable'
        WHEN shape <> reference_shape THEN 'widened'
    END AS problem
    FROM "tongue_height_rmse"
    WHERE compared = 'tongue_height'
)
SELECT * EXCLUDE (own_problem), if(left_out IS NULL, own_problem, coalesce(own_problem, 'no row')) AS problem,
    CASE WHEN row_number() OVER (ORDER BY submission, task, token) = 1
        THEN 'there is no baseline: give the input baseline, or the parameter baseline_tongue_height'
    END AS refused
FROM (
    SELECT nullif(expected_.submission, '') AS submission,
        expected_.task, expected_.token, expected_.label, 'tongue_height' AS subscore,
        own_.error AS error,
        baseline_.error AS baseline_error,
        CASE
            WHEN own_.token IS NULL THEN 'there is no row'
            WHEN own_.error IS NULL THEN own_.left_out
        END AS left_out,
        own_.problem AS own_problem
    FROM "expected_rows" AS expected_
    LEFT JOIN measured AS own_
        ON expected_.submission = own_.submission AND expected_.task = own_.task AND expected_.token = own_.token
    LEFT JOIN measured AS baseline_ ON baseline_.task = 'baseline' AND expected_.token = baseline_.token
);

-- ## articubench.tongue_height_units
-- metric tongue_height, statistics per unit (specs/articulation/shared/tongue_height.yaml)
-- Tongue height score: 100 * (1 - mean error / mean error of the baseline). The error of a token is the RMSE
--   between the tongue height of the synthesis and the measured tongue height. 100 is perfect, and 0 is as
--   good as the baseline; there is no lower bound.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "tongue_height_units" AS
SELECT "submission", "task", "token",
    exact_sum(error) AS "error_sum",
    count(error) AS "errors",
    exact_sum(error * error) AS "squares",
    exact_sum(baseline_error) AS "baseline_sum",
    count(baseline_error) AS "baseline_errors"
FROM "tongue_height_errors" AS counted_rows
GROUP BY ALL;

-- ## articubench.tongue_height
-- metric tongue_height, scores (specs/articulation/shared/tongue_height.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "tongue_height" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_merge_patch('{}', json_object('submission', "submission", 'task', "task")) AS slice,
        0 AS breakdown,
        "submission" AS "submission",
        "task" AS "task",
        coalesce(sum("error_sum"), 0) AS "error_sum",
        coalesce(sum("errors"), 0) AS "errors",
        coalesce(sum("squares"), 0) AS "squares",
        coalesce(sum("baseline_sum"), 0) AS "baseline_sum",
        coalesce(sum("baseline_errors"), 0) AS "baseline_errors"
    FROM "tongue_height_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), true) AS "value",
    ratio(error_sum, errors) AS "mean_error",
    ratio(baseline_sum, baseline_errors) AS "baseline_error",
    spread(errors, error_sum, squares) AS "std_error",
    errors AS "tokens",
    nullif(concat_ws(', ', CASE WHEN sums."error_sum" = 0 THEN 'error_sum = 0' END, CASE WHEN sums."errors" = 0 THEN 'errors = 0' END, CASE WHEN sums."squares" = 0 THEN 'squares = 0' END, CASE WHEN sums."baseline_sum" = 0 THEN 'baseline_sum = 0' END, CASE WHEN sums."baseline_errors" = 0 THEN 'baseline_errors = 0' END), '') AS note
FROM sums;

-- ## articubench.ema_rmse
-- relation ema_rmse (specs/articulation/shared/errors.yaml)
-- One row per token, task, submission and EMA sensor, with the RMSE between the virtual sensor and the
--   measured sensor. The shorter sequence is first resampled to the length of the longer sequence.
-- "ema_rmse_rows" is what the Python function resample_to_longer, then rmse (broadcast = true) makes
--   of the rows of
--   SELECT submission, task, token, ema_TT, reference_ema_TT, ema_TB, reference_ema_TB
--   FROM (
--       SELECT coalesce(submission, '') AS submission, task, token, ema_TT, ema_TB
--       FROM "submission"
--   )
--   JOIN "tokens" USING (token)
CREATE TABLE "ema_rmse" AS
FROM "ema_rmse_rows";

-- ## articubench.ema_errors
-- relation ema_errors (specs/articulation/shared/errors.yaml)
-- The error of each token in ema, with the error of the baseline for the same token. With ema_form = program,
--   as in articubench, the error is the RMSE of sensor TT plus the RMSE of sensor TB, each over all frames
--   and axes together. Otherwise it is the mean of six RMSEs, one for each axis of each sensor.
CREATE TABLE "ema_errors" AS
WITH sensors AS (
    SELECT submission, task, token, compared,
        rmse AS error,
        CASE
        WHEN reference_shape IS NULL THEN 'there is no ' || 'reference_' || compared
        WHEN shape IS NULL THEN 'there is no ' || compared
        WHEN NOT comparable AND shape <> reference_shape
            THEN concat(compared, ' is ', shape, ' (' || fault || ')', ', ',
                'reference_' || compared, ' is ', reference_shape, ' (' || reference_fault || ')')
        WHEN fault IS NOT NULL THEN concat(compared, ': ', fault)
        WHEN reference_fault IS NOT NULL THEN concat('reference_' || compared, ': ', reference_fault)
        ELSE concat(compared, ': the error is too large to be squared')
    END AS left_out,
        CASE
        WHEN reference_shape IS NULL THEN 'no reference'
        WHEN shape IS NULL THEN 'unusable'
        WHEN NOT comparable THEN 'not comparable'
        WHEN rmse IS NULL THEN 'unusable'
        WHEN shape <> reference_shape THEN 'widened'
    END AS problem
    FROM (
        SELECT * REPLACE (
            comparable AND split_part(shape, ' ', 1) = split_part(reference_shape, ' ', 1) AS comparable,
            if(split_part(shape, ' ', 1) = split_part(reference_shape, ' ', 1), rmse, NULL) AS rmse,
            if(split_part(shape, ' ', 1) = split_part(reference_shape, ' ', 1), channel_rmse, NULL) AS channel_rmse)
        FROM "ema_rmse"
    )
), measured AS (
    SELECT submission, task, token, if(count(error) = 2, sum(error), NULL) AS error,
        arg_min(left_out, compared) FILTER (WHERE problem = first_problem) AS left_out, any_value(first_problem) AS problem
    -- If both sensors have a problem, the first in alphabetical order is reported: 'no reference', which is no error, then
    -- 'not comparable', which ends the run, then 'unusable'.
    FROM (SELECT *, min(problem) OVER (PARTITION BY submission, task, token) AS first_problem FROM sensors)
    GROUP BY ALL
)
SELECT * EXCLUDE (own_problem), if(left_out IS NULL, own_problem, coalesce(own_problem, 'no row')) AS problem,
    CASE WHEN row_number() OVER (ORDER BY submission, task, token) = 1
        THEN 'there is no baseline: give the input baseline, or the parameter baseline_ema'
    END AS refused
FROM (
    SELECT nullif(expected_.submission, '') AS submission,
        expected_.task, expected_.token, expected_.label, 'ema' AS subscore,
        own_.error AS error,
        baseline_.error AS baseline_error,
        CASE
            WHEN own_.token IS NULL THEN 'there is no row'
            WHEN own_.error IS NULL THEN own_.left_out
        END AS left_out,
        own_.problem AS own_problem
    FROM "expected_rows" AS expected_
    LEFT JOIN measured AS own_
        ON expected_.submission = own_.submission AND expected_.task = own_.task AND expected_.token = own_.token
    LEFT JOIN measured AS baseline_ ON baseline_.task = 'baseline' AND expected_.token = baseline_.token
);

-- ## articubench.ema_units
-- metric ema, statistics per unit (specs/articulation/shared/ema.yaml)
-- EMA (electromagnetic articulography) score: 100 * (1 - mean error / mean error of the baseline). The error
--   of a token is the RMSE of sensor TT (tongue tip) plus the RMSE of sensor TB (tongue body), between the
--   virtual sensor in the synthesis and the measured sensor. 100 is perfect, and 0 is as good as the
--   baseline; there is no lower bound. With ema_form=document, the score is the published formula 100 * (4 -
--   …): 400 is perfect, and 300 is as good as the baseline.
CREATE TABLE "ema_units" AS
SELECT "submission", "task", "token",
    exact_sum(error) AS "error_sum",
    count(error) AS "errors",
    exact_sum(error * error) AS "squares",
    exact_sum(baseline_error) AS "baseline_sum",
    count(baseline_error) AS "baseline_errors"
FROM "ema_errors" AS counted_rows
GROUP BY ALL;

-- ## articubench.ema, like articubench.tongue_height except:
@@ -1,6 +1,2 @@
--- metric tongue_height, scores (specs/articulation/shared/tongue_height.yaml)
--- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
---   slice, and the components computed from these sums. With then = mean, the components are first computed
---   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
---   a slice.
-CREATE TABLE "tongue_height" AS
+-- metric ema, scores (specs/articulation/shared/ema.yaml)
+CREATE TABLE "ema" AS
@@ -19 +15 @@
-    FROM "tongue_height_units"
+    FROM "ema_units"

-- ## articubench.cps_quantiles
-- relation cps_quantiles (specs/articulation/shared/errors.yaml)
-- The `quantile` (99.9 %) of the velocities and of the jerks of each synthesis. Velocities are the first
--   differences of its control parameters between frames, and jerks the third differences. The quantile is
--   over all frames and parameters together, with linear interpolation. A third difference needs four frames.
-- "cps_quantiles_rows" is what the Python function differences makes of the rows of
--   SELECT submission, task, token, cps AS sequence
--   FROM (
--       SELECT coalesce(submission, '') AS submission, task, token, cps
--       FROM "submission"
--   )
CREATE TABLE "cps_quantiles" AS
SELECT submission, task, token, shape, fault, len(third) > 0 AS enough_frames,
    list_aggregate(first, 'quantile_cont', 0.999e0) AS velocity,
    list_aggregate(third, 'quantile_cont', 0.999e0) AS jerk
FROM "cps_quantiles_rows";

-- ## articubench.velocity_jerk_errors
-- relation velocity_jerk_errors (specs/articulation/shared/errors.yaml)
-- The error of each token in velocity_jerk, with the error of the baseline for the same token. The error is
--   velocity + jerk. Both are quantiles x of cps_quantiles on the logarithmic scale ln(1 + x) / ln(1 +
--   `movement_constant`). With the constant 150, a quantile of 150 is 1, and a quantile of 11.3 is 0.5.
CREATE TABLE "velocity_jerk_errors" AS
WITH measured AS (
    SELECT submission, task, token, if(cps_.velocity > -1, ln(1 + cps_.velocity) / ln(1 + 150.0e0), NULL) AS velocity, if(cps_.jerk > -1, ln(1 + cps_.jerk) / ln(1 + 150.0e0), NULL) AS jerk,
        if(cps_.velocity > -1, ln(1 + cps_.velocity) / ln(1 + 150.0e0), NULL) + if(cps_.jerk > -1, ln(1 + cps_.jerk) / ln(1 + 150.0e0), NULL) AS error,
        CASE
            WHEN shape IS NULL THEN 'there are no cps'
            WHEN NOT enough_frames AND shape NOT LIKE '%?' THEN concat('cps are ', shape, ': there must be 4 frames or more')
            WHEN fault IS NOT NULL THEN 'cps: ' || fault
            WHEN enough_frames IS NULL THEN 'cps: the differences are too large'
            ELSE concat('the quantiles ', cps_.velocity, ' of velocity and ', cps_.jerk, ' of jerk have no logarithm')
        END AS left_out,
        CASE WHEN NOT enough_frames THEN 'not comparable' WHEN error IS NULL THEN 'unusable' END AS problem
    FROM "cps_quantiles" AS cps_
)
SELECT * EXCLUDE (own_problem), if(left_out IS NULL, own_problem, coalesce(own_problem, 'no row')) AS problem,
    CASE WHEN left_out IS NOT NULL AND problem = 'not comparable'
        THEN concat('token ', token, ', task ', task, ' of ' || submission, ': ', left_out)
    END AS refused
FROM (
    SELECT nullif(expected_.submission, '') AS submission,
        expected_.task, expected_.token, expected_.label, 'velocity_jerk' AS subscore,
        own_."velocity",
        own_."jerk",
        own_.error AS error,
        baseline_.error AS baseline_error,
        CASE
            WHEN own_.token IS NULL THEN 'there is no row'
            WHEN own_.error IS NULL THEN own_.left_out
        END AS left_out,
        own_.problem AS own_problem
    FROM "expected_rows" AS expected_
    LEFT JOIN measured AS own_
        ON expected_.submission = own_.submission AND expected_.task = own_.task AND expected_.token = own_.token
    LEFT JOIN measured AS baseline_ ON baseline_.task = 'baseline' AND expected_.token = baseline_.token
);

-- ## articubench.velocity_jerk_units
-- metric velocity_jerk, statistics per unit (specs/articulation/shared/velocity_jerk.yaml)
-- Velocity and jerk score of the control parameters: 100 * (1 - min(mean velocity, 1/2) - min(mean jerk,
--   1/2)). The velocity of a token is ln(1 + q) / ln(1 + movement_constant), where q is the 99.9 % quantile
--   of the first differences between frames. The jerk is computed in the same way from the third differences.
--   100 means no movement, and 0 is the worst score. With quantile_of=signed, the score can exceed 100. With
--   normalise=baseline, it is relative to the baseline and has no lower bound.
CREATE TABLE "velocity_jerk_units" AS
SELECT "submission", "task", "token",
    exact_sum(error) AS "error_sum",
    count(error) AS "errors",
    exact_sum(error * error) AS "squares",
    exact_sum(baseline_error) AS "baseline_sum",
    count(baseline_error) AS "baseline_errors",
    exact_sum(velocity) AS "velocity_sum",
    count(velocity) AS "velocities",
    exact_sum(jerk) AS "jerk_sum",
    count(jerk) AS "jerks"
FROM "velocity_jerk_errors" AS counted_rows
GROUP BY ALL;

-- ## articubench.velocity_jerk
-- metric velocity_jerk, scores (specs/articulation/shared/velocity_jerk.yaml)
CREATE TABLE "velocity_jerk" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_merge_patch('{}', json_object('submission', "submission", 'task', "task")) AS slice,
        0 AS breakdown,
        "submission" AS "submission",
        "task" AS "task",
        coalesce(sum("error_sum"), 0) AS "error_sum",
        coalesce(sum("errors"), 0) AS "errors",
        coalesce(sum("squares"), 0) AS "squares",
        coalesce(sum("baseline_sum"), 0) AS "baseline_sum",
        coalesce(sum("baseline_errors"), 0) AS "baseline_errors",
        coalesce(sum("velocity_sum"), 0) AS "velocity_sum",
        coalesce(sum("velocities"), 0) AS "velocities",
        coalesce(sum("jerk_sum"), 0) AS "jerk_sum",
        coalesce(sum("jerks"), 0) AS "jerks"
    FROM "velocity_jerk_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
     CASE WHEN velocities > 0 AND jerks > 0 THEN 100 * (1 - least(velocity_sum / velocities, 0.5e0) - least(jerk_sum / jerks, 0.5e0)) END AS "value",
    ratio(error_sum, errors) AS "mean_error",
    ratio(baseline_sum, baseline_errors) AS "baseline_error",
    spread(errors, error_sum, squares) AS "std_error",
    errors AS "tokens",
    ratio(velocity_sum, velocities) AS "velocity",
    ratio(jerk_sum, jerks) AS "jerk",
    nullif(concat_ws(', ', CASE WHEN sums."error_sum" = 0 THEN 'error_sum = 0' END, CASE WHEN sums."errors" = 0 THEN 'errors = 0' END, CASE WHEN sums."squares" = 0 THEN 'squares = 0' END, CASE WHEN sums."baseline_sum" = 0 THEN 'baseline_sum = 0' END, CASE WHEN sums."baseline_errors" = 0 THEN 'baseline_errors = 0' END, CASE WHEN sums."velocity_sum" = 0 THEN 'velocity_sum = 0' END, CASE WHEN sums."velocities" = 0 THEN 'velocities = 0' END, CASE WHEN sums."jerk_sum" = 0 THEN 'jerk_sum = 0' END, CASE WHEN sums."jerks" = 0 THEN 'jerks = 0' END), '') AS note
FROM sums;

-- ## articubench.acoustic_rmse
-- relation acoustic_rmse (specs/articulation/shared/errors.yaml)
-- One row per token, task, submission and acoustic sequence (log_mel, or mean_log_mel for loudness), with the
--   RMSE between synthesis and target. Spectrograms that the inputs lack are computed from signals, and
--   loudness from spectrograms.
-- "acoustic_rmse_rows" is what the Python function log_mel (mel_rate = 44100.0, mel_window = 1024,
--   mel_hop = 220, mel_bands = 60, mel_low = 10.0, mel_high = 12000.0, mel_dynamics = 80.0, mel_full_scale =
--   0.15, mel_floor = 1e-05), then channel_means, then rmse (broadcast = true) makes of the rows of
--   SELECT submission, task, token,
--       log_mel, signal, rate, loudness AS mean_log_mel,
--       target_log_mel AS reference_log_mel, target_signal AS reference_signal, target_rate AS reference_rate,
--       target_loudness AS reference_mean_log_mel
--   FROM (
--       SELECT coalesce(submission, '') AS submission, task, token, log_mel, signal, rate, loudness
--       FROM "submission"
--   )
--   JOIN "tokens" USING (token)
CREATE TABLE "acoustic_rmse" AS
FROM "acoustic_rmse_rows";

-- ## articubench.loudness_errors
-- relation loudness_errors (specs/articulation/shared/errors.yaml)
-- One row per token, task and submission, with the error of the loudness and the error of the baseline for
--   the same token. The error is the RMSE between the loudness of synthesis and target. Loudness is the mean
--   of the log-mel spectrum of each frame.
CREATE TABLE "loudness_errors" AS
WITH measured AS (
    SELECT submission, task, token, rmse AS error, CASE
        WHEN reference_shape IS NULL THEN 'there is no ' || 'target_loudness'
        WHEN shape IS NULL THEN 'there is no ' || 'loudness'
        WHEN NOT comparable AND shape <> reference_shape
            THEN concat('loudness', ' is ', shape, ' (' || fault || ')', ', ',
                'target_loudness', ' is ', reference_shape, ' (' || reference_fault || ')')
        WHEN fault IS NOT NULL THEN concat('loudness', ': ', fault)
        WHEN reference_fault IS NOT NULL THEN concat('target_loudness', ': ', reference_fault)
        ELSE concat('loudness', ': the error is too large to be squared')
    END AS left_out,
        CASE
        WHEN reference_shape IS NULL THEN 'no reference'
        WHEN shape IS NULL THEN 'unusable'
        WHEN NOT comparable THEN 'not comparable'
        WHEN rmse IS NULL THEN 'unusable'
        WHEN shape <> reference_shape THEN 'widened'
    END AS problem
    FROM "acoustic_rmse"
    WHERE compared = 'mean_log_mel'
)
SELECT * EXCLUDE (own_problem), if(left_out IS NULL, own_problem, coalesce(own_problem, 'no row')) AS problem,
    CASE WHEN row_number() OVER (ORDER BY submission, task, token) = 1
        THEN 'there is no baseline: give the input baseline, or the parameter baseline_loudness'
    END AS refused
FROM (
    SELECT nullif(expected_.submission, '') AS submission,
        expected_.task, expected_.token, expected_.label, 'loudness' AS subscore,
        own_.error AS error,
        baseline_.error AS baseline_error,
        CASE
            WHEN own_.token IS NULL THEN 'there is no row'
            WHEN own_.error IS NULL THEN own_.left_out
        END AS left_out,
        own_.problem AS own_problem
    FROM "expected_rows" AS expected_
    LEFT JOIN measured AS own_
        ON expected_.submission = own_.submission AND expected_.task = own_.task AND expected_.token = own_.token
    LEFT JOIN measured AS baseline_ ON baseline_.task = 'baseline' AND expected_.token = baseline_.token
);

-- ## articubench.loudness_units
-- metric loudness, statistics per unit (specs/articulation/shared/loudness.yaml)
-- Loudness score: 100 * (1 - mean error / mean error of the baseline). The error of a token is the RMSE
--   between the loudness of the synthesis and the loudness of the target; the loudness of a frame is the mean
--   of its log-mel spectrum. 100 is perfect, and 0 is as good as the baseline; there is no lower bound.
CREATE TABLE "loudness_units" AS
SELECT "submission", "task", "token",
    exact_sum(error) AS "error_sum",
    count(error) AS "errors",
    exact_sum(error * error) AS "squares",
    exact_sum(baseline_error) AS "baseline_sum",
    count(baseline_error) AS "baseline_errors"
FROM "loudness_errors" AS counted_rows
GROUP BY ALL;

-- ## articubench.loudness, like articubench.ema except:
@@ -1,2 +1,2 @@
--- metric ema, scores (specs/articulation/shared/ema.yaml)
-CREATE TABLE "ema" AS
+-- metric loudness, scores (specs/articulation/shared/loudness.yaml)
+CREATE TABLE "loudness" AS
@@ -15 +15 @@
-    FROM "ema_units"
+    FROM "loudness_units"

-- ## articubench.spectrogram_errors
-- relation spectrogram_errors (specs/articulation/shared/errors.yaml)
-- One row per token, task and submission, with the error of the spectrogram and the error of the baseline for
--   the same token. The error is the RMSE between the log-mel spectrograms of synthesis and target.
CREATE TABLE "spectrogram_errors" AS
WITH measured AS (
    SELECT submission, task, token, rmse AS error, CASE
        WHEN reference_shape IS NULL THEN 'there is no ' || 'target_log_mel'
        WHEN shape IS NULL THEN 'there is no ' || 'log_mel'
        WHEN NOT comparable AND shape <> reference_shape
            THEN concat('log_mel', ' is ', shape, ' (' || fault || ')', ', ',
                'target_log_mel', ' is ', reference_shape, ' (' || reference_fault || ')')
        WHEN fault IS NOT NULL THEN concat('log_mel', ': ', fault)
        WHEN reference_fault IS NOT NULL THEN concat('target_log_mel', ': ', reference_fault)
        ELSE concat('log_mel', ': the error is too large to be squared')
    END AS left_out,
        CASE
        WHEN reference_shape IS NULL THEN 'no reference'
        WHEN shape IS NULL THEN 'unusable'
        WHEN NOT comparable THEN 'not comparable'
        WHEN rmse IS NULL THEN 'unusable'
        WHEN shape <> reference_shape THEN 'widened'
    END AS problem
    FROM "acoustic_rmse"
    WHERE compared = 'log_mel'
)
SELECT * EXCLUDE (own_problem), if(left_out IS NULL, own_problem, coalesce(own_problem, 'no row')) AS problem,
    CASE WHEN row_number() OVER (ORDER BY submission, task, token) = 1
        THEN 'there is no baseline: give the input baseline, or the parameter baseline_spectrogram'
    END AS refused
FROM (
    SELECT nullif(expected_.submission, '') AS submission,
        expected_.task, expected_.token, expected_.label, 'spectrogram' AS subscore,
        own_.error AS error,
        baseline_.error AS baseline_error,
        CASE
            WHEN own_.token IS NULL THEN 'there is no row'
            WHEN own_.error IS NULL THEN own_.left_out
        END AS left_out,
        own_.problem AS own_problem
    FROM "expected_rows" AS expected_
    LEFT JOIN measured AS own_
        ON expected_.submission = own_.submission AND expected_.task = own_.task AND expected_.token = own_.token
    LEFT JOIN measured AS baseline_ ON baseline_.task = 'baseline' AND expected_.token = baseline_.token
);

-- ## articubench.spectrogram_units
-- metric spectrogram, statistics per unit (specs/articulation/shared/spectrogram.yaml)
-- Spectrogram score: 100 * (1 - mean error / mean error of the baseline). The error of a token is the RMSE
--   between the log-mel spectrograms of the synthesis and of the target, over all frames and bands together.
--   100 is perfect, and 0 is as good as the baseline; there is no lower bound.
CREATE TABLE "spectrogram_units" AS
SELECT "submission", "task", "token",
    exact_sum(error) AS "error_sum",
    count(error) AS "errors",
    exact_sum(error * error) AS "squares",
    exact_sum(baseline_error) AS "baseline_sum",
    count(baseline_error) AS "baseline_errors"
FROM "spectrogram_errors" AS counted_rows
GROUP BY ALL;

-- ## articubench.spectrogram, like articubench.ema except:
@@ -1,2 +1,2 @@
--- metric ema, scores (specs/articulation/shared/ema.yaml)
-CREATE TABLE "ema" AS
+-- metric spectrogram, scores (specs/articulation/shared/spectrogram.yaml)
+CREATE TABLE "spectrogram" AS
@@ -15 +15 @@
-    FROM "ema_units"
+    FROM "spectrogram_units"

-- ## articubench.semantic_rmse
-- relation semantic_rmse (specs/articulation/shared/errors.yaml)
-- One row per token, task and submission, with the RMSE between its semantic vector and the target vector.
-- "semantic_rmse_rows" is what the Python function rmse (broadcast = true) makes of the rows of
--   SELECT submission, task, token, semantic_vector, target_semantic_vector AS reference_semantic_vector
--   FROM (
--       SELECT coalesce(submission, '') AS submission, task, token, semantic_vector
--       FROM "submission"
--   )
--   JOIN "tokens" USING (token)
CREATE TABLE "semantic_rmse" AS
FROM "semantic_rmse_rows";

-- ## articubench.semantic_distance_errors
-- relation semantic_distance_errors (specs/articulation/shared/errors.yaml)
-- One row per token, task and submission, with the error of the semantic vector and the error of the baseline
--   for the same token. The error is the RMSE between the recognised vector and the target vector, that is,
--   their Euclidean distance / √dimensions.
CREATE TABLE "semantic_distance_errors" AS
WITH measured AS (
    SELECT submission, task, token, rmse AS error, CASE
        WHEN reference_shape IS NULL THEN 'there is no ' || 'target_semantic_vector'
        WHEN shape IS NULL THEN 'there is no ' || 'semantic_vector'
        WHEN NOT comparable AND shape <> reference_shape
            THEN concat('semantic_vector', ' is ', shape, ' (' || fault || ')', ', ',
                'target_semantic_vector', ' is ', reference_shape, ' (' || reference_fault || ')')
        WHEN fault IS NOT NULL THEN concat('semantic_vector', ': ', fault)
        WHEN reference_fault IS NOT NULL THEN concat('target_semantic_vector', ': ', reference_fault)
        ELSE concat('semantic_vector', ': the error is too large to be squared')
    END AS left_out,
        CASE
        WHEN reference_shape IS NULL THEN 'no reference'
        WHEN shape IS NULL THEN 'unusable'
        WHEN NOT comparable THEN 'not comparable'
        WHEN rmse IS NULL THEN 'unusable'
        WHEN shape <> reference_shape THEN 'widened'
    END AS problem
    FROM "semantic_rmse"
    WHERE compared = 'semantic_vector'
)
SELECT * EXCLUDE (own_problem), if(left_out IS NULL, own_problem, coalesce(own_problem, 'no row')) AS problem,
    CASE WHEN row_number() OVER (ORDER BY submission, task, token) = 1
        THEN 'there is no baseline: give the input baseline, or the parameter baseline_semantic_distance'
    END AS refused
FROM (
    SELECT nullif(expected_.submission, '') AS submission,
        expected_.task, expected_.token, expected_.label, 'semantic_distance' AS subscore,
        own_.error AS error,
        baseline_.error AS baseline_error,
        CASE
            WHEN own_.token IS NULL THEN 'there is no row'
            WHEN own_.error IS NULL THEN own_.left_out
        END AS left_out,
        own_.problem AS own_problem
    FROM "expected_rows" AS expected_
    LEFT JOIN measured AS own_
        ON expected_.submission = own_.submission AND expected_.task = own_.task AND expected_.token = own_.token
    LEFT JOIN measured AS baseline_ ON baseline_.task = 'baseline' AND expected_.token = baseline_.token
);

-- ## articubench.semantic_distance_units
-- metric semantic_distance, statistics per unit (specs/articulation/shared/semantic_distance.yaml)
-- Semantic distance score: 100 * (1 - mean error / mean error of the baseline). The error of a token is the
--   RMSE between the semantic vector of the synthesis and the target vector, that is, their Euclidean
--   distance divided by the square root of the number of dimensions. 100 is perfect, and 0 is as good as the
--   baseline; there is no lower bound.
CREATE TABLE "semantic_distance_units" AS
SELECT "submission", "task", "token",
    exact_sum(error) AS "error_sum",
    count(error) AS "errors",
    exact_sum(error * error) AS "squares",
    exact_sum(baseline_error) AS "baseline_sum",
    count(baseline_error) AS "baseline_errors"
FROM "semantic_distance_errors" AS counted_rows
GROUP BY ALL;

-- ## articubench.semantic_distance, like articubench.ema except:
@@ -1,2 +1,2 @@
--- metric ema, scores (specs/articulation/shared/ema.yaml)
-CREATE TABLE "ema" AS
+-- metric semantic_distance, scores (specs/articulation/shared/semantic_distance.yaml)
+CREATE TABLE "semantic_distance" AS
@@ -15 +15 @@
-    FROM "ema_units"
+    FROM "semantic_distance_units"

-- ## articubench.semantic_ranks
-- relation semantic_ranks (specs/articulation/shared/errors.yaml)
-- The semantic rank of each synthesis: 1 + the number of labels whose vector is nearer to the recognised
--   vector than the vector of the token's own label, by Euclidean distance. Rank 1 is best. With rank_ties =
--   strict, labels that are equally near do not count as nearer. With table_order, as in articubench, equally
--   near labels count as nearer if they come before the own label in the table.
CREATE TABLE "semantic_ranks" AS
WITH vectors AS (
    SELECT submission, task, token, label, semantic_vector, shape, fault
    FROM (
        SELECT coalesce(submission, '') AS submission, task, token, semantic_vector
        FROM "submission"
    )
    JOIN "tokens" USING (token)
    JOIN "semantic_rmse" USING (submission, task, token)
), points AS (
    SELECT label, vector, row_number() OVER (ORDER BY line) AS place, len(vector) AS dimensions,
        count(*) OVER (PARTITION BY label) > 1 AS repeated
    FROM "labels"
), own AS (
    SELECT vectors.*, place, dimensions, repeated,
        if(fault IS NULL AND len(semantic_vector) = dimensions, list_distance(semantic_vector, vector), NULL) AS distance
    FROM vectors
    JOIN points USING (label)
    QUALIFY row_number() OVER (PARTITION BY submission, task, token ORDER BY place) = 1
), nearer AS (
    SELECT submission, task, token, count(*) AS labels
    FROM own
    JOIN (SELECT vector, place AS other_place FROM points) ON distance IS NOT NULL
    WHERE list_distance(semantic_vector, vector) < distance
        OR list_distance(semantic_vector, vector) = distance AND other_place < place
    GROUP BY ALL
)
SELECT submission, task, token, shape, fault, dimensions, repeated,
    if(distance IS NULL, NULL, 1 + coalesce(nearer.labels, 0)) AS rank
FROM own
LEFT JOIN nearer USING (submission, task, token);

-- ## articubench.semantic_rank_errors
-- relation semantic_rank_errors (specs/articulation/shared/errors.yaml)
-- The error of each token in semantic_rank, with the error of the baseline for the same token. The error is
--   the rank − 1, the number of labels that are nearer than the label of the token.
CREATE TABLE "semantic_rank_errors" AS
WITH measured AS (
    SELECT submission, task, token, rank - 1 AS error,
        CASE
            WHEN shape IS NULL THEN 'there is no semantic_vector'
            WHEN fault IS NOT NULL THEN 'semantic_vector: ' || fault
            ELSE concat('semantic_vector is ', shape, ', the vectors of the labels are ', dimensions)
        END AS left_out,
        CASE WHEN shape IS NULL THEN 'unusable' WHEN rank IS NULL THEN 'not comparable' END AS problem
    FROM "semantic_ranks"
)
SELECT * EXCLUDE (own_problem), if(left_out IS NULL, own_problem, coalesce(own_problem, 'no row')) AS problem,
    CASE WHEN left_out IS NOT NULL AND problem = 'not comparable'
        THEN concat('token ', token, ', task ', task, ' of ' || submission, ': ', left_out)
    END AS refused
FROM (
    SELECT nullif(expected_.submission, '') AS submission,
        expected_.task, expected_.token, expected_.label, 'semantic_rank' AS subscore,
        own_.error AS error,
        baseline_.error AS baseline_error,
        CASE
            WHEN own_.token IS NULL THEN 'there is no row'
            WHEN own_.error IS NULL THEN own_.left_out
        END AS left_out,
        own_.problem AS own_problem
    FROM "expected_rows" AS expected_
    LEFT JOIN measured AS own_
        ON expected_.submission = own_.submission AND expected_.task = own_.task AND expected_.token = own_.token
    LEFT JOIN measured AS baseline_ ON baseline_.task = 'baseline' AND expected_.token = baseline_.token
);

-- ## articubench.largest_rank_error
-- relation largest_rank_error (specs/articulation/shared/errors.yaml)
-- The largest possible rank error, at which the score semantic_rank is 0: the number of labels − 1, or the
--   parameter `rank_span` (4311 in articubench).
CREATE TABLE "largest_rank_error" AS
SELECT 4311::BIGINT AS span;

-- ## articubench.semantic_rank_units
-- metric semantic_rank, statistics per unit (specs/articulation/shared/semantic_rank.yaml)
-- Semantic rank score: 100 * (1 - mean error / largest rank error). The error of a token is its rank minus 1,
--   that is, the number of labels whose vectors are nearer to the semantic vector of the synthesis than the
--   vector of the token's own label. 100 means that the own label is always the nearest, 0 that it is always
--   the farthest. The largest rank error is the number of labels minus 1 or, if given, rank_span; with a
--   smaller rank_span the score can be negative. With normalise=baseline, the score is relative to the
--   baseline and has no lower bound.
CREATE TABLE "semantic_rank_units" AS
SELECT "submission", "task", "token",
    exact_sum(error) AS "error_sum",
    count(error) AS "errors",
    exact_sum(error * error) AS "squares",
    exact_sum(baseline_error) AS "baseline_sum",
    count(baseline_error) AS "baseline_errors"
FROM "semantic_rank_errors" AS counted_rows
GROUP BY ALL;

-- ## articubench.semantic_rank
-- metric semantic_rank, scores (specs/articulation/shared/semantic_rank.yaml)
CREATE TABLE "semantic_rank" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_merge_patch('{}', json_object('submission', "submission", 'task', "task")) AS slice,
        0 AS breakdown,
        "submission" AS "submission",
        "task" AS "task",
        coalesce(sum("error_sum"), 0) AS "error_sum",
        coalesce(sum("errors"), 0) AS "errors",
        coalesce(sum("squares"), 0) AS "squares",
        coalesce(sum("baseline_sum"), 0) AS "baseline_sum",
        coalesce(sum("baseline_errors"), 0) AS "baseline_errors"
    FROM "semantic_rank_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
     100 * (1 - ratio(ratio(error_sum, errors), span)) AS "value",
    ratio(error_sum, errors) AS "mean_error",
    ratio(baseline_sum, baseline_errors) AS "baseline_error",
    spread(errors, error_sum, squares) AS "std_error",
    errors AS "tokens",
    nullif(concat_ws(', ', CASE WHEN sums."error_sum" = 0 THEN 'error_sum = 0' END, CASE WHEN sums."errors" = 0 THEN 'errors = 0' END, CASE WHEN sums."squares" = 0 THEN 'squares = 0' END, CASE WHEN sums."baseline_sum" = 0 THEN 'baseline_sum = 0' END, CASE WHEN sums."baseline_errors" = 0 THEN 'baseline_errors = 0' END), '') AS note
FROM sums
LEFT JOIN (
    SELECT any_value("span") AS "span"
    FROM "largest_rank_error" AS row_
    HAVING if(count(*) > 1, error(concat('relation largest_rank_error: `given` reads a single row, and it has several: ', array_to_string(list_sort(list(row_::VARCHAR))[:10], ', '))), true)
) AS given
    ON true;

-- ## articubench.articulatory
-- metric articulatory, scores (specs/articulation/shared/articulatory.yaml)
-- Articulatory score: sum of tongue_height, ema and velocity_jerk. It is undefined if one of them is
--   undefined. With the default parameters it is at most 300; there is no lower bound.
-- The scores of the metric: components computed from components of other metrics, which are joined by slice
--   and fold. A metric without slices has the same value in every slice of the first metric.
CREATE TABLE "articulatory" AS
SELECT tongue_height.scope, tongue_height.slice, tongue_height.breakdown,
    tongue_height.value + ema.value + velocity_jerk.value AS "value",
    nullif(concat_ws('; ', tongue_height.note, ema.note, velocity_jerk.note), '') AS note
FROM "tongue_height" AS tongue_height
LEFT JOIN "ema" AS ema
    ON ema.slice = tongue_height.slice
LEFT JOIN "velocity_jerk" AS velocity_jerk
    ON velocity_jerk.slice = tongue_height.slice;

-- ## articubench.acoustic
-- metric acoustic, scores (specs/articulation/shared/acoustic.yaml)
-- Acoustic score: sum of loudness and spectrogram. It is undefined if one of them is undefined. 200 is
--   perfect, and 0 is as good as the baseline; there is no lower bound.
CREATE TABLE "acoustic" AS
SELECT loudness.scope, loudness.slice, loudness.breakdown,
    loudness.value + spectrogram.value AS "value",
    nullif(concat_ws('; ', loudness.note, spectrogram.note), '') AS note
FROM "loudness" AS loudness
LEFT JOIN "spectrogram" AS spectrogram
    ON spectrogram.slice = loudness.slice;

-- ## articubench.semantic
-- metric semantic, scores (specs/articulation/shared/semantic.yaml)
-- Semantic score: sum of semantic_distance and semantic_rank. It is undefined if one of them is undefined.
--   200 is perfect; there is no lower bound.
CREATE TABLE "semantic" AS
SELECT semantic_distance.scope, semantic_distance.slice, semantic_distance.breakdown,
    semantic_distance.value + semantic_rank.value AS "value",
    nullif(concat_ws('; ', semantic_distance.note, semantic_rank.note), '') AS note
FROM "semantic_distance" AS semantic_distance
LEFT JOIN "semantic_rank" AS semantic_rank
    ON semantic_rank.slice = semantic_distance.slice;

-- ## articubench.total
-- metric total, scores (specs/articulation/articubench/total.yaml)
-- Total score: sum of the seven subscores, in which an undefined subscore counts as 0. There is no lower
--   bound, and no upper bound, because velocity_jerk can exceed 100 in this suite.
CREATE TABLE "total" AS
SELECT tongue_height.scope, tongue_height.slice, tongue_height.breakdown,
    or_0(tongue_height.value) + or_0(ema.value) + or_0(velocity_jerk.value) + or_0(loudness.value) + or_0(spectrogram.value) + or_0(semantic_distance.value) + or_0(semantic_rank.value) AS "value",
    nullif(concat_ws('; ', tongue_height.note, ema.note, velocity_jerk.note, loudness.note, spectrogram.note, semantic_distance.note, semantic_rank.note), '') AS note
FROM "tongue_height" AS tongue_height
LEFT JOIN "ema" AS ema
    ON ema.slice = tongue_height.slice
LEFT JOIN "velocity_jerk" AS velocity_jerk
    ON velocity_jerk.slice = tongue_height.slice
LEFT JOIN "loudness" AS loudness
    ON loudness.slice = tongue_height.slice
LEFT JOIN "spectrogram" AS spectrogram
    ON spectrogram.slice = tongue_height.slice
LEFT JOIN "semantic_distance" AS semantic_distance
    ON semantic_distance.slice = tongue_height.slice
LEFT JOIN "semantic_rank" AS semantic_rank
    ON semantic_rank.slice = tongue_height.slice;

-- ## articubench.token_errors
-- relation token_errors (specs/articulation/shared/evidence.yaml)
-- Evidence: the error of each token in each of the seven subscores, for each task and for the baseline, or
--   the reason why there is no error.
CREATE TABLE "token_errors" AS
SELECT submission, task, token, label, subscore, error, baseline_error, left_out FROM "tongue_height_errors"
UNION ALL
SELECT submission, task, token, label, subscore, error, baseline_error, left_out FROM "ema_errors"
UNION ALL
SELECT submission, task, token, label, subscore, error, baseline_error, left_out FROM "velocity_jerk_errors"
UNION ALL
SELECT submission, task, token, label, subscore, error, baseline_error, left_out FROM "loudness_errors"
UNION ALL
SELECT submission, task, token, label, subscore, error, baseline_error, left_out FROM "spectrogram_errors"
UNION ALL
SELECT submission, task, token, label, subscore, error, baseline_error, left_out FROM "semantic_distance_errors"
UNION ALL
SELECT submission, task, token, label, subscore, error, baseline_error, left_out FROM "semantic_rank_errors";

-- ## articubench.worst_trajectories
-- relation worst_trajectories (specs/articulation/shared/evidence.yaml)
-- Evidence: the frames of the trajectories with the largest errors, for pictures. Of each task, there are the
--   three tokens with the largest error relative to the baseline in each of the subscores tongue_height, ema
--   and loudness: a row for each frame of each axis of synthesis and target. Loudness that is not given is
--   the mean over the bands of the spectrogram.
CREATE TABLE "worst_trajectories" AS
WITH worst AS (
    SELECT coalesce(submission, '') AS submission, task, token, label, subscore, error / baseline_error AS ratio
    FROM "token_errors"
    WHERE error IS NOT NULL AND baseline_error > 0 AND task <> 'baseline' AND subscore IN ('tongue_height', 'ema', 'loudness')
    QUALIFY row_number() OVER (PARTITION BY submission, task, subscore ORDER BY ratio DESC, token) <= 3
), sequences AS (
    SELECT worst.*, unnest([
            {sequence: 'tongue height', of: 'tongue_height', line: 'synthesis', names: [''], frames: list_transform(own.tongue_height, lambda frame: [frame])},
            {sequence: 'tongue height', of: 'tongue_height', line: 'target', names: [''], frames: list_transform(gold.reference_tongue_height, lambda frame: [frame])},
            {sequence: 'TT', of: 'ema', line: 'synthesis', names: ['x', 'y', 'z'], frames: own.ema_TT},
            {sequence: 'TT', of: 'ema', line: 'target', names: ['x', 'y', 'z'], frames: gold.reference_ema_TT},
            {sequence: 'TB', of: 'ema', line: 'synthesis', names: ['x', 'y', 'z'], frames: own.ema_TB},
            {sequence: 'TB', of: 'ema', line: 'target', names: ['x', 'y', 'z'], frames: gold.reference_ema_TB},
            {sequence: 'loudness', of: 'loudness', line: 'synthesis', names: [''], frames: list_transform(coalesce(own.loudness, list_transform(own.log_mel, lambda bands: list_avg(bands))), lambda frame: [frame])},
            {sequence: 'loudness', of: 'loudness', line: 'target', names: [''], frames: list_transform(coalesce(gold.target_loudness, list_transform(gold.target_log_mel, lambda bands: list_avg(bands))), lambda frame: [frame])}
        ], recursive := true)
    FROM worst
    JOIN "submission" AS own ON coalesce(own.submission, '') = worst.submission AND own.task = worst.task AND own.token = worst.token
    JOIN "tokens" AS gold ON gold.token = worst.token
), numbered AS (
    SELECT * EXCLUDE (frames), unnest(frames) AS axes, generate_subscripts(frames, 1) AS frame, len(frames) AS length
    FROM sequences
    WHERE of = subscore
)
SELECT nullif(submission, '') AS submission, task, token, label, subscore, ratio, line, frame, frame / length AS position,
    trim(sequence || ' ' || names[place]) AS axis, axes[place] AS value
FROM numbered, (SELECT unnest(range(1, 4)) AS place)
WHERE isfinite(axes[place]) AND place <= len(names);

-- ## articubench.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'tongue_height' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'mean_error', 'value': "mean_error"::DOUBLE},
                {'place': 2, 'component': 'baseline_error', 'value': "baseline_error"::DOUBLE},
                {'place': 3, 'component': 'std_error', 'value': "std_error"::DOUBLE},
                {'place': 4, 'component': 'tokens', 'value': "tokens"::DOUBLE}
            ], recursive := true)
        FROM "tongue_height"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'ema' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'mean_error', 'value': "mean_error"::DOUBLE},
                {'place': 2, 'component': 'baseline_error', 'value': "baseline_error"::DOUBLE},
                {'place': 3, 'component': 'std_error', 'value': "std_error"::DOUBLE},
                {'place': 4, 'component': 'tokens', 'value': "tokens"::DOUBLE}
            ], recursive := true)
        FROM "ema"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'velocity_jerk' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'mean_error', 'value': "mean_error"::DOUBLE},
                {'place': 2, 'component': 'baseline_error', 'value': "baseline_error"::DOUBLE},
                {'place': 3, 'component': 'std_error', 'value': "std_error"::DOUBLE},
                {'place': 4, 'component': 'tokens', 'value': "tokens"::DOUBLE},
                {'place': 5, 'component': 'velocity', 'value': "velocity"::DOUBLE},
                {'place': 6, 'component': 'jerk', 'value': "jerk"::DOUBLE}
            ], recursive := true)
        FROM "velocity_jerk"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'loudness' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'mean_error', 'value': "mean_error"::DOUBLE},
                {'place': 2, 'component': 'baseline_error', 'value': "baseline_error"::DOUBLE},
                {'place': 3, 'component': 'std_error', 'value': "std_error"::DOUBLE},
                {'place': 4, 'component': 'tokens', 'value': "tokens"::DOUBLE}
            ], recursive := true)
        FROM "loudness"
        UNION ALL
        SELECT 4 AS position, 0 AS variant, 'spectrogram' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'mean_error', 'value': "mean_error"::DOUBLE},
                {'place': 2, 'component': 'baseline_error', 'value': "baseline_error"::DOUBLE},
                {'place': 3, 'component': 'std_error', 'value': "std_error"::DOUBLE},
                {'place': 4, 'component': 'tokens', 'value': "tokens"::DOUBLE}
            ], recursive := true)
        FROM "spectrogram"
        UNION ALL
        SELECT 5 AS position, 0 AS variant, 'semantic_distance' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'mean_error', 'value': "mean_error"::DOUBLE},
                {'place': 2, 'component': 'baseline_error', 'value': "baseline_error"::DOUBLE},
                {'place': 3, 'component': 'std_error', 'value': "std_error"::DOUBLE},
                {'place': 4, 'component': 'tokens', 'value': "tokens"::DOUBLE}
            ], recursive := true)
        FROM "semantic_distance"
        UNION ALL
        SELECT 6 AS position, 0 AS variant, 'semantic_rank' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'mean_error', 'value': "mean_error"::DOUBLE},
                {'place': 2, 'component': 'baseline_error', 'value': "baseline_error"::DOUBLE},
                {'place': 3, 'component': 'std_error', 'value': "std_error"::DOUBLE},
                {'place': 4, 'component': 'tokens', 'value': "tokens"::DOUBLE}
            ], recursive := true)
        FROM "semantic_rank"
        UNION ALL
        SELECT 7 AS position, 0 AS variant, 'articulatory' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "articulatory"
        UNION ALL
        SELECT 8 AS position, 0 AS variant, 'acoustic' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "acoustic"
        UNION ALL
        SELECT 9 AS position, 0 AS variant, 'semantic' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "semantic"
        UNION ALL
        SELECT 10 AS position, 0 AS variant, 'total' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "total"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## articulation.Suite_articulation
-- Suite articulation: Articulatory synthesis with the scores of articubench, but without the faults of that
--   program: submission and baseline are compared on the same tokens, a row that cannot be scored ends the
--   run, and a sum of scores is undefined if one of them is.
-- To run it in DuckDB, first fill the tables of the inputs: tokens, labels, submission (not read: baseline);
--   also the tables …_rows_…, which Python functions make
-- Order: each of the 36 steps reads inputs and steps above it. Metrics: tongue_height_errors → tongue_height;
--   ema_errors → ema; velocity_jerk_errors → velocity_jerk; loudness_errors → loudness; spectrogram_errors →
--   spectrogram; semantic_distance_errors → semantic_distance; semantic_rank_errors → semantic_rank; other
--   metrics → articulatory, acoustic, semantic, total

-- ## articulation.labels
-- input labels (specs/articulation/tables.yaml): One row per word that can be spoken in a token, with
--   its semantic vector.
CREATE TABLE IF NOT EXISTS "labels" (line BIGINT, "label" VARCHAR, "vector" DOUBLE[]);

-- ## articulation.expected_rows, like articubench.expected_rows except:
@@ -13 +13 @@
-    if(there, NULL, 'left out') AS verdict
+    if(there, NULL, 'refused') AS verdict

-- ## articulation.tongue_height_rmse, like articubench.tongue_height_rmse except:
@@ -3 +3,2 @@
--- "tongue_height_rmse_rows" is what the Python function rmse (broadcast = true) makes of the rows of
+-- "tongue_height_rmse_rows" is what the Python function rmse (broadcast = false) makes of the rows
+--   of

-- ## articulation.tongue_height_errors, like articubench.tongue_height_errors except:
@@ -33,2 +33,2 @@
-        own_.error AS error,
-        baseline_.error AS baseline_error,
+        if(baseline_.error IS NULL, NULL, own_.error) AS error,
+        if(own_.error IS NULL, NULL, baseline_.error) AS baseline_error,
@@ -37,0 +38,2 @@
+            WHEN baseline_.token IS NULL THEN 'the baseline has no row'
+            WHEN baseline_.error IS NULL THEN 'in the baseline ' || baseline_.left_out

-- ## articulation.tongue_height, like articubench.tongue_height except:
@@ -23 +23 @@
-    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), true) AS "value",
+    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), false) AS "value",

-- ## articulation.ema_rmse, like articubench.ema_rmse except:
@@ -4,2 +4,2 @@
--- "ema_rmse_rows" is what the Python function resample_to_longer, then rmse (broadcast = true) makes
---   of the rows of
+-- "ema_rmse_rows" is what the Python function resample_to_longer, then rmse (broadcast = false)
+--   makes of the rows of

-- ## articulation.ema_errors, like articubench.ema_errors except:
@@ -48,2 +48,2 @@
-        own_.error AS error,
-        baseline_.error AS baseline_error,
+        if(baseline_.error IS NULL, NULL, own_.error) AS error,
+        if(own_.error IS NULL, NULL, baseline_.error) AS baseline_error,
@@ -52,0 +53,2 @@
+            WHEN baseline_.token IS NULL THEN 'the baseline has no row'
+            WHEN baseline_.error IS NULL THEN 'in the baseline ' || baseline_.left_out

-- ## articulation.ema, like articubench.ema except:
@@ -19 +19 @@
-    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), true) AS "value",
+    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), false) AS "value",

-- ## articulation.cps_quantiles, like articubench.cps_quantiles except:
@@ -13,2 +13,2 @@
-    list_aggregate(first, 'quantile_cont', 0.999e0) AS velocity,
-    list_aggregate(third, 'quantile_cont', 0.999e0) AS jerk
+    list_aggregate(list_transform(first, lambda x: abs(x)), 'quantile_cont', 0.999e0) AS velocity,
+    list_aggregate(list_transform(third, lambda x: abs(x)), 'quantile_cont', 0.999e0) AS jerk

-- ## articulation.velocity_jerk_errors, like articubench.velocity_jerk_errors except:
@@ -20 +20 @@
-    CASE WHEN left_out IS NOT NULL AND problem = 'not comparable'
+    CASE WHEN left_out IS NOT NULL AND problem IN ('not comparable', 'unusable')

-- ## articulation.acoustic_rmse, like articubench.acoustic_rmse except:
@@ -7 +7 @@
---   0.15, mel_floor = 1e-05), then channel_means, then rmse (broadcast = true) makes of the rows of
+--   0.15, mel_floor = 1e-05), then channel_means, then rmse (broadcast = false) makes of the rows of

-- ## articulation.loudness_errors, like articubench.loudness_errors except:
@@ -34,2 +34,2 @@
-        own_.error AS error,
-        baseline_.error AS baseline_error,
+        if(baseline_.error IS NULL, NULL, own_.error) AS error,
+        if(own_.error IS NULL, NULL, baseline_.error) AS baseline_error,
@@ -38,0 +39,2 @@
+            WHEN baseline_.token IS NULL THEN 'the baseline has no row'
+            WHEN baseline_.error IS NULL THEN 'in the baseline ' || baseline_.left_out

-- ## articulation.loudness, like articubench.loudness except:
@@ -19 +19 @@
-    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), true) AS "value",
+    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), false) AS "value",

-- ## articulation.spectrogram_errors, like articubench.spectrogram_errors except:
@@ -33,2 +33,2 @@
-        own_.error AS error,
-        baseline_.error AS baseline_error,
+        if(baseline_.error IS NULL, NULL, own_.error) AS error,
+        if(own_.error IS NULL, NULL, baseline_.error) AS baseline_error,
@@ -37,0 +38,2 @@
+            WHEN baseline_.token IS NULL THEN 'the baseline has no row'
+            WHEN baseline_.error IS NULL THEN 'in the baseline ' || baseline_.left_out

-- ## articulation.spectrogram, like articubench.spectrogram except:
@@ -19 +19 @@
-    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), true) AS "value",
+    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), false) AS "value",

-- ## articulation.semantic_rmse, like articubench.semantic_rmse except:
@@ -3 +3 @@
--- "semantic_rmse_rows" is what the Python function rmse (broadcast = true) makes of the rows of
+-- "semantic_rmse_rows" is what the Python function rmse (broadcast = false) makes of the rows of

-- ## articulation.semantic_distance_errors, like articubench.semantic_distance_errors except:
@@ -34,2 +34,2 @@
-        own_.error AS error,
-        baseline_.error AS baseline_error,
+        if(baseline_.error IS NULL, NULL, own_.error) AS error,
+        if(own_.error IS NULL, NULL, baseline_.error) AS baseline_error,
@@ -38,0 +39,2 @@
+            WHEN baseline_.token IS NULL THEN 'the baseline has no row'
+            WHEN baseline_.error IS NULL THEN 'in the baseline ' || baseline_.left_out

-- ## articulation.semantic_distance, like articubench.semantic_distance except:
@@ -19 +19 @@
-    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), true) AS "value",
+    relative_score(ratio(error_sum, errors), ratio(baseline_sum, baseline_errors), false) AS "value",

-- ## articulation.semantic_ranks, like articubench.semantic_ranks except:
@@ -30 +29,0 @@
-        OR list_distance(semantic_vector, vector) = distance AND other_place < place

-- ## articulation.semantic_rank_errors, like articubench.semantic_rank_errors except:
@@ -16 +16 @@
-    CASE WHEN left_out IS NOT NULL AND problem = 'not comparable'
+    CASE WHEN left_out IS NOT NULL AND problem IN ('not comparable', 'unusable')

-- ## articulation.largest_rank_error
-- relation largest_rank_error (specs/articulation/shared/errors.yaml)
-- The largest possible rank error, at which the score semantic_rank is 0: the number of labels − 1, or the
--   parameter `rank_span` (4311 in articubench).
CREATE TABLE "largest_rank_error" AS
SELECT count(*) - 1 AS span FROM "labels";

-- ## articulation.total
-- metric total, scores (specs/articulation/articulation/total.yaml)
-- Total score: sum of the articulatory, the acoustic and the semantic score. It is undefined if one of them
--   is undefined. With the default parameters it is at most 700; there is no lower bound.
CREATE TABLE "total" AS
SELECT articulatory.scope, articulatory.slice, articulatory.breakdown,
    articulatory.value + acoustic.value + semantic.value AS "value",
    nullif(concat_ws('; ', articulatory.note, acoustic.note, semantic.note), '') AS note
FROM "articulatory" AS articulatory
LEFT JOIN "acoustic" AS acoustic
    ON acoustic.slice = articulatory.slice
LEFT JOIN "semantic" AS semantic
    ON semantic.slice = articulatory.slice;

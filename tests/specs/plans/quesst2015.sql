-- input queries (specs/term_detection/tables.yaml): Queries. One row per query. Any other column of the
--   file can be named by --by.
CREATE TABLE IF NOT EXISTS "queries" (line BIGINT, "query" VARCHAR, "text" VARCHAR, "compare_normalize" VARCHAR);

-- input audio (specs/term_detection/tables.yaml): Audio that is searched. One row per excerpt. Any other
--   column of the file can be named by --by.
CREATE TABLE IF NOT EXISTS "audio" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "source_type" VARCHAR);

-- input detections (specs/term_detection/quesst2015/tables.yaml): Output of the system. One row per
--   trial, a pair of a query and a document, with its score and decision. Channel and times are ignored.
CREATE TABLE IF NOT EXISTS "detections" (line BIGINT, "query" VARCHAR, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "score" DOUBLE, "decision" VARCHAR, "min_score" DOUBLE, "max_score" DOUBLE, "element" BIGINT);

-- input references (specs/term_detection/tables.yaml): Reference transcript. One row per token, in any
--   order.
CREATE TABLE IF NOT EXISTS "references" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "token" VARCHAR, "subtype" VARCHAR, "speaker" VARCHAR, "confidence" DOUBLE);

-- input occurrences (specs/term_detection/tables.yaml): Occurrences of the queries. One row per
--   occurrence. Given instead of references, if the occurrences are known.
CREATE TABLE IF NOT EXISTS "occurrences" (line BIGINT, "query" VARCHAR, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE);

-- relation documents (specs/term_detection/quesst2015/trials.yaml)
-- The distinct documents of the audio, numbered from 1 by their first line in the list of audio.
CREATE TABLE "documents_5d143982" AS
SELECT doc, row_number() OVER (ORDER BY min(line), doc) AS place
FROM "audio"
GROUP BY doc;

-- relation targets (specs/term_detection/quesst2015/trials.yaml)
-- The target trials: the pairs of a query and a document in which the query occurs. In the input
--   `references`, a token that is the name of a query is an occurrence of it.
CREATE TABLE "targets_7a95e1c4" AS
SELECT query, doc, doc IN (SELECT doc FROM "audio") AS in_audio
FROM (
    SELECT query, doc FROM "occurrences"
)
GROUP BY query, doc;

-- relation scored_queries (specs/term_detection/quesst2015/trials.yaml)
-- The queries, numbered from 1 in the order of their list, each with the number of documents (its trials) and
--   of documents in which it occurs (its targets).
CREATE TABLE "scored_queries_17ff6ad1" AS
SELECT     query_.query, any_value(query_.place) AS place, count(*) AS documents, count(target_.doc) AS targets
FROM (
    SELECT *, row_number() OVER (ORDER BY line, query) AS place FROM "queries"
) AS query_
JOIN "documents_5d143982" AS document_ ON true
LEFT JOIN "targets_7a95e1c4" AS target_ ON target_.query = query_.query AND target_.doc = document_.doc
GROUP BY query_.query;

-- relation missing_trials (specs/term_detection/quesst2015/trials.yaml)
-- The trials that the system does not list, of queries that have targets, with the score `default_score`.
--   Queries with as many detections as documents are skipped, because counting their detections is cheaper
--   than looking for missing ones.
CREATE TABLE "missing_trials_07ab688b" AS
WITH complete AS (
    SELECT query FROM "detections" GROUP BY query HAVING count(*) = (SELECT count(DISTINCT doc) FROM "audio")
)
SELECT query_.query, document_.doc, query_.place AS query_place, document_.place AS doc_place,
    NULL::DOUBLE AS score
FROM "scored_queries_17ff6ad1" AS query_
JOIN "documents_5d143982" AS document_ ON true
ANTI JOIN (SELECT query, doc FROM "detections" WHERE query NOT IN (FROM complete)) AS detection
    ON detection.query = query_.query AND detection.doc = document_.doc
WHERE query_.targets > 0 AND query_.query NOT IN (FROM complete);

-- relation trial_scores (specs/term_detection/quesst2015/trials.yaml)
-- The trials: every pair of a document and a query that has targets, with the submitted score and decision,
--   or else the default score and NO. Queries and documents are numbers here, because there are millions of
--   rows. `place` orders trials with equal scores as the QUESST scorer does, because its calibration depends
--   on that order: −0.0 before 0.0, then submitted trials by line, then missing trials by query and document.
CREATE TABLE "trial_scores_93e90039" AS
WITH targets AS (
    SELECT query_.place AS query_place, document_.place AS doc_place
    FROM "targets_7a95e1c4" AS target_
    JOIN "scored_queries_17ff6ad1" AS query_ ON query_.query = target_.query
    JOIN "documents_5d143982" AS document_ ON document_.doc = target_.doc
),
trials AS (
    SELECT query_.place AS query_place, document_.place AS doc_place, score, decision = 'YES' AS yes,
        true AS submitted, coalesce(element, line) AS place
    FROM "detections" AS detection
    JOIN "scored_queries_17ff6ad1" AS query_ ON query_.query = detection.query AND query_.targets > 0
    JOIN "documents_5d143982" AS document_ ON document_.doc = detection.doc
    UNION ALL
    SELECT query_place, doc_place, score, false, false, (1::BIGINT << 56) + (query_place::BIGINT << 28) + doc_place
    FROM "missing_trials_07ab688b"
)
SELECT query_place, doc_place, ranked_score(score) AS score, yes, targets.doc_place IS NOT NULL AS target, submitted,
    place - if(score = 0 AND signbit(score), 1::BIGINT << 60, 0) AS place
FROM trials LEFT JOIN targets USING (query_place, doc_place);

-- relation prior, P_tar, β, θ (specs/term_detection/quesst2015/trials.yaml)
-- The effective prior P_tar (Eq 23), and what follows from it: β = (1 − P_tar) / P_tar (Eqs 7, 22),
--   logit(P_tar), the threshold θ_mincost (Eq 31) and the prior entropy (Eq 39). As in the QUESST scorer,
--   P_tar is truncated after `prior_decimals` (7) decimals: 0.0741289844 becomes 0.0741289.
CREATE TABLE "prior_6dcdbebf" AS
SELECT 0.0008e0 AS p_target, p_tar, (1 - p_tar) / p_tar AS beta, logit(p_tar) AS log_odds, ln((1 - p_tar) / p_tar) AS theta,
    shared_bits(p_tar, 1 - p_tar) AS prior_entropy
FROM (
    SELECT (targets * pow(10, 7::BIGINT)::HUGEINT // nullif(targets + others, 0))::DOUBLE
            / pow(10e0, 7::BIGINT) AS p_tar
    FROM (
        SELECT round(100.0e0 * 1e6)::HUGEINT * round(0.0008e0 * 1e12)::HUGEINT AS targets,
            round(1.0e0 * 1e6)::HUGEINT * round((1e0 - 0.0008e0) * 1e12)::HUGEINT AS others
    )
);

-- relation query_counts (specs/term_detection/quesst2015/trials.yaml)
-- The queries that have targets, with the numbers of their trials by outcome: at the decisions of the system,
--   and with YES when score > θ_mincost (bayes). `target_bits` and `nontarget_bits` are the sums of the
--   logarithmic costs of their scores in bits (Eq 37, divided by ln 2). Infinite costs are counted, not
--   summed.
CREATE TABLE "query_counts_501d436b" AS
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
        count(*) FILTER (WHERE target AND score > theta) AS bayes_hits,
        count(*) FILTER (WHERE NOT target AND score > theta) AS bayes_false_alarms,
        coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE target), 0) AS target_bits,
        coalesce(sum(cost::DECIMAL(38, 15)) FILTER (WHERE NOT target), 0) AS nontarget_bits,
        count(*) FILTER (WHERE cost IS NULL) AS infinite_bits
    FROM (
        SELECT *, if(bits < 1e15, bits, NULL) AS cost
        FROM (
            SELECT score_.*, theta, bits_of_odds(if(target, score + log_odds, -score - log_odds)) AS bits
            FROM "trial_scores_93e90039" AS score_ CROSS JOIN "prior_6dcdbebf"
        )
    )
    GROUP BY query_place
) AS counted
JOIN "scored_queries_17ff6ad1" AS query_ ON query_.place = counted.query_place;

-- metric atwv, statistics per unit (specs/term_detection/quesst2015/atwv.yaml)
-- Actual term-weighted value (ATWV): 1 − P_miss − β·P_fa at the decisions of the system, averaged over
--   queries (Eq 6), where the trials are documents. 1 is perfect, 0 is a system that always says NO, −β is
--   the worst. In sws2013.atwv the trials are occurrences and virtual trials.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "atwv_units_7143f972" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms"
FROM "query_counts_501d436b" AS counted_rows
GROUP BY ALL;

-- metric atwv, scores (specs/term_detection/quesst2015/atwv.yaml)
-- Actual term-weighted value (ATWV): 1 − P_miss − β·P_fa at the decisions of the system, averaged over
--   queries (Eq 6), where the trials are documents. 1 is perfect, 0 is a system that always says NO, −β is
--   the worst. In sws2013.atwv the trials are occurrences and virtual trials.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "atwv_3d9e1832" AS
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
    FROM "atwv_units_7143f972"
    GROUP BY "query"
)
, of_units AS (
    SELECT sums.*,
        ratio(hits, targets) - beta * ratio(false_alarms, nontargets) AS "value",
    FROM sums
    LEFT JOIN (SELECT "beta" FROM "prior_6dcdbebf") AS given
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

-- relation score_steps (specs/term_detection/quesst2015/trials.yaml)
-- The trials of all queries in groups; the groups are enough to find the best threshold for all queries and
--   to draw the curve. A trial is YES when score > threshold. `rejected` is the largest score below the
--   group, which is the threshold that accepts the group and everything above it. The last row, without
--   trials, is the threshold that rejects all. The naive way tries every score. But TWV rises only where the
--   threshold passes a target, so that the non-targets between the scores of two targets can be added up.
--   With targets at 0.9 and 0.5 and non-targets at 0.8, 0.7 and 0.3, the groups are {0.9}, {0.8, 0.7}, {0.5}
--   and {0.3}. In each group, trials with YES and NO have separate rows. A target of q weighs 1 / (targets(q)
--   · |Q|), a non-target 1 / (nontargets(q) · |Q|), as whole numbers in units of 2^-90, so that sums do not
--   depend on the order of rows.
CREATE TABLE "score_steps_6bf4aa7e" AS
WITH weights AS (
    SELECT query_place,
        (one_weight() * 2 + queries * targets) // (2 * queries * targets) AS hit,
        (one_weight() * 2 + queries * nontargets) // nullif(2 * queries * nontargets, 0) AS false_alarm
    FROM (
        SELECT place AS query_place, targets::HUGEINT AS targets, (documents - targets)::HUGEINT AS nontargets,
            (count(*) OVER ())::HUGEINT AS queries
        FROM "scored_queries_17ff6ad1" WHERE targets > 0
    )
),
grouped AS (
    SELECT step_.score AS step, coalesce(score_.score > step_.score, false) AS above, score_.yes,
        max(score_.score) AS high,
        count(*) FILTER (WHERE score_.target) AS targets, count(*) FILTER (WHERE NOT score_.target) AS nontargets,
        coalesce(sum(hit) FILTER (WHERE score_.target), 0)::HUGEINT AS hit_weight,
        coalesce(sum(false_alarm) FILTER (WHERE NOT score_.target), 0)::HUGEINT AS false_alarm_weight
    FROM "trial_scores_93e90039" AS score_
    ASOF LEFT JOIN (SELECT DISTINCT score FROM "trial_scores_93e90039" WHERE target) AS step_
        ON score_.score >= step_.score
    JOIN weights ON weights.query_place = score_.query_place
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

-- metric mtwv, statistics per unit (specs/term_detection/quesst2015/mtwv.yaml)
-- Maximum term-weighted value (MTWV): the largest 1 − P_miss − β·P_fa (Eq 6) over all thresholds, with one
--   threshold for all queries, where the trials are documents. A trial is accepted if its score is above the
--   threshold; in sws2013.mtwv it may also equal the threshold. 0 means that rejecting everything is best.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "mtwv_units_bfabf232" AS
SELECT
    coalesce(sum(hit_weight), 0) AS "hits",
    coalesce(sum(false_alarm_weight), 0) AS "false_alarms"
FROM "score_steps_6bf4aa7e" AS counted_rows
GROUP BY ALL;

-- metric mtwv, running sums (specs/term_detection/quesst2015/mtwv.yaml)
-- Maximum term-weighted value (MTWV): the largest 1 − P_miss − β·P_fa (Eq 6) over all thresholds, with one
--   threshold for all queries, where the trials are documents. A trial is accepted if its score is above the
--   threshold; in sws2013.mtwv it may also equal the threshold. 0 means that rejecting everything is best.
-- The running sums of the statistics down the scores: one row for each distinct score of a slice (of a unit,
--   when each unit has its own threshold), with the statistics of all rows that have this score or a higher
--   one. The naive way filters the rows again at each threshold θ, by score ≥ θ. Because statistics are
--   additive, the sum at θ is the sum at the next higher threshold plus the rows at θ itself, so that one
--   pass is enough. For the scores 0.9 (hit), 0.8 (false alarm) and 0.5 (hit), the hits are 1, 1, 2 and the
--   false alarms 0, 1, 1. Rows without a score are at no threshold. tests/unit/test_sweep.py compares the two
--   ways.
CREATE TABLE "mtwv_sums_cf2ff629" AS
SELECT
        0 AS breakdown,
        threshold,
        row_number() OVER down AS rank,
        coalesce(sum("hits") OVER down, 0) AS "hits",
        coalesce(sum("false_alarms") OVER down, 0) AS "false_alarms"
FROM (
    SELECT ranked_score(rejected) AS threshold,
        coalesce(sum(hit_weight), 0) AS "hits",
        coalesce(sum(false_alarm_weight), 0) AS "false_alarms"
    FROM "score_steps_6bf4aa7e" AS counted_rows
    WHERE (rejected) IS NOT NULL
    GROUP BY ALL
)
WINDOW down AS (ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- metric mtwv, scores (specs/term_detection/quesst2015/mtwv.yaml)
-- Maximum term-weighted value (MTWV): the largest 1 − P_miss − β·P_fa (Eq 6) over all thresholds, with one
--   threshold for all queries, where the trials are documents. A trial is accepted if its score is above the
--   threshold; in sws2013.mtwv it may also equal the threshold. 0 means that rejecting everything is best.
-- The best point of the curve in each slice (or unit): the threshold at which the component named by `best`
--   is largest or smallest, with all components there. By definition, each threshold is tried in turn: accept
--   the rows with score ≥ θ, add up their statistics, compute the components. Here the sums at all thresholds
--   are known (sweep_sums), and the components are computed once for each. Components within 1e-12 of the
--   best value are ties, and the lowest of their thresholds is taken. The point that accepts no row is above
--   all thresholds, so that it is taken only without a tie. tests/unit/test_sweep.py tries every threshold.
CREATE TABLE "mtwv_e03cb653" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "mtwv_units_bfabf232"
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
    LEFT JOIN (SELECT "beta" FROM "prior_6dcdbebf") AS given
        ON true
    JOIN "mtwv_sums_cf2ff629" AS running ON running.breakdown = sums.breakdown
    UNION ALL
    SELECT
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        given."beta",
0 AS "hits",
0 AS "false_alarms"
    FROM sums
    LEFT JOIN (SELECT "beta" FROM "prior_6dcdbebf") AS given
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

-- metric p_miss, statistics per unit (specs/term_detection/quesst2015/p_miss.yaml)
-- Miss rate at the decisions of the system: the targets of a query with the decision NO, divided by its
--   targets (Eq 1), averaged over queries (Eq 4). A target is a document that contains the query. In
--   sws2013.p_miss the targets are occurrences.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "p_miss_units_7143f972" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms"
FROM "query_counts_501d436b" AS counted_rows
GROUP BY ALL;

-- metric p_miss, scores (specs/term_detection/quesst2015/p_miss.yaml)
-- Miss rate at the decisions of the system: the targets of a query with the decision NO, divided by its
--   targets (Eq 1), averaged over queries (Eq 4). A target is a document that contains the query. In
--   sws2013.p_miss the targets are occurrences.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "p_miss_27a7ede8" AS
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
    FROM "p_miss_units_7143f972"
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

-- metric p_fa, statistics per unit (specs/term_detection/quesst2015/p_fa.yaml)
-- False alarm rate at the decisions of the system: the documents without the query that have the decision
--   YES, divided by all documents without the query (Eq 3), averaged over queries (Eq 5). In sws2013.p_fa the
--   trials are virtual.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "p_fa_units_7143f972" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms"
FROM "query_counts_501d436b" AS counted_rows
GROUP BY ALL;

-- metric p_fa, scores (specs/term_detection/quesst2015/p_fa.yaml)
-- False alarm rate at the decisions of the system: the documents without the query that have the decision
--   YES, divided by all documents without the query (Eq 3), averaged over queries (Eq 5). In sws2013.p_fa the
--   trials are virtual.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "p_fa_b3dd78aa" AS
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
    FROM "p_fa_units_7143f972"
    GROUP BY "query"
)
, of_units AS (
    SELECT sums.*,
        ratio(false_alarms, nontargets) AS "value",
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

-- metric counts, statistics per unit (specs/term_detection/quesst2015/counts.yaml)
-- Numbers of scored queries, of their targets and trials (`detections`, with the missing trials), and of
--   hits, misses, false alarms and correct rejections at the decisions of the system. Queries that are in no
--   document are not scored. In sws2013.counts the targets are occurrences.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "counts_units_5f7d870c" AS
SELECT "query",
    count(*) AS "queries",
    sum(targets) AS "targets",
    sum(trials) AS "detections",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms",
    sum(correct_rejections) AS "correct_rejections"
FROM "query_counts_501d436b" AS counted_rows
GROUP BY ALL;

-- metric counts, scores (specs/term_detection/quesst2015/counts.yaml)
-- Numbers of scored queries, of their targets and trials (`detections`, with the missing trials), and of
--   hits, misses, false alarms and correct rejections at the decisions of the system. Queries that are in no
--   document are not scored. In sws2013.counts the targets are occurrences.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "counts_0e064013" AS
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
    FROM "counts_units_5f7d870c"
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

-- relation query_steps (specs/term_detection/quesst2015/trials.yaml)
-- The trials of each query in groups; the groups are enough to find the best threshold of the query. A group
--   is the trials at the score of a target (`step`), or the trials above it (`above`) and below the next
--   higher target. For trials below all targets, `step` is NULL. TWV rises only where the threshold passes a
--   target, so that no threshold within a group can be the best.
CREATE TABLE "query_steps_bf5d6bae" AS
SELECT query_.query, grouped.* EXCLUDE (query_place)
FROM (
    SELECT score_.query_place, step_.score AS step,
        coalesce(score_.score > step_.score, false) AS above, max(score_.score) AS high,
        count(*) FILTER (WHERE score_.target) AS targets, count(*) FILTER (WHERE NOT score_.target) AS nontargets
    FROM "trial_scores_93e90039" AS score_
    ASOF LEFT JOIN (SELECT DISTINCT query_place, score FROM "trial_scores_93e90039" WHERE target) AS step_
        ON score_.query_place = step_.query_place AND score_.score >= step_.score
    GROUP BY ALL
) AS grouped
JOIN "scored_queries_17ff6ad1" AS query_ ON query_.place = grouped.query_place;

-- metric upper_bound_twv, statistics per unit (specs/term_detection/quesst2015/upper_bound_twv.yaml)
-- Upper-bound term-weighted value: the largest 1 − P_miss − β·P_fa (Eq 6) if each query has the threshold
--   that is best for it, where the trials are documents. It is at least mtwv, which has one threshold for all
--   queries. The scorer prints another number, because it has overwritten the scores by calibrated ones.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "upper_bound_twv_units_ce476dbf" AS
SELECT "query",
    sum(targets) AS "hits",
    sum(nontargets) AS "false_alarms"
FROM "query_steps_bf5d6bae" AS counted_rows
GROUP BY ALL;

-- metric upper_bound_twv, running sums (specs/term_detection/quesst2015/upper_bound_twv.yaml)
-- Upper-bound term-weighted value: the largest 1 − P_miss − β·P_fa (Eq 6) if each query has the threshold
--   that is best for it, where the trials are documents. It is at least mtwv, which has one threshold for all
--   queries. The scorer prints another number, because it has overwritten the scores by calibrated ones.
-- The running sums of the statistics down the scores: one row for each distinct score of a slice (of a unit,
--   when each unit has its own threshold), with the statistics of all rows that have this score or a higher
--   one. The naive way filters the rows again at each threshold θ, by score ≥ θ. Because statistics are
--   additive, the sum at θ is the sum at the next higher threshold plus the rows at θ itself, so that one
--   pass is enough. For the scores 0.9 (hit), 0.8 (false alarm) and 0.5 (hit), the hits are 1, 1, 2 and the
--   false alarms 0, 1, 1. Rows without a score are at no threshold. tests/unit/test_sweep.py compares the two
--   ways.
CREATE TABLE "upper_bound_twv_sums_7163cd8d" AS
SELECT
        0 AS breakdown,
        "query" AS "query",
        threshold,
        row_number() OVER down AS rank,
        coalesce(sum("hits") OVER down, 0) AS "hits",
        coalesce(sum("false_alarms") OVER down, 0) AS "false_alarms"
FROM (
    SELECT "query", ranked_score(step) AS threshold,
        sum(targets) AS "hits",
        sum(nontargets) AS "false_alarms"
    FROM "query_steps_bf5d6bae" AS counted_rows
    WHERE (step) IS NOT NULL
    GROUP BY ALL
)
WINDOW down AS (PARTITION BY "query" ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- metric upper_bound_twv, the best threshold of each unit
--   (specs/term_detection/quesst2015/upper_bound_twv.yaml)
-- Upper-bound term-weighted value: the largest 1 − P_miss − β·P_fa (Eq 6) if each query has the threshold
--   that is best for it, where the trials are documents. It is at least mtwv, which has one threshold for all
--   queries. The scorer prints another number, because it has overwritten the scores by calibrated ones.
-- The best point of the curve in each slice (or unit): the threshold at which the component named by `best`
--   is largest or smallest, with all components there. By definition, each threshold is tried in turn: accept
--   the rows with score ≥ θ, add up their statistics, compute the components. Here the sums at all thresholds
--   are known (sweep_sums), and the components are computed once for each. Components within 1e-12 of the
--   best value are ties, and the lowest of their thresholds is taken. The point that accepts no row is above
--   all thresholds, so that it is taken only without a tie. tests/unit/test_sweep.py tries every threshold.
CREATE TABLE "upper_bound_twv_best_6f674f44" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        "query" AS "query",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "upper_bound_twv_units_ce476dbf"
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
    LEFT JOIN (SELECT "beta" FROM "prior_6dcdbebf") AS given
        ON true
    JOIN "upper_bound_twv_sums_7163cd8d" AS running ON running.breakdown = sums.breakdown AND running."query" IS NOT DISTINCT FROM sums."query"
    UNION ALL
    SELECT sums."query",
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        given."beta",
0 AS "hits",
0 AS "false_alarms"
    FROM sums
    LEFT JOIN (SELECT "beta" FROM "prior_6dcdbebf") AS given
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

-- metric upper_bound_twv, scores (specs/term_detection/quesst2015/upper_bound_twv.yaml)
-- Upper-bound term-weighted value: the largest 1 − P_miss − β·P_fa (Eq 6) if each query has the threshold
--   that is best for it, where the trials are documents. It is at least mtwv, which has one threshold for all
--   queries. The scorer prints another number, because it has overwritten the scores by calibrated ones.
-- The scores of the metric: the mean of each component over the units, for all units together and for each
--   slice. Units whose component is undefined are left out of its mean, and a note gives their number.
CREATE TABLE "upper_bound_twv_a79555de" AS
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
    FROM "upper_bound_twv_best_6f674f44" WHERE breakdown = 0
) AS units_of_breakdown
GROUP BY ALL;

-- metric bayes_twv, statistics per unit (specs/term_detection/quesst2015/bayes_twv.yaml)
-- Term-weighted value at the Bayes threshold: 1 − P_miss − β·P_fa (Eq 6) if exactly the trials with a score
--   above θ_mincost = −logit(p_tar) = ln β (Eqs 30 and 31) had the decision YES, where the trials are
--   documents. For calibrated natural log-likelihood ratios this threshold has the least expected cost. In
--   sws2013.bayes_twv the trials are occurrences and virtual trials.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "bayes_twv_units_63c1ebf6" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(bayes_hits) AS "hits",
    sum(bayes_false_alarms) AS "false_alarms"
FROM "query_counts_501d436b" AS counted_rows
GROUP BY ALL;

-- metric bayes_twv, scores (specs/term_detection/quesst2015/bayes_twv.yaml)
-- Term-weighted value at the Bayes threshold: 1 − P_miss − β·P_fa (Eq 6) if exactly the trials with a score
--   above θ_mincost = −logit(p_tar) = ln β (Eqs 30 and 31) had the decision YES, where the trials are
--   documents. For calibrated natural log-likelihood ratios this threshold has the least expected cost. In
--   sws2013.bayes_twv the trials are occurrences and virtual trials.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "bayes_twv_855a7f44" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "bayes_twv_units_63c1ebf6"
    GROUP BY "query"
)
, of_units AS (
    SELECT sums.*,
        ratio(hits, targets) - beta * ratio(false_alarms, nontargets) AS "value",
    FROM sums
    LEFT JOIN (SELECT "beta" FROM "prior_6dcdbebf") AS given
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

-- metric cost, statistics per unit (specs/term_detection/quesst2015/cost.yaml)
-- Detection cost at the decisions of the system, with costs of 1 and the effective prior as the prior, as the
--   scorer is called: p_tar·P_miss + (1 − p_tar)·P_fa (Eq 8). With it the cost of the better trivial system
--   (Eq 9) and their quotient, the normalised detection cost (Eq 10), which is 1 − atwv while p_tar is at
--   most 1/2 (Eq 24). std2006.cost has the costs and the prior of the suite.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "cost_units_7143f972" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms"
FROM "query_counts_501d436b" AS counted_rows
GROUP BY ALL;

-- metric cost, scores (specs/term_detection/quesst2015/cost.yaml)
-- Detection cost at the decisions of the system, with costs of 1 and the effective prior as the prior, as the
--   scorer is called: p_tar·P_miss + (1 − p_tar)·P_fa (Eq 8). With it the cost of the better trivial system
--   (Eq 9) and their quotient, the normalised detection cost (Eq 10), which is 1 − atwv while p_tar is at
--   most 1/2 (Eq 24). std2006.cost has the costs and the prior of the suite.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "cost_0aca36bd" AS
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
    FROM "cost_units_7143f972"
    GROUP BY "query"
)
, of_units AS (
    SELECT sums.*,
        p_tar * ratio(misses, targets) + (1 - p_tar) * ratio(false_alarms, nontargets) AS "c_det",
        least(p_tar, 1 - p_tar) AS "c_default",
        c_det / c_default AS "c_norm",
    FROM sums
    LEFT JOIN (SELECT "p_tar" FROM "prior_6dcdbebf") AS given
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

-- metric prior, statistics per unit (specs/term_detection/quesst2015/prior.yaml)
-- Operating point: the prior that is given, the effective prior cut off after prior_decimals decimals (Eq
--   23), and β and the Bayes threshold that follow from the cut prior (Eqs 7, 22 and 31). No value is better
--   than another. In sws2013.prior the effective prior is not cut off.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "prior_units_16e56392" AS
SELECT
    count(*) AS "priors"
FROM "prior_6dcdbebf" AS counted_rows
GROUP BY ALL;

-- metric prior, scores (specs/term_detection/quesst2015/prior.yaml)
-- Operating point: the prior that is given, the effective prior cut off after prior_decimals decimals (Eq
--   23), and β and the Bayes threshold that follow from the cut prior (Eqs 7, 22 and 31). No value is better
--   than another. In sws2013.prior the effective prior is not cut off.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "prior_9b63eee1" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("priors"), 0) AS "priors"
    FROM "prior_units_16e56392"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    p_tar AS "p_tar",
    beta AS "beta",
    p_target AS "p_target",
    theta AS "theta_mincost",
    nullif(concat_ws(', ', CASE WHEN sums."priors" = 0 THEN 'priors = 0' END), '') AS note
FROM sums
LEFT JOIN (SELECT "p_tar", "beta", "p_target", "theta" FROM "prior_6dcdbebf") AS given
    ON true;

-- metric cnxe, statistics per unit (specs/term_detection/quesst2015/cnxe.yaml)
-- Normalised cross entropy (C_nxe) of the scores, read as natural log-likelihood ratios: the empirical cross
--   entropy divided by the entropy of the prior (Eqs 37 to 40), where the trials are documents. 0 is perfect,
--   1 tells no more than the prior, above 1 the scores are badly calibrated. In sws2013.cnxe trials that the
--   system does not list have the smallest score; here they have default_score.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "cnxe_units_82ae3cfa" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(nontargets) AS "nontargets",
    sum(target_bits) AS "target_bits",
    sum(nontarget_bits) AS "nontarget_bits",
    sum(infinite_bits) AS "infinite"
FROM "query_counts_501d436b" AS counted_rows
GROUP BY ALL;

-- metric cnxe, scores (specs/term_detection/quesst2015/cnxe.yaml)
-- Normalised cross entropy (C_nxe) of the scores, read as natural log-likelihood ratios: the empirical cross
--   entropy divided by the entropy of the prior (Eqs 37 to 40), where the trials are documents. 0 is perfect,
--   1 tells no more than the prior, above 1 the scores are badly calibrated. In sws2013.cnxe trials that the
--   system does not list have the smallest score; here they have default_score.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "cnxe_7e4544ff" AS
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
    FROM "cnxe_units_82ae3cfa"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    (p_tar * ratio(target_bits, targets) + (1 - p_tar) * ratio(nontarget_bits, nontargets) + if(infinite > 0, 'inf'::DOUBLE, 0)) / prior_entropy AS "value",
    value * prior_entropy AS "cross_entropy",
    prior_entropy AS "prior_entropy",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."target_bits" = 0 THEN 'target_bits = 0' END, CASE WHEN sums."nontarget_bits" = 0 THEN 'nontarget_bits = 0' END, CASE WHEN sums."infinite" = 0 THEN 'infinite = 0' END), '') AS note
FROM sums
LEFT JOIN (SELECT "p_tar", "prior_entropy" FROM "prior_6dcdbebf") AS given
    ON true;

-- relation blocks (specs/term_detection/quesst2015/trials.yaml)
-- The blocks of the isotonic calibration (pool adjacent violators), from low to high scores. All trials of a
--   block get the same log-likelihood ratio: the log odds of targets in the block less the log odds of
--   targets in all trials. `target_bits` and `nontarget_bits` are the logarithmic costs of that ratio for a
--   target and for a non-target, in bits (Eq 37, divided by ln 2). A block with 3 targets and 1 other trial,
--   of 10 targets and 90 others: ln(3/1) − ln(10/90) = 3.30.
-- "blocks_rows_3dfa736f" is what the Python function pool_adjacent_violators makes of the rows of
--   SELECT score, positives, negatives
--   FROM (
--       SELECT score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives, place
--       FROM "trial_scores_93e90039"
--       SEMI JOIN (FROM "trial_scores_93e90039" WHERE target) AS target_ USING (score)
--       UNION ALL
--       SELECT high, 0, sum(nontargets)::BIGINT, 0
--       FROM "score_steps_6bf4aa7e"
--       GROUP BY high
--       HAVING sum(targets) = 0 AND sum(nontargets) > 0
--   )
--   ORDER BY score, place
CREATE TABLE "blocks_03529001" AS
SELECT blocks.*, bits_of_odds(llr + log_odds) AS target_bits, bits_of_odds(-llr - log_odds) AS nontarget_bits
FROM (
    SELECT *, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM "blocks_rows_3dfa736f"
    WINDOW everything AS ()
) AS blocks
CROSS JOIN "prior_6dcdbebf";

-- metric min_cnxe, statistics per unit (specs/term_detection/quesst2015/min_cnxe.yaml)
-- Minimum normalised cross entropy: cnxe after the rising map of the scores that minimises it, found by pool
--   adjacent violators (PAV). A rising map never maps a higher score to a lower one. As in the scorer, equal
--   scores are ordered by their lines and can be mapped to different values; quesst2015.min_cnxe_pooled maps
--   them to equal values. 0 is perfect, 1 tells no more than the prior. The minimum of Eq 45, over affine
--   maps, is quesst2015.min_cnxe_affine.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "min_cnxe_units_bb6d5391" AS
SELECT
    sum(positives) AS "targets",
    sum(negatives) AS "nontargets",
    exact_sum(if(positives = 0, 0, positives * target_bits)) AS "target_bits",
    exact_sum(if(negatives = 0, 0, negatives * nontarget_bits)) AS "nontarget_bits"
FROM "blocks_03529001" AS counted_rows
GROUP BY ALL;

-- metric min_cnxe, scores (specs/term_detection/quesst2015/min_cnxe.yaml)
-- Minimum normalised cross entropy: cnxe after the rising map of the scores that minimises it, found by pool
--   adjacent violators (PAV). A rising map never maps a higher score to a lower one. As in the scorer, equal
--   scores are ordered by their lines and can be mapped to different values; quesst2015.min_cnxe_pooled maps
--   them to equal values. 0 is perfect, 1 tells no more than the prior. The minimum of Eq 45, over affine
--   maps, is quesst2015.min_cnxe_affine.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "min_cnxe_39cfb5bc" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("target_bits"), 0) AS "target_bits",
        coalesce(sum("nontarget_bits"), 0) AS "nontarget_bits"
    FROM "min_cnxe_units_bb6d5391"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    (p_tar * ratio(target_bits, targets) + (1 - p_tar) * ratio(nontarget_bits, nontargets)) / prior_entropy AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."target_bits" = 0 THEN 'target_bits = 0' END, CASE WHEN sums."nontarget_bits" = 0 THEN 'nontarget_bits = 0' END), '') AS note
FROM sums
LEFT JOIN (SELECT "p_tar", "prior_entropy" FROM "prior_6dcdbebf") AS given
    ON true;

-- relation blocks_pooled (specs/term_detection/quesst2015/min_cnxe_pooled.yaml)
-- The blocks of the isotonic calibration (pool adjacent violators), from low to high scores. All trials of a
--   block get the same log-likelihood ratio: the log odds of targets in the block less the log odds of
--   targets in all trials. `target_bits` and `nontarget_bits` are the logarithmic costs of that ratio for a
--   target and for a non-target, in bits (Eq 37, divided by ln 2). A block with 3 targets and 1 other trial,
--   of 10 targets and 90 others: ln(3/1) − ln(10/90) = 3.30.
-- "blocks_pooled_rows_a89213a9" is what the Python function pool_adjacent_violators makes of the rows of
--   SELECT high AS score, sum(targets)::BIGINT AS positives, sum(nontargets)::BIGINT AS negatives
--   FROM "score_steps_6bf4aa7e"
--   GROUP BY ALL
--   HAVING sum(targets + nontargets) > 0
--   ORDER BY high
CREATE TABLE "blocks_pooled_58be400f" AS
SELECT blocks.*, bits_of_odds(llr + log_odds) AS target_bits, bits_of_odds(-llr - log_odds) AS nontarget_bits
FROM (
    SELECT *, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM "blocks_pooled_rows_a89213a9"
    WINDOW everything AS ()
) AS blocks
CROSS JOIN "prior_6dcdbebf";

-- metric min_cnxe_pooled, statistics per unit (specs/term_detection/quesst2015/min_cnxe_pooled.yaml)
-- Minimum normalised cross entropy over all rising maps of the scores, found by pool adjacent violators
--   (PAV), where equal scores are mapped to equal values. A rising map never maps a higher score to a lower
--   one. 0 is perfect, 1 tells no more than the prior. It does not depend on the order of rows and is at
--   least quesst2015.min_cnxe, which can map equal scores to different values.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "min_cnxe_pooled_units_2f0cef43" AS
SELECT
    sum(positives) AS "targets",
    sum(negatives) AS "nontargets",
    exact_sum(if(positives = 0, 0, positives * target_bits)) AS "target_bits",
    exact_sum(if(negatives = 0, 0, negatives * nontarget_bits)) AS "nontarget_bits"
FROM "blocks_pooled_58be400f" AS counted_rows
GROUP BY ALL;

-- metric min_cnxe_pooled, scores (specs/term_detection/quesst2015/min_cnxe_pooled.yaml)
-- Minimum normalised cross entropy over all rising maps of the scores, found by pool adjacent violators
--   (PAV), where equal scores are mapped to equal values. A rising map never maps a higher score to a lower
--   one. 0 is perfect, 1 tells no more than the prior. It does not depend on the order of rows and is at
--   least quesst2015.min_cnxe, which can map equal scores to different values.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "min_cnxe_pooled_2daaa62d" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("target_bits"), 0) AS "target_bits",
        coalesce(sum("nontarget_bits"), 0) AS "nontarget_bits"
    FROM "min_cnxe_pooled_units_2f0cef43"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    (p_tar * ratio(target_bits, targets) + (1 - p_tar) * ratio(nontarget_bits, nontargets)) / prior_entropy AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."target_bits" = 0 THEN 'target_bits = 0' END, CASE WHEN sums."nontarget_bits" = 0 THEN 'nontarget_bits = 0' END), '') AS note
FROM sums
LEFT JOIN (SELECT "p_tar", "prior_entropy" FROM "prior_6dcdbebf") AS given
    ON true;

-- metric min_cnxe_affine, statistics per unit (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- Minimum normalised cross entropy (C_nxe^min) as in the document: cnxe after the affine map γ·score + δ that
--   minimises it (Eqs 44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the
--   value is the limit, and `gamma` and `delta` are NULL. quesst2015.min_cnxe and quesst2015.min_cnxe_pooled
--   take any rising map instead; a negative γ is not rising.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "min_cnxe_affine_units_aaf66794" AS
SELECT
    count(*) FILTER (WHERE target) AS "positives",
    count(*) FILTER (WHERE NOT target) AS "negatives"
FROM "trial_scores_93e90039" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- metric min_cnxe_affine, weights per slice (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- Minimum normalised cross entropy (C_nxe^min) as in the document: cnxe after the affine map γ·score + δ that
--   minimises it (Eqs 44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the
--   value is the limit, and `gamma` and `delta` are NULL. quesst2015.min_cnxe and quesst2015.min_cnxe_pooled
--   take any rising map instead; a negative γ is not rising.
-- The slices to which a calibration is fitted, numbered as parts, each with the total weights of its
--   positives and negatives and the prior.
CREATE TABLE "min_cnxe_affine_parts_67f000b8" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("positives"), 0) AS "positives",
        coalesce(sum("negatives"), 0) AS "negatives"
    FROM "min_cnxe_affine_units_aaf66794"
    GROUP BY ALL
)
SELECT *, (p_tar)::DOUBLE AS prior,
    row_number() OVER (ORDER BY breakdown) AS part
FROM (
    SELECT sums.* REPLACE (sums.positives::DOUBLE AS positives, sums.negatives::DOUBLE AS negatives), given."p_tar", given."prior_entropy"
    FROM sums
    LEFT JOIN (SELECT "p_tar", "prior_entropy" FROM "prior_6dcdbebf") AS given
        ON true
);

-- metric min_cnxe_affine, weights per score (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- Minimum normalised cross entropy (C_nxe^min) as in the document: cnxe after the affine map γ·score + δ that
--   minimises it (Eqs 44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the
--   value is the limit, and `gamma` and `delta` are NULL. quesst2015.min_cnxe and quesst2015.min_cnxe_pooled
--   take any rising map instead; a negative γ is not rising.
-- The points of the calibration: each distinct score of a part, with the weights of the positives and of the
--   negatives at this score. Weights are scaled so that in each part all positives together weigh the prior
--   and all negatives 1 − prior. Rows with equal scores have equal costs, so that one point represents them.
CREATE TABLE "min_cnxe_affine_points_0de0966f" AS
SELECT part, points.score,
    points.positives::DOUBLE * (prior / nullif(parts.positives, 0)) AS positive,
    points.negatives::DOUBLE * ((1 - prior) / nullif(parts.negatives, 0)) AS negative
FROM (
    SELECT
        0 AS breakdown,
        ranked_score(score) AS score,
        coalesce(count(*) FILTER (WHERE target), 0) AS "positives",
        coalesce(count(*) FILTER (WHERE NOT target), 0) AS "negatives"
    FROM "trial_scores_93e90039" AS counted_rows
    WHERE (score) IS NOT NULL
    GROUP BY ALL
) AS points
JOIN "min_cnxe_affine_parts_67f000b8" AS parts ON parts.breakdown = points.breakdown;

-- metric min_cnxe_affine, the least cost (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- Minimum normalised cross entropy (C_nxe^min) as in the document: cnxe after the affine map γ·score + δ that
--   minimises it (Eqs 44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the
--   value is the limit, and `gamma` and `delta` are NULL. quesst2015.min_cnxe and quesst2015.min_cnxe_pooled
--   take any rising map instead; a negative γ is not rising.
-- The minimum of the weighted logistic cost of each part, with the slope and intercept that have it (logistic
--   regression with one variable). By definition, the cost in bits is Σ positive · log2(1 + exp(−o)) +
--   negative · log2(1 + exp(o)) over the points of the part, where o = slope · score + intercept; the total
--   weight is 1. The minimum over all slopes and intercepts is sought. tests/unit/test_fit.py compares it
--   with a minimiser of scipy. First, cases without a minimum are recognised, exactly, from the ranges of the
--   scores of both classes. (1) If the classes are separated, the cost falls towards a limit as the slope
--   grows. With positives at 3 and 4 and negatives at 1 and 2, the limit is 0. With negatives at 1 and 3 the
--   ranges have the score 3 in common, and the limit is the entropy of the classes there. (2) If all scores
--   are equal, the cost is that of slope 0, the entropy of the classes. (3) An infinite score can forbid
--   slopes of one sign: a positive at −∞ costs infinitely much at every slope above 0. If the best slope has
--   that sign, the cost is the limit towards slope 0, the entropy of the classes among the finite scores. In
--   these cases, slope and intercept are NULL. Otherwise the cost is convex and has one minimum, which
--   Newton's method finds, as a recursion of steps for all parts at once. A step is one aggregate over the
--   points: cost, gradient and curvature. Scores are standardised anew at each step, by the mean and
--   deviation of the curvature, z = (score − centre) / scale; slope and intercept are then independent
--   directions. A step that increases the cost is repeated at a quarter of its length. If there are more than
--   5,000 points, the method runs first on about 2,000 bins of near scores, and the result is the first step
--   of the full run. Sums are of whole numbers in units of 2^-60 and so do not depend on the order of rows.
CREATE TABLE "min_cnxe_affine_minimum_70ec6fe6" AS
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
        -- A positive at -inf or a negative at inf costs infinitely much at every slope above 0 (never_up).
        bool_or(if(score > 0, negative, positive) > 0) FILTER (WHERE isinf(score)) AS never_up,
        bool_or(if(score > 0, positive, negative) > 0) FILTER (WHERE isinf(score)) AS never_down,
        min(least(positive, negative)) < 0 AS below_0
    FROM "min_cnxe_affine_points_0de0966f"
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
            FROM "min_cnxe_affine_points_0de0966f" AS points JOIN level USING (part)
            WHERE isfinite(score) AND (SELECT count(*) FROM "min_cnxe_affine_points_0de0966f") > 5000
        )
        GROUP BY part, floor(z * 1e3), centre, scale
    )
),
rough AS (
    SELECT part, 0 AS number, false AS done, cost, centre, scale, slope, intercept, slope_step, intercept_step, 1e0 AS length
    FROM level
    UNION ALL
    SELECT part, number + 1,
        if(better, decrement <= 1e-18 OR curvature_0 <= 1e-17, length < 1e-9) OR number >= 40,
        if(better, new_cost, if(number = 0, 'inf'::DOUBLE, cost)),
        if(better, centre + scale * mean, centre),
        if(better, scale * zoom, scale),
        if(better, new_slope * zoom, slope),
        if(better, new_intercept + new_slope * mean, intercept),
        CASE WHEN better THEN toward * zoom WHEN number = 0 THEN 0e0 ELSE slope_step END,
        CASE WHEN better THEN -gradient_0 / curvature_0 WHEN number = 0 THEN 0e0 ELSE intercept_step END,
        if(better OR number = 0, 1, length / 4)
    FROM (
        SELECT *, new_cost <= cost + 1e-13 AS better, greatest(sqrt(greatest(variance, 0)), 1e-6) AS zoom,
            (gradient_0 * mean - gradient_1) / (curvature_0 * greatest(variance, 1e-12)) AS toward,
            gradient_0 * gradient_0 / curvature_0
                + pow(gradient_1 - gradient_0 * mean, 2) / (curvature_0 * greatest(variance, 1e-12)) AS decrement
        FROM (
            SELECT before.*, slope + length * slope_step AS new_slope, intercept + length * intercept_step AS new_intercept,
                new_cost, gradient_0, gradient_1, curvature_0, curvature_1 / curvature_0 AS mean,
                curvature_2 / curvature_0 - pow(curvature_1 / curvature_0, 2) AS variance
            FROM rough AS before JOIN (
                SELECT part,
                    sum((least(greatest(weight * ln(1 + tail) + limit_weight * eta, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS new_cost,
                    sum((least(greatest(residual, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_0,
                    sum((least(greatest(residual * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_1,
                    greatest(sum((least(greatest(curvature, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60), 1e-18) AS curvature_0,
                    sum((least(greatest(curvature * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS curvature_1,
                    sum((least(greatest(curvature * z * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS curvature_2
                FROM (
                    SELECT part, z, eta, positive + negative AS weight, if(eta > 0, negative, -positive) AS limit_weight,
                        exp(-abs(eta)) AS tail,
                        limit_weight + if(eta > 0, -weight, weight) * tail / (1 + tail) AS residual,
                        weight * tail / ((1 + tail) * (1 + tail)) AS curvature
                    FROM (
                        SELECT part, positive, negative, (score - centre) / scale AS z,
                            (slope + length * slope_step) * z + intercept + length * intercept_step AS eta
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
    SELECT part, number + 1,
        if(better, decrement <= 1e-18 OR curvature_0 <= 1e-17, length < 1e-9) OR number >= 500,
        if(better, new_cost, if(number = 0, 'inf'::DOUBLE, cost)),
        if(better, centre + scale * mean, centre),
        if(better, scale * zoom, scale),
        if(better, new_slope * zoom, slope),
        if(better, new_intercept + new_slope * mean, intercept),
        CASE WHEN better THEN toward * zoom WHEN number = 0 THEN 0e0 ELSE slope_step END,
        CASE WHEN better THEN -gradient_0 / curvature_0 WHEN number = 0 THEN 0e0 ELSE intercept_step END,
        if(better OR number = 0, 1, length / 4)
    FROM (
        SELECT *, new_cost <= cost + 1e-13 AS better, greatest(sqrt(greatest(variance, 0)), 1e-6) AS zoom,
            (gradient_0 * mean - gradient_1) / (curvature_0 * greatest(variance, 1e-12)) AS toward,
            gradient_0 * gradient_0 / curvature_0
                + pow(gradient_1 - gradient_0 * mean, 2) / (curvature_0 * greatest(variance, 1e-12)) AS decrement
        FROM (
            SELECT before.*, slope + length * slope_step AS new_slope, intercept + length * intercept_step AS new_intercept,
                new_cost, gradient_0, gradient_1, curvature_0, curvature_1 / curvature_0 AS mean,
                curvature_2 / curvature_0 - pow(curvature_1 / curvature_0, 2) AS variance
            FROM steps AS before JOIN (
                SELECT part,
                    sum((least(greatest(weight * ln(1 + tail) + limit_weight * eta, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS new_cost,
                    sum((least(greatest(residual, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_0,
                    sum((least(greatest(residual * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_1,
                    greatest(sum((least(greatest(curvature, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60), 1e-18) AS curvature_0,
                    sum((least(greatest(curvature * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS curvature_1,
                    sum((least(greatest(curvature * z * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS curvature_2
                FROM (
                    SELECT part, z, eta, positive + negative AS weight, if(eta > 0, negative, -positive) AS limit_weight,
                        exp(-abs(eta)) AS tail,
                        limit_weight + if(eta > 0, -weight, weight) * tail / (1 + tail) AS residual,
                        weight * tail / ((1 + tail) * (1 + tail)) AS curvature
                    FROM (
                        SELECT part, positive, negative, (score - centre) / scale AS z,
                            (slope + length * slope_step) * z + intercept + length * intercept_step AS eta
                        FROM steps JOIN "min_cnxe_affine_points_0de0966f" AS points USING (part)
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
    SELECT part, cost / ln(2) AS cost, slope / scale AS slope, intercept - slope / scale * centre AS intercept, number > 500 AS endless
    FROM steps
    WHERE done
)
SELECT part, below_0,
    CASE
        WHEN way = 'best' THEN cost
        WHEN way = 'flattened' OR shape = 'constant' THEN shared_bits(positive, negative)
        WHEN positive_low = negative_high THEN shared_bits(at_positive_low, at_negative_high)
        WHEN positive_high = negative_low THEN shared_bits(at_positive_high, at_negative_low)
        ELSE 0
    END AS cost,
    if(way = 'best', slope, NULL) AS slope,
    if(way = 'best', intercept, NULL) AS intercept,
    way IN ('constant', 'contradictory') AS flat,
    CASE way
        WHEN 'constant' THEN 'constant scores'
        WHEN 'contradictory' THEN 'infinite scores on the wrong side of both classes'
        WHEN 'flattened' THEN 'the limit as the slope goes to 0: infinite scores'
        WHEN 'apart' THEN concat('the limit of an endless slope: separated scores', if(shape = 'downwards', ', inverted', ''))
        WHEN 'best' THEN nullif(concat_ws(', ', if(slope < 0, 'inverted scores', NULL), if(endless, 'not settled after 500 steps', NULL)), '')
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
        END AS way
    FROM cases LEFT JOIN found USING (part)
);

-- metric min_cnxe_affine, scores (specs/term_detection/quesst2015/min_cnxe_affine.yaml)
-- Minimum normalised cross entropy (C_nxe^min) as in the document: cnxe after the affine map γ·score + δ that
--   minimises it (Eqs 44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the
--   value is the limit, and `gamma` and `delta` are NULL. quesst2015.min_cnxe and quesst2015.min_cnxe_pooled
--   take any rising map instead; a negative γ is not rising.
-- The scores of the metric: the components computed from the minimum cost of each slice and from the affine
--   map slope · score + shift that has it. `prior_cost`, the entropy of the prior, is the cost without
--   scores.
CREATE TABLE "min_cnxe_affine_f645eeac" AS
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
        SELECT * EXCLUDE (cost, slope), cost AS least_cost, slope AS best_slope,
            coalesce(positives > 0 AND negatives > 0 AND prior > 0 AND prior < 1 AND NOT below_0, false) AS defined
        FROM "min_cnxe_affine_parts_67f000b8" LEFT JOIN "min_cnxe_affine_minimum_70ec6fe6" USING (part)
    ) AS parts
);

-- metric calibration_loss, scores (specs/term_detection/quesst2015/calibration_loss.yaml)
-- Calibration loss: cnxe − min_cnxe, the part of the normalised cross entropy that a rising map of the scores
--   can remove (section 4.2.5, with rising instead of affine maps). 0 is perfect calibration. In
--   sws2013.calibration_loss the minimum is over affine maps.
-- The components computed from components of other metrics, joined by slice and fold. A metric without slices
--   has the same value in every slice of the first metric.
CREATE TABLE "calibration_loss_da7cac48" AS
SELECT cnxe.scope, cnxe.slice, cnxe.breakdown,
    cnxe.value - least.value AS "value",
    nullif(concat_ws('; ', cnxe.note, least.note), '') AS note
FROM "cnxe_7e4544ff" AS cnxe
LEFT JOIN "min_cnxe_39cfb5bc" AS least
    ON least.scope = cnxe.scope;

-- relation blocks_by_query (specs/term_detection/quesst2015/lower_bound_cnxe.yaml)
-- The blocks of the isotonic calibration (pool adjacent violators), from low to high scores. All trials of a
--   block get the same log-likelihood ratio: the log odds of targets in the block less the log odds of
--   targets in all trials. `target_bits` and `nontarget_bits` are the logarithmic costs of that ratio for a
--   target and for a non-target, in bits (Eq 37, divided by ln 2). A block with 3 targets and 1 other trial,
--   of 10 targets and 90 others: ln(3/1) − ln(10/90) = 3.30.
-- "blocks_by_query_rows_0db85dbd" is what the Python function pool_adjacent_violators makes of the rows of
--   SELECT query, score, positives, negatives
--   FROM (
--       SELECT query_.query, score_.score, target::BIGINT AS positives, (NOT target)::BIGINT AS negatives, score_.place
--       FROM "trial_scores_93e90039" AS score_
--       SEMI JOIN (FROM "trial_scores_93e90039" WHERE target) AS target_ USING (query_place, score)
--       JOIN "scored_queries_17ff6ad1" AS query_ ON query_.place = score_.query_place
--       UNION ALL
--       SELECT query, high, 0, nontargets, 0
--       FROM "query_steps_bf5d6bae"
--       WHERE above OR step IS NULL
--   )
--   ORDER BY query, score, place
CREATE TABLE "blocks_by_query_74365629" AS
SELECT blocks.*, bits_of_odds(llr + log_odds) AS target_bits, bits_of_odds(-llr - log_odds) AS nontarget_bits
FROM (
    SELECT *, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM "blocks_by_query_rows_0db85dbd"
    WINDOW everything AS ()
) AS blocks
CROSS JOIN "prior_6dcdbebf";

-- metric lower_bound_cnxe, statistics per unit (specs/term_detection/quesst2015/lower_bound_cnxe.yaml)
-- Lower-bound normalised cross entropy: cnxe after a rising map of the scores for each query that minimises
--   it, found by pool adjacent violators (PAV), with equal scores ordered by their lines. The log-likelihood
--   ratio is the log odds of the map minus the log odds of a target among the trials of all queries. 0 is
--   perfect, 1 tells no more than the prior. It is at most min_cnxe, which has one map for all queries. The
--   scorer prints another number, because it has overwritten the scores by calibrated ones.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "lower_bound_cnxe_units_f8c41808" AS
SELECT "query",
    sum(positives) AS "targets",
    sum(negatives) AS "nontargets",
    exact_sum(if(positives = 0, 0, positives * target_bits)) AS "target_bits",
    exact_sum(if(negatives = 0, 0, negatives * nontarget_bits)) AS "nontarget_bits"
FROM "blocks_by_query_74365629" AS counted_rows
GROUP BY ALL;

-- metric lower_bound_cnxe, scores (specs/term_detection/quesst2015/lower_bound_cnxe.yaml)
-- Lower-bound normalised cross entropy: cnxe after a rising map of the scores for each query that minimises
--   it, found by pool adjacent violators (PAV), with equal scores ordered by their lines. The log-likelihood
--   ratio is the log odds of the map minus the log odds of a target among the trials of all queries. 0 is
--   perfect, 1 tells no more than the prior. It is at most min_cnxe, which has one map for all queries. The
--   scorer prints another number, because it has overwritten the scores by calibrated ones.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "lower_bound_cnxe_dbfefc96" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("target_bits"), 0) AS "target_bits",
        coalesce(sum("nontarget_bits"), 0) AS "nontarget_bits"
    FROM "lower_bound_cnxe_units_f8c41808"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    (p_tar * ratio(target_bits, targets) + (1 - p_tar) * ratio(nontarget_bits, nontargets)) / prior_entropy AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."target_bits" = 0 THEN 'target_bits = 0' END, CASE WHEN sums."nontarget_bits" = 0 THEN 'nontarget_bits = 0' END), '') AS note
FROM sums
LEFT JOIN (SELECT "p_tar", "prior_entropy" FROM "prior_6dcdbebf") AS given
    ON true;

-- relation trials (specs/term_detection/quesst2015/evidence.yaml)
-- Evidence: the trials with the names of their query and document, and the outcome of the decision: hit,
--   miss, false_alarm or correct_rejection.
CREATE TABLE "trials_38f7f79e" AS
SELECT query_.query, document_.doc, score_.score, score_.yes, score_.target, score_.submitted,
    CASE
        WHEN score_.target THEN if(score_.yes, 'hit', 'miss')
        ELSE if(score_.yes, 'false_alarm', 'correct_rejection')
    END AS outcome
FROM "trial_scores_93e90039" AS score_
JOIN "scored_queries_17ff6ad1" AS query_ ON query_.place = score_.query_place
JOIN "documents_5d143982" AS document_ ON document_.place = score_.doc_place;

-- metric mtwv, points of its curve (specs/term_detection/quesst2015/mtwv.yaml)
SELECT 'mtwv' AS metric, slice, rank, threshold, mark, "value", "p_miss", "p_fa", "probit_miss", "probit_fa"
FROM (
WITH
"marked_actual" AS (
    SELECT
        0 AS breakdown,
        coalesce(sum(hit_weight), 0) AS "hits",
        coalesce(sum(false_alarm_weight), 0) AS "false_alarms"
    FROM "score_steps_6bf4aa7e" AS counted_rows
    WHERE (yes)
    GROUP BY ALL
),
sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("false_alarms"), 0) AS "false_alarms"
    FROM "mtwv_units_bfabf232"
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
    LEFT JOIN (SELECT "beta" FROM "prior_6dcdbebf") AS given
        ON true
    JOIN "mtwv_sums_cf2ff629" AS running ON running.breakdown = sums.breakdown
    UNION ALL
    SELECT
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        given."beta",
0 AS "hits",
0 AS "false_alarms"
    FROM sums
    LEFT JOIN (SELECT "beta" FROM "prior_6dcdbebf") AS given
        ON true
    UNION ALL
    SELECT
        sums.slice, sums.breakdown, NULL AS rank, NULL AS threshold, 'actual' AS mark,
        {"hits": sums."hits", "false_alarms": sums."false_alarms" } AS total,
        given."beta",
coalesce(marked."hits", 0) AS "hits",
coalesce(marked."false_alarms", 0) AS "false_alarms"
    FROM sums
    LEFT JOIN (SELECT "beta" FROM "prior_6dcdbebf") AS given
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
    FROM "mtwv_sums_cf2ff629"
    GROUP BY ALL
),
placed AS (
    SELECT at_points.* EXCLUDE (mark), coalesce(length, 0) AS length,
        coalesce(mark, CASE
            WHEN rank = coalesce(chosen.best_rank, -1) THEN 'best' END) AS mark
    FROM at_points
    LEFT JOIN lengths ON lengths.breakdown = at_points.breakdown
    LEFT JOIN "mtwv_e03cb653" AS chosen ON chosen.breakdown = at_points.breakdown
)
SELECT slice, rank, threshold, mark,
    "value"::DOUBLE AS "value",
    "p_miss"::DOUBLE AS "p_miss",
    "p_fa"::DOUBLE AS "p_fa",
    "probit_miss"::DOUBLE AS "probit_miss",
    "probit_fa"::DOUBLE AS "probit_fa"
FROM placed
WHERE mark IS NOT NULL OR rank IN (0, 1, length) OR rank % ceil(length / 10000)::BIGINT = 0
ORDER BY breakdown, slice::VARCHAR, rank NULLS LAST, mark
);

-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
SELECT 0 AS position, 0 AS variant, breakdown, place, 'atwv' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "atwv_3d9e1832"
)
UNION ALL
SELECT 1 AS position, 0 AS variant, breakdown, place, 'mtwv' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    coalesce(remark, remark(value, note)) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
        {'place': 1, 'component': 'p_miss', 'value': "p_miss"::DOUBLE, 'remark': NULL::VARCHAR},
        {'place': 2, 'component': 'p_fa', 'value': "p_fa"::DOUBLE, 'remark': NULL::VARCHAR},
        {'place': 3, 'component': 'threshold', 'value': "threshold"::DOUBLE, 'remark': remark}
    ], recursive := true)
    FROM "mtwv_e03cb653"
)
UNION ALL
SELECT 2 AS position, 0 AS variant, breakdown, place, 'p_miss' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "p_miss_27a7ede8"
)
UNION ALL
SELECT 3 AS position, 0 AS variant, breakdown, place, 'p_fa' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "p_fa_b3dd78aa"
)
UNION ALL
SELECT 4 AS position, 0 AS variant, breakdown, place, 'counts' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'queries', 'value': "queries"::DOUBLE},
        {'place': 1, 'component': 'targets', 'value': "targets"::DOUBLE},
        {'place': 2, 'component': 'detections', 'value': "detections"::DOUBLE},
        {'place': 3, 'component': 'hits', 'value': "hits"::DOUBLE},
        {'place': 4, 'component': 'misses', 'value': "misses"::DOUBLE},
        {'place': 5, 'component': 'false_alarms', 'value': "false_alarms"::DOUBLE},
        {'place': 6, 'component': 'correct_rejections', 'value': "correct_rejections"::DOUBLE}
    ], recursive := true)
    FROM "counts_0e064013"
)
UNION ALL
SELECT 5 AS position, 0 AS variant, breakdown, place, 'upper_bound_twv' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "upper_bound_twv_a79555de"
)
UNION ALL
SELECT 6 AS position, 0 AS variant, breakdown, place, 'bayes_twv' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "bayes_twv_855a7f44"
)
UNION ALL
SELECT 7 AS position, 0 AS variant, breakdown, place, 'cost' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'c_det', 'value': "c_det"::DOUBLE},
        {'place': 1, 'component': 'c_default', 'value': "c_default"::DOUBLE},
        {'place': 2, 'component': 'c_norm', 'value': "c_norm"::DOUBLE}
    ], recursive := true)
    FROM "cost_0aca36bd"
)
UNION ALL
SELECT 8 AS position, 0 AS variant, breakdown, place, 'prior' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'p_tar', 'value': "p_tar"::DOUBLE},
        {'place': 1, 'component': 'beta', 'value': "beta"::DOUBLE},
        {'place': 2, 'component': 'p_target', 'value': "p_target"::DOUBLE},
        {'place': 3, 'component': 'theta_mincost', 'value': "theta_mincost"::DOUBLE}
    ], recursive := true)
    FROM "prior_9b63eee1"
)
UNION ALL
SELECT 9 AS position, 0 AS variant, breakdown, place, 'cnxe' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
        {'place': 1, 'component': 'cross_entropy', 'value': "cross_entropy"::DOUBLE},
        {'place': 2, 'component': 'prior_entropy', 'value': "prior_entropy"::DOUBLE}
    ], recursive := true)
    FROM "cnxe_7e4544ff"
)
UNION ALL
SELECT 10 AS position, 0 AS variant, breakdown, place, 'min_cnxe' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "min_cnxe_39cfb5bc"
)
UNION ALL
SELECT 11 AS position, 0 AS variant, breakdown, place, 'min_cnxe_pooled' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "min_cnxe_pooled_2daaa62d"
)
UNION ALL
SELECT 12 AS position, 0 AS variant, breakdown, place, 'min_cnxe_affine' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    coalesce(remark, remark(value, note)) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': remark},
        {'place': 1, 'component': 'gamma', 'value': "gamma"::DOUBLE, 'remark': remark},
        {'place': 2, 'component': 'delta', 'value': "delta"::DOUBLE, 'remark': remark}
    ], recursive := true)
    FROM "min_cnxe_affine_f645eeac"
)
UNION ALL
SELECT 13 AS position, 0 AS variant, breakdown, place, 'calibration_loss' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "calibration_loss_da7cac48"
)
UNION ALL
SELECT 14 AS position, 0 AS variant, breakdown, place, 'lower_bound_cnxe' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "lower_bound_cnxe_dbfefc96"
)
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

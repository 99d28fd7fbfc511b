-- input measurements (specs/term_detection/tables.yaml): Processor time and memory of the system. One
--   row per phase and computer, or step. Other columns of the file may describe the hardware and can be named
--   by --by.
CREATE TABLE IF NOT EXISTS "measurements" (line BIGINT, "phase" VARCHAR, "node" VARCHAR, "cpu_hours" DOUBLE, "wall_hours" DOUBLE, "cores" BIGINT, "peak_gb" DOUBLE);

-- input query_examples (specs/term_detection/tables.yaml): Spoken examples of the queries. One row per
--   example; the durations of all examples count (Eq 47).
CREATE TABLE IF NOT EXISTS "query_examples" (line BIGINT, "query" VARCHAR, "example" VARCHAR, "dur" DOUBLE);

-- input audio (specs/term_detection/tables.yaml): Audio that is searched. One row per excerpt. Any other
--   column of the file can be named by --by.
CREATE TABLE IF NOT EXISTS "audio" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "source_type" VARCHAR);

-- relation phase_costs (specs/term_detection/resources/resources.yaml)
-- The phases index and search, each with its CPU hours (wall hours times cores where CPU hours are not
--   given), summed over its measurements, its peak memory, the duration of the audio T_Ω and that of all
--   query examples T_Q (Eq 47), both in hours. ISF, SSF (Eq 46) and processing load (Eq 48) are computed from
--   these.
CREATE TABLE "phase_costs_6cd75618" AS
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

-- metric isf, statistics per unit (specs/term_detection/resources/isf.yaml)
-- Indexing speed factor (ISF): CPU hours of indexing divided by hours of audio (section 4.3; the equation has
--   no number). A real-time factor without a unit: 1 means that one CPU indexes an hour of audio in an hour.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "isf_units_7da341cd" AS
SELECT
    sum(cpu_hours) AS "cpu_hours",
    max(audio_hours) AS "audio_hours",
    max(query_hours) AS "query_hours"
FROM "phase_costs_6cd75618" AS counted_rows
WHERE phase = 'index'
GROUP BY ALL;

-- metric isf, scores (specs/term_detection/resources/isf.yaml)
-- Indexing speed factor (ISF): CPU hours of indexing divided by hours of audio (section 4.3; the equation has
--   no number). A real-time factor without a unit: 1 means that one CPU indexes an hour of audio in an hour.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "isf_17118e4b" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("cpu_hours"), 0) AS "cpu_hours",
        coalesce(sum("audio_hours"), 0) AS "audio_hours",
        coalesce(sum("query_hours"), 0) AS "query_hours"
    FROM "isf_units_7da341cd"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(cpu_hours, audio_hours) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."cpu_hours" = 0 THEN 'cpu_hours = 0' END, CASE WHEN sums."audio_hours" = 0 THEN 'audio_hours = 0' END, CASE WHEN sums."query_hours" = 0 THEN 'query_hours = 0' END), '') AS note
FROM sums;

-- metric ssf, statistics per unit (specs/term_detection/resources/ssf.yaml)
-- Searching speed factor (SSF): CPU hours of searching divided by hours of query examples times hours of
--   audio (Eq 46). All spoken examples of a query count (Eq 47). In contrast to isf it has a unit, 1/h.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "ssf_units_6241cfaf" AS
SELECT
    sum(cpu_hours) AS "cpu_hours",
    max(audio_hours) AS "audio_hours",
    max(query_hours) AS "query_hours"
FROM "phase_costs_6cd75618" AS counted_rows
WHERE phase = 'search'
GROUP BY ALL;

-- metric ssf, scores (specs/term_detection/resources/ssf.yaml)
-- Searching speed factor (SSF): CPU hours of searching divided by hours of query examples times hours of
--   audio (Eq 46). All spoken examples of a query count (Eq 47). In contrast to isf it has a unit, 1/h.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "ssf_42846814" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("cpu_hours"), 0) AS "cpu_hours",
        coalesce(sum("audio_hours"), 0) AS "audio_hours",
        coalesce(sum("query_hours"), 0) AS "query_hours"
    FROM "ssf_units_6241cfaf"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(cpu_hours, query_hours * audio_hours) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."cpu_hours" = 0 THEN 'cpu_hours = 0' END, CASE WHEN sums."audio_hours" = 0 THEN 'audio_hours = 0' END, CASE WHEN sums."query_hours" = 0 THEN 'query_hours = 0' END), '') AS note
FROM sums;

-- metric pmu_index, statistics per unit (specs/term_detection/resources/pmu_index.yaml)
-- Peak memory usage (PMU) of indexing: the largest peak of all computers and steps, in GB (section 4.3).
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "pmu_index_units_bb23db31" AS
SELECT
    count(*) AS "phases",
    max(peak_gb) AS "peak_gb"
FROM "phase_costs_6cd75618" AS counted_rows
WHERE phase = 'index'
GROUP BY ALL;

-- metric pmu_index, scores (specs/term_detection/resources/pmu_index.yaml)
-- Peak memory usage (PMU) of indexing: the largest peak of all computers and steps, in GB (section 4.3).
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "pmu_index_112503ab" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("phases"), 0) AS "phases",
        coalesce(sum("peak_gb"), 0) AS "peak_gb"
    FROM "pmu_index_units_bb23db31"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(phases = 0, NULL, peak_gb) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."phases" = 0 THEN 'phases = 0' END, CASE WHEN sums."peak_gb" = 0 THEN 'peak_gb = 0' END), '') AS note
FROM sums;

-- metric pmu_search, statistics per unit (specs/term_detection/resources/pmu_search.yaml)
-- Peak memory usage (PMU) of searching: the largest peak of all computers and steps, in GB (section 4.3).
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "pmu_search_units_b5f91bf6" AS
SELECT
    count(*) AS "phases",
    max(peak_gb) AS "peak_gb"
FROM "phase_costs_6cd75618" AS counted_rows
WHERE phase = 'search'
GROUP BY ALL;

-- metric pmu_search, scores (specs/term_detection/resources/pmu_search.yaml)
-- Peak memory usage (PMU) of searching: the largest peak of all computers and steps, in GB (section 4.3).
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "pmu_search_559cdf26" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("phases"), 0) AS "phases",
        coalesce(sum("peak_gb"), 0) AS "peak_gb"
    FROM "pmu_search_units_b5f91bf6"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(phases = 0, NULL, peak_gb) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."phases" = 0 THEN 'phases = 0' END, CASE WHEN sums."peak_gb" = 0 THEN 'peak_gb = 0' END), '') AS note
FROM sums;

-- metric processing_load, scores (specs/term_detection/resources/processing_load.yaml)
-- Processing load (PL): λ·isf·pmu_index + (1 − λ)·ssf·pmu_search (Eq 48), with times in hours and memory in
--   GB. It adds GB and GB/h, so that it has no single unit.
-- The components computed from components of other metrics, joined by slice and fold. A metric without slices
--   has the same value in every slice of the first metric.
CREATE TABLE "processing_load_77b3ecdc" AS
SELECT isf.scope, isf.slice, isf.breakdown,
    0.1e0 * isf.value * pmu_index.value + (1 - 0.1e0) * ssf.value * pmu_search.value AS "value",
    nullif(concat_ws('; ', isf.note, ssf.note, pmu_index.note, pmu_search.note), '') AS note
FROM "isf_17118e4b" AS isf
LEFT JOIN "ssf_42846814" AS ssf
    ON ssf.scope = isf.scope
LEFT JOIN "pmu_index_112503ab" AS pmu_index
    ON pmu_index.scope = isf.scope
LEFT JOIN "pmu_search_559cdf26" AS pmu_search
    ON pmu_search.scope = isf.scope;

-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
SELECT 0 AS position, 0 AS variant, breakdown, place, 'isf' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "isf_17118e4b"
)
UNION ALL
SELECT 1 AS position, 0 AS variant, breakdown, place, 'ssf' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "ssf_42846814"
)
UNION ALL
SELECT 2 AS position, 0 AS variant, breakdown, place, 'pmu_index' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "pmu_index_112503ab"
)
UNION ALL
SELECT 3 AS position, 0 AS variant, breakdown, place, 'pmu_search' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "pmu_search_559cdf26"
)
UNION ALL
SELECT 4 AS position, 0 AS variant, breakdown, place, 'processing_load' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "processing_load_77b3ecdc"
)
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

-- ## steps of der_dscore
Suite_der_dscore, SQL_macros_that_the_steps_use, microseconds, ratio, jaccard_error, seconds, first_frame,
exact_sum, finite, remark, slice_order, reference, hypothesis, uem, given_turns, given_regions,
found_recordings, default_regions, scored_regions, turns, zones, scored_recordings, timeline, speech,
shared_speech, segments, speakers, pair_times, speaker_mapping, segment_outcomes, der_units, der, frame_turns,
frame_speech, frame_speakers, frame_pairs, frame_mapping, speaker_errors, jer_units, jer, the_scores

-- ## steps of der_mdeval
Suite_der_mdeval, der_dscore.SQL_macros_that_the_steps_use, der_dscore.microseconds, der_dscore.ratio,
der_dscore.jaccard_error, der_dscore.seconds, der_dscore.finite, der_dscore.remark, der_dscore.slice_order,
der_dscore.reference, der_dscore.hypothesis, der_dscore.uem, other_lines, reference_channels, given_turns,
given_regions, found_recordings, timed_lines, default_regions, der_dscore.scored_regions, speaking, zones,
timeline, speech, der_dscore.shared_speech, der_dscore.segments, der_dscore.speakers, der_dscore.pair_times,
der_dscore.speaker_mapping, der_dscore.segment_outcomes, der_dscore.der_units, der_dscore.der,
detection_units, detection, the_scores

-- ## steps of der_pyannote
Suite_der_pyannote, der_dscore.SQL_macros_that_the_steps_use, der_dscore.microseconds, der_dscore.ratio,
der_dscore.jaccard_error, der_dscore.seconds, der_dscore.exact_sum, fscore, der_dscore.finite,
der_dscore.remark, der_dscore.slice_order, der_dscore.reference, der_dscore.hypothesis, der_dscore.uem,
der_dscore.given_turns, der_dscore.given_regions, found_recordings, der_dscore.default_regions,
der_dscore.scored_regions, zones, timeline, speech, der_dscore.shared_speech, der_dscore.segments,
der_dscore.speakers, pair_times, der_dscore.speaker_mapping, der_dscore.segment_outcomes,
der_dscore.der_units, der_dscore.der, speaker_errors, jer_units, jer, purest_times, purity_units, purity,
coverage_units, coverage, purity_coverage, speaker_counts, speaker_count_units, speaker_count,
der_mdeval.detection_units, der_mdeval.detection, the_scores

-- ## der_dscore.Suite_der_dscore
-- Suite der_dscore: Speaker diarization as dscore of the DIHARD challenges scores it: DER and JER. A collar
--   is the time before and after a boundary.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, uem; also the tables
--   …_rows_…, which Python functions make
-- Order: each of the 26 steps reads inputs and steps above it. Metrics: segment_outcomes → der;
--   speaker_errors → jer

-- ## der_dscore.SQL_macros_that_the_steps_use
-- SQL macros that the steps use

-- ## der_dscore.microseconds
-- Time in whole microseconds, from seconds. Halves are rounded to the even number. Whole numbers can be compared exactly.
CREATE OR REPLACE MACRO microseconds(seconds) AS (
    round_even(seconds * 1e6, 0)::BIGINT
);

-- ## der_dscore.ratio
-- Quotient a / b as a DOUBLE. It is NULL if b is 0; the score is then undefined.
CREATE OR REPLACE MACRO ratio(a, b) AS (
    (a)::DOUBLE / nullif((b)::DOUBLE, 0)
);

-- ## der_dscore.jaccard_error
-- Jaccard error of two sets, 1 - (size of the intersection) / (size of the union), from the sizes of the sets and of their intersection. It is NULL if both sets are empty.
CREATE OR REPLACE MACRO jaccard_error(left_size, right_size, shared_size) AS (
    1 - ratio(shared_size, left_size + right_size - shared_size)
);

-- ## der_dscore.seconds
-- Time in seconds, from whole microseconds.
CREATE OR REPLACE MACRO seconds(microseconds) AS (
    (microseconds)::DOUBLE / 1e6
);

-- ## der_dscore.first_frame
-- Number of the first frame at or after a time, when frame i is at i * step. The products are compared with the time as binary64 numbers, as in numpy. searchsorted(step * arange(n), time) has the same result.
CREATE OR REPLACE MACRO first_frame(time, step) AS (
    floor(time / step)::BIGINT
        + if(floor(time / step) * step < time, 1, if((floor(time / step) - 1) * step >= time, -1, 0))
);

-- ## der_dscore.exact_sum
-- Sum of DOUBLEs that does not depend on the order of rows, because each value is first rounded to 18 decimals.
CREATE OR REPLACE MACRO exact_sum(x) AS (
    sum((x)::DECIMAL(38, 18))
);

-- ## der_dscore.finite
-- The value x, or NULL if x is infinite or not a number. The results table scores has only finite values.
CREATE OR REPLACE MACRO finite(x) AS (
    if(isfinite(x), x, NULL)
);

-- ## der_dscore.remark
-- Note in the results table scores on a component with the value x: the reason why x is undefined, or that x is infinite. If x is a finite number, it keeps only a note of the form "defined in 3 of 4 units".
CREATE OR REPLACE MACRO remark(x, note) AS (
    CASE
    WHEN x IS NULL THEN concat('undefined', ': ' || note)
    WHEN isnan(x) THEN 'undefined: not a number'
    WHEN isinf(x) THEN if(x > 0, 'infinite', 'minus infinite')
    WHEN note LIKE 'defined in%' THEN note
    END
);

-- ## der_dscore.slice_order
-- Key by which rows of scores are ordered: for each column of a slice its name and its value. Numbers are ordered as numbers, also those that a file has as text, and come before other texts. A column without a value comes last.
CREATE OR REPLACE MACRO slice_order(slice) AS (
    list_transform(list_zip(json_keys(slice), json_extract_string(slice, '$.*')), lambda pair: {
        'name': pair[1],
        'number': if(regexp_full_match(pair[2], '-?\d+(\.\d+)?([eE][-+]?\d+)?|-Infinity'),
            coalesce(try_cast(pair[2] AS DOUBLE), 'Infinity'), 'Infinity'),
        'text': pair[2]
    })
);

-- ## der_dscore.reference
-- input reference (specs/diarization/tables.yaml): One row per turn of a speaker in the reference. The
--   column doc is the name of the recording, here and in all tables of the domain. Turns can be in any order,
--   and turns of different speakers can overlap.
CREATE TABLE IF NOT EXISTS "reference" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "speaker" VARCHAR);

-- ## der_dscore.hypothesis
-- input hypothesis (specs/diarization/tables.yaml): One row per turn of a speaker that the system found.
--   Speakers may have other names than in the reference.
CREATE TABLE IF NOT EXISTS "hypothesis" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "speaker" VARCHAR);

-- ## der_dscore.uem
-- input uem (specs/diarization/tables.yaml): One row per region of a recording that is scored
--   (un-partitioned evaluation map). If the input is not given, the region of a recording follows from its
--   turns (default_region).
CREATE TABLE IF NOT EXISTS "uem" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## der_dscore.given_turns
-- relation given_turns (specs/diarization/shared/segments.yaml)
-- The turns of both sides. A turn shorter than a microsecond is none.
CREATE TABLE "given_turns" AS
WITH turns AS (
    SELECT 'reference' AS side, doc, speaker, tbeg, dur FROM "reference"
    UNION ALL
    SELECT 'hypothesis', doc, speaker, tbeg, dur FROM "hypothesis"
)
SELECT side, doc, speaker, microseconds(tbeg) AS onset, microseconds(tbeg + dur) AS "offset"
FROM turns
WHERE onset < "offset";

-- ## der_dscore.given_regions
-- relation given_regions (specs/diarization/shared/segments.yaml)
-- The regions of the input uem, in microseconds. One row per region.
CREATE TABLE "given_regions" AS
SELECT doc, microseconds(onset) AS onset, microseconds("offset") AS "offset" FROM "uem";

-- ## der_dscore.found_recordings
-- relation found_recordings (specs/diarization/shared/segments.yaml)
-- With listed_only, the region of a recording must be in `uem`. Without own_overlap=count, a repeated turn
--   changes nothing.
CREATE TABLE "found_recordings" AS
WITH found AS (
    SELECT doc, side, speaker, onset, "offset" FROM "given_turns"
    UNION ALL
    SELECT doc, 'uem', NULL, onset, "offset" FROM "given_regions"
)
SELECT doc, bool_or(side = 'reference') AS in_reference, bool_or(side = 'hypothesis') AS in_hypothesis,
    true AS listed,
    in_reference AND listed AS scored,
    false AS of_channel,
    0 AS repeated_turns
FROM found
GROUP BY doc;

-- ## der_dscore.default_regions
-- relation default_regions (specs/diarization/shared/segments.yaml)
-- The regions of recordings without a region in uem. One row per recording.
CREATE TABLE "default_regions" AS
SELECT doc, min(onset) AS onset, max("offset") AS "offset"
FROM "given_turns"
GROUP BY doc;

-- ## der_dscore.scored_regions
-- relation scored_regions (specs/diarization/shared/segments.yaml)
-- The regions of `uem`, and one region for each recording without a region there.
CREATE TABLE "scored_regions" AS
FROM "given_regions"
SEMI JOIN (FROM "found_recordings" WHERE scored) USING (doc)
UNION ALL
FROM "default_regions"
SEMI JOIN (FROM "found_recordings" WHERE scored) USING (doc);

-- ## der_dscore.turns
-- relation turns (specs/diarization/shared/segments.yaml)
-- A turn that crosses several regions is cut into one part per region.
CREATE TABLE "turns" AS
WITH trimmed AS (
    SELECT side, doc, speaker, greatest(turn_.onset, region_.onset) AS onset,
        least(turn_."offset", region_."offset") AS "offset"
    FROM "given_turns" AS turn_
    JOIN "scored_regions" AS region_ USING (doc)
    WHERE turn_.onset < region_."offset" AND region_.onset < turn_."offset"
)
SELECT side, doc, speaker, min(onset) AS onset, max("offset") AS "offset"
FROM (
    SELECT *, sum(begins::BIGINT) OVER (PARTITION BY side, doc, speaker ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS turn
    FROM (
        SELECT *, coalesce(onset >= max("offset") OVER (
            PARTITION BY side, doc, speaker ORDER BY onset, "offset" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), true) AS begins
        FROM trimmed
    )
)
GROUP BY side, doc, speaker, turn;

-- ## der_dscore.zones
-- relation zones (specs/diarization/shared/segments.yaml)
-- Times that are not scored. One row per zone; zones can overlap.
CREATE TABLE "zones" AS
SELECT doc, boundary - microseconds(0.0e0) AS onset, boundary + microseconds(0.0e0) AS "offset", 'no_score' AS kind
FROM (SELECT doc, unnest([onset, "offset"]) AS boundary FROM "turns" WHERE side = 'reference')
WHERE onset < "offset";

-- ## der_dscore.scored_recordings
-- relation scored_recordings (specs/diarization/shared/segments.yaml)
-- The recordings that are scored, and whether the reference has a turn in their regions. Without such a turn,
--   dscore does not score a recording. One row per recording.
CREATE TABLE "scored_recordings" AS
SELECT doc, doc IN (SELECT doc FROM "turns" WHERE side = 'reference') AS has_speech
FROM "found_recordings"
WHERE scored;

-- ## der_dscore.timeline
-- relation timeline (specs/diarization/shared/segments.yaml)
-- A running sum over the boundaries of a recording counts what goes on after each boundary: regions, zones
--   and turns. All five counters are in one number, seven digits each, because one sum takes a third of the
--   time of five sums. Time is hidden from the score by one no_score zone or two reference turns, so a zone
--   counts as two. Of several boundaries at the same time, the last one has the sum over all of them, in
--   whatever order they come. So the others are left out, and numbers of segments have gaps. (Grouping the
--   boundaries by time instead takes ten times the memory.) After turns are cut to the regions, the reference
--   can have none in a recording.
CREATE TABLE "timeline" AS
WITH spans AS (
    SELECT doc, onset, "offset", 1::HUGEINT AS counters FROM "scored_regions"
    UNION ALL
    SELECT doc, onset, "offset", if(kind = 'no_eval', 10000000, 200000000000000) FROM "zones"
    UNION ALL
    SELECT doc, onset, "offset", if(side = 'reference', 1000000000000000000000, 10000000000000000000000000000) FROM "turns"
),
boundaries AS (
    SELECT doc, unnest([onset, "offset"]) AS boundary, unnest([counters, -counters]) AS step
    FROM spans
    SEMI JOIN (FROM "scored_recordings" WHERE has_speech) USING (doc)
),
counted AS (
    SELECT doc, boundary, lead(boundary) OVER upto - boundary AS duration, row_number() OVER upto AS segment,
        sum(step) OVER upto AS counters
    FROM boundaries
    WINDOW upto AS (PARTITION BY doc ORDER BY boundary ROWS UNBOUNDED PRECEDING)
)
SELECT doc, boundary, duration, segment,
    counters % 10000000 > 0 AND counters // 10000000 % 10000000 = 0 AS evaluated,
    evaluated AND counters // 100000000000000 % 10000000 < 2 AS scored,
    (counters // 1000000000000000000000 % 10000000)::BIGINT AS n_reference, (counters // 10000000000000000000000000000)::BIGINT AS n_hypothesis
FROM counted
WHERE duration IS NULL OR duration > 0;

-- ## der_dscore.speech
-- relation speech (specs/diarization/shared/segments.yaml)
-- The segments of a turn are those from its first boundary to its last one.
CREATE TABLE "speech" AS
WITH covered AS (
    SELECT side, turn_.doc, speaker, unnest(range(first_.segment, last_.segment)) AS segment
    FROM "turns" AS turn_
    JOIN "timeline" AS first_ ON turn_.doc = first_.doc AND turn_.onset = first_.boundary
    JOIN "timeline" AS last_ ON turn_.doc = last_.doc AND turn_."offset" = last_.boundary
)
SELECT side, doc, speaker, segment, 1 AS turns FROM covered;

-- ## der_dscore.shared_speech
-- relation shared_speech (specs/diarization/shared/segments.yaml)
-- Speakers of both sides are paired in the segments in which both speak.
CREATE TABLE "shared_speech" AS
SELECT doc, segment, reference_.speaker AS reference_speaker, hypothesis_.speaker AS hypothesis_speaker,
    reference_.turns * hypothesis_.turns AS pairs, least(reference_.turns, hypothesis_.turns) AS correct
FROM "speech" AS reference_
JOIN "speech" AS hypothesis_ USING (doc, segment)
WHERE reference_.side = 'reference' AND hypothesis_.side = 'hypothesis';

-- ## der_dscore.segments
-- relation segments (specs/diarization/shared/segments.yaml)
-- The segments in the regions. One row per segment.
CREATE TABLE "segments" AS
SELECT doc, segment, boundary AS onset, boundary + duration AS "offset", duration, scored, n_reference, n_hypothesis
FROM "timeline"
WHERE evaluated;

-- ## der_dscore.speakers
-- relation speakers (specs/diarization/shared/segments.yaml)
-- Speakers are numbered by name, because the mapping of speakers works with numbers.
CREATE TABLE "speakers" AS
SELECT side, doc, speaker, row_number() OVER (PARTITION BY side, doc ORDER BY speaker) AS number,
    sum(duration)::BIGINT AS evaluated_time, sum(if(scored, duration, 0))::BIGINT AS scored_time
FROM "speech"
JOIN "segments" USING (doc, segment)
GROUP BY side, doc, speaker;

-- ## der_dscore.pair_times
-- relation pair_times (specs/diarization/shared/segments.yaml)
-- Time of overlapping turns of one speaker counts for each of them in `mapping_time`, as in pyannote.metrics.
CREATE TABLE "pair_times" AS
SELECT doc, reference_speaker, hypothesis_speaker,
    sum(duration * pairs)::BIGINT AS mapping_time,
    sum(if(scored, duration * correct, 0))::BIGINT AS correct_time,
    sum(if(scored, duration, 0))::BIGINT AS scored_time, sum(duration)::BIGINT AS evaluated_time
FROM "shared_speech"
JOIN "segments" USING (doc, segment)
GROUP BY ALL;

-- ## der_dscore.speaker_mapping
-- relation speaker_mapping (specs/diarization/shared/segments.yaml)
-- The function is given every pair of speakers. Pairs without a common time are not mapped.
-- "speaker_mapping_rows" is what the Python function best_matching makes of the rows of
--   SELECT doc, reference_.number AS left_row, hypothesis_.number AS right_row, coalesce(mapping_time, 0) AS gain_1,
--       coalesce(correct_time, 0) AS gain_2,
--       coalesce(round(1e12 * (1 - jaccard_error(reference_.scored_time, hypothesis_.scored_time, pair_.scored_time))), 0)::BIGINT
--           AS gain_3
--   FROM "speakers" AS reference_
--   JOIN "speakers" AS hypothesis_ USING (doc)
--   LEFT JOIN "pair_times" AS pair_
--       ON pair_.doc = doc AND reference_speaker = reference_.speaker AND hypothesis_speaker = hypothesis_.speaker
--   WHERE reference_.side = 'reference' AND hypothesis_.side = 'hypothesis'
--   ORDER BY doc, left_row, right_row
CREATE TABLE "speaker_mapping" AS
SELECT pair_.*
FROM "speaker_mapping_rows" AS row_
JOIN (FROM "speakers" WHERE side = 'reference') AS reference_ ON row_.doc = reference_.doc AND left_row = reference_.number
JOIN (FROM "speakers" WHERE side = 'hypothesis') AS hypothesis_ ON row_.doc = hypothesis_.doc AND right_row = hypothesis_.number
JOIN "pair_times" AS pair_
    ON row_.doc = pair_.doc AND reference_speaker = reference_.speaker AND hypothesis_speaker = hypothesis_.speaker
WHERE mapping_time > 0;

-- ## der_dscore.segment_outcomes
-- relation segment_outcomes (specs/diarization/shared/segments.yaml)
-- Speakers whose partner also speaks are correct. Of the others, as many as both sides have are confused; the
--   rest is missed or a false alarm.
CREATE TABLE "segment_outcomes" AS
WITH correct AS (
    SELECT doc, segment, sum(correct)::BIGINT AS n_correct
    FROM "shared_speech"
    SEMI JOIN "speaker_mapping" USING (doc, reference_speaker, hypothesis_speaker)
    GROUP BY doc, segment
)
SELECT doc, onset, "offset", duration, n_reference, n_hypothesis, coalesce(n_correct, 0) AS n_correct,
    greatest(n_reference - n_hypothesis, 0) AS n_missed, greatest(n_hypothesis - n_reference, 0) AS n_false_alarm,
    least(n_reference, n_hypothesis) - coalesce(n_correct, 0) AS n_confused,
    CASE
    WHEN n_reference = 0 AND n_hypothesis = 0 THEN 'silence'
    ELSE coalesce(nullif(concat_ws(' and ', if(n_missed > 0, 'missed', NULL), if(n_false_alarm > 0, 'false alarm', NULL),
        if(n_confused > 0, 'confusion', NULL)), ''), 'correct')
    END AS outcome
FROM "segments"
LEFT JOIN correct USING (doc, segment)
WHERE scored;

-- ## der_dscore.der_units
-- metric der, statistics per unit (specs/diarization/shared/der.yaml)
-- Diarization error rate (DER): (missed + false_alarm + confusion) / scored. In each recording, the speakers
--   of the hypothesis are mapped one to one to speakers of the reference, so that the time when both of a
--   pair speak is longest. Time when several speakers speak is counted for each speaker. 0 is perfect. The
--   rate can exceed 1 if there are many false alarms.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "der_units" AS
SELECT "doc",
    sum(duration * n_missed) AS "missed_us",
    sum(duration * n_false_alarm) AS "false_alarm_us",
    sum(duration * n_confused) AS "confusion_us",
    sum(duration * n_reference) AS "scored_us"
FROM "segment_outcomes" AS counted_rows
GROUP BY ALL;

-- ## der_dscore.der
-- metric der, scores (specs/diarization/shared/der.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "der" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("missed_us"), 0) AS "missed_us",
        coalesce(sum("false_alarm_us"), 0) AS "false_alarm_us",
        coalesce(sum("confusion_us"), 0) AS "confusion_us",
        coalesce(sum("scored_us"), 0) AS "scored_us"
    FROM "der_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(missed_us + false_alarm_us + confusion_us, scored_us) AS "value",
    seconds(missed_us) AS "missed",
    seconds(false_alarm_us) AS "false_alarm",
    seconds(confusion_us) AS "confusion",
    seconds(scored_us) AS "scored",
    CASE WHEN scored_us = 0 THEN 'nobody speaks in the scored time of the reference' ELSE nullif(concat_ws(', ', CASE WHEN sums."missed_us" = 0 THEN 'missed_us = 0' END, CASE WHEN sums."false_alarm_us" = 0 THEN 'false_alarm_us = 0' END, CASE WHEN sums."confusion_us" = 0 THEN 'confusion_us = 0' END, CASE WHEN sums."scored_us" = 0 THEN 'scored_us = 0' END), '') END AS note
FROM sums;

-- ## der_dscore.frame_turns
-- relation frame_turns (specs/diarization/der_dscore/jer.yaml)
-- Times are binary64 numbers in seconds as in dscore, because the sum of a start and a duration can be
--   slightly above or below the time of a frame. dscore refuses turns without a duration.
CREATE TABLE "frame_turns" AS
WITH given AS (
    SELECT 'reference' AS side, doc, speaker, tbeg AS onset, tbeg + dur AS "offset" FROM "reference" WHERE dur > 0
    UNION ALL
    SELECT 'hypothesis', doc, speaker, tbeg, tbeg + dur FROM "hypothesis" WHERE dur > 0
),
regions AS (
    SELECT doc, min(onset) AS onset, max("offset") AS "offset", max("offset") AS last_offset FROM given GROUP BY doc
)
SELECT side, turn_.doc, speaker,
    first_frame(greatest(turn_.onset, region_.onset), 0.01e0) AS onset,
    least(first_frame(least(turn_."offset", region_."offset"), 0.01e0),
        trunc(last_offset / 0.01e0)::BIGINT) AS "offset"
FROM given AS turn_
JOIN regions AS region_ USING (doc)
WHERE turn_.onset < region_."offset" AND region_.onset < turn_."offset";

-- ## der_dscore.frame_speech
-- relation frame_speech (specs/diarization/der_dscore/jer.yaml)
-- Boundaries of turns cut a recording into segments, and each turn covers those from its first to its last
--   boundary.
CREATE TABLE "frame_speech" AS
WITH spans AS (
    SELECT side, doc, speaker, min(onset) AS onset, max("offset") AS "offset"
    FROM (
        SELECT *, sum(begins::BIGINT) OVER (PARTITION BY side, doc, speaker ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS turn
        FROM (
            SELECT *, coalesce(onset >= max("offset") OVER (
                PARTITION BY side, doc, speaker ORDER BY onset, "offset" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), true) AS begins
            FROM (FROM "frame_turns" WHERE onset < "offset")
        )
    )
    GROUP BY side, doc, speaker, turn
),
segments AS (
    SELECT doc, boundary, row_number() OVER upto AS segment, lead(boundary) OVER upto - boundary AS frames
    FROM (SELECT DISTINCT doc, unnest([onset, "offset"]) AS boundary FROM spans)
    WINDOW upto AS (PARTITION BY doc ORDER BY boundary)
),
covered AS (
    SELECT side, span_.doc, speaker, unnest(range(first_.segment, last_.segment)) AS segment
    FROM spans AS span_
    JOIN segments AS first_ ON span_.doc = first_.doc AND span_.onset = first_.boundary
    JOIN segments AS last_ ON span_.doc = last_.doc AND span_."offset" = last_.boundary
)
SELECT side, doc, speaker, segment, frames
FROM covered
JOIN segments USING (doc, segment);

-- ## der_dscore.frame_speakers
-- relation frame_speakers (specs/diarization/der_dscore/jer.yaml)
-- A speaker whose turns have no frame is a speaker, too.
CREATE TABLE "frame_speakers" AS
SELECT side, doc, speaker, row_number() OVER (PARTITION BY side, doc ORDER BY speaker) AS number,
    coalesce(sum(frames), 0)::BIGINT AS frames
FROM (SELECT DISTINCT side, doc, speaker FROM "frame_turns")
LEFT JOIN "frame_speech" USING (side, doc, speaker)
GROUP BY side, doc, speaker
HAVING side = 'hypothesis' OR coalesce(sum(frames), 0) >= trunc(0.0e0 / 0.01e0);

-- ## der_dscore.frame_pairs
-- relation frame_pairs (specs/diarization/der_dscore/jer.yaml)
-- Every reference speaker is paired with every hypothesis speaker of the recording, as the mapping needs all
--   pairs. Two speakers without a frame have the Jaccard error 0, so that the reference has no error if it is
--   the hypothesis. (dscore ends with an error.)
CREATE TABLE "frame_pairs" AS
WITH shared AS (
    SELECT doc, reference_.speaker AS reference_speaker, hypothesis_.speaker AS hypothesis_speaker,
        sum(reference_.frames)::BIGINT AS shared_frames
    FROM (FROM "frame_speech" WHERE side = 'reference') AS reference_
    JOIN (FROM "frame_speech" WHERE side = 'hypothesis') AS hypothesis_ USING (doc, segment)
    GROUP BY ALL
)
SELECT reference_.doc, reference_.number AS left_row, hypothesis_.number AS right_row,
    coalesce(shared_.shared_frames, 0) AS shared_frames,
    coalesce(jaccard_error(reference_.frames, hypothesis_.frames, coalesce(shared_.shared_frames, 0)), 0) AS jaccard_error
FROM (FROM "frame_speakers" WHERE side = 'reference') AS reference_
JOIN (FROM "frame_speakers" WHERE side = 'hypothesis') AS hypothesis_ USING (doc)
LEFT JOIN shared AS shared_ ON shared_.doc = reference_.doc AND reference_speaker = reference_.speaker
    AND hypothesis_speaker = hypothesis_.speaker;

-- ## der_dscore.frame_mapping
-- relation frame_mapping (specs/diarization/der_dscore/jer.yaml)
-- The mapping of speakers for the Jaccard error rate. One row per mapped pair. The mapping has the smallest
--   possible sum of Jaccard errors, so it can differ from the mapping of der.
-- "frame_mapping_rows" is what the Python function best_matching makes of the rows of
--   SELECT doc, left_row, right_row, round(1e12 * (1 - jaccard_error))::BIGINT AS gain_1, 0 AS gain_2, 0 AS gain_3
--   FROM "frame_pairs"
--   ORDER BY doc, left_row, right_row
CREATE TABLE "frame_mapping" AS
SELECT doc, left_row, right_row FROM "frame_mapping_rows";

-- ## der_dscore.speaker_errors
-- relation speaker_errors (specs/diarization/der_dscore/jer.yaml)
-- Without a partner, the error of a speaker is 1.
CREATE TABLE "speaker_errors" AS
SELECT reference_.doc, reference_.speaker AS reference_speaker, hypothesis_.speaker AS hypothesis_speaker,
    reference_.frames AS reference_frames, coalesce(hypothesis_.frames, 0) AS hypothesis_frames,
    coalesce(shared_frames, 0) AS shared_frames, coalesce(jaccard_error, 1) AS jaccard_error
FROM (FROM "frame_speakers" WHERE side = 'reference') AS reference_
LEFT JOIN "frame_mapping" AS mapped_ ON mapped_.doc = reference_.doc AND mapped_.left_row = reference_.number
LEFT JOIN "frame_pairs" AS pair_
    ON pair_.doc = mapped_.doc AND pair_.left_row = mapped_.left_row AND pair_.right_row = mapped_.right_row
LEFT JOIN (FROM "frame_speakers" WHERE side = 'hypothesis') AS hypothesis_
    ON hypothesis_.doc = mapped_.doc AND hypothesis_.number = mapped_.right_row;

-- ## der_dscore.jer_units
-- metric jer, statistics per unit (specs/diarization/der_dscore/jer.yaml)
-- Jaccard error rate (JER) in frames, as in dscore: mean over the speakers of the reference. For each speaker
--   and the mapped hypothesis speaker, it is the number of frames in which exactly one of the two speaks,
--   divided by the number of frames in which at least one speaks. Speakers are mapped so that this mean is
--   the smallest possible. Collars and skip_overlap do not matter. 0 is perfect, and 1 is the worst.
CREATE TABLE "jer_units" AS
SELECT "doc", "reference_speaker",
    exact_sum(jaccard_error) AS "errors",
    count(*) AS "speakers"
FROM "speaker_errors" AS counted_rows
GROUP BY ALL;

-- ## der_dscore.jer
-- metric jer, scores (specs/diarization/der_dscore/jer.yaml)
CREATE TABLE "jer" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("errors"), 0) AS "errors",
        coalesce(sum("speakers"), 0) AS "speakers"
    FROM "jer_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(errors, speakers) AS "value",
    speakers AS "speakers",
    CASE WHEN speakers = 0 THEN 'no speaker of the reference speaks in the scored time' ELSE nullif(concat_ws(', ', CASE WHEN sums."errors" = 0 THEN 'errors = 0' END, CASE WHEN sums."speakers" = 0 THEN 'speakers = 0' END), '') END AS note
FROM sums;

-- ## der_dscore.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'der' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'missed', 'value': "missed"::DOUBLE},
                {'place': 2, 'component': 'false_alarm', 'value': "false_alarm"::DOUBLE},
                {'place': 3, 'component': 'confusion', 'value': "confusion"::DOUBLE},
                {'place': 4, 'component': 'scored', 'value': "scored"::DOUBLE}
            ], recursive := true)
        FROM "der"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'jer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'speakers', 'value': "speakers"::DOUBLE}
            ], recursive := true)
        FROM "jer"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## der_mdeval.Suite_der_mdeval
-- Suite der_mdeval: Speaker diarization as NIST's md-eval scores it: DER and speech detection. A collar is
--   the time before and after a boundary.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, uem, other_lines; also the
--   tables …_rows_…, which Python functions make
-- Order: each of the 21 steps reads inputs and steps above it. Metrics: segment_outcomes → der, detection

-- ## der_mdeval.other_lines
-- input other_lines (specs/diarization/der_mdeval/other_lines.yaml): One row per line of the reference
--   that is not a turn. NOSCORE is a time that is not evaluated. NON-LEX is a sound such as a laugh, and is
--   not scored. LEXEME, a word, limits the extension of NON-LEX lines. If uem has no region for a recording,
--   its region contains all lines except NOSCORE. If this input is not given and reference is an RTTM file,
--   the rows come from this file.
CREATE TABLE IF NOT EXISTS "other_lines" (line BIGINT, "type" VARCHAR, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE);

-- ## der_mdeval.reference_channels
-- relation reference_channels (specs/diarization/shared/segments.yaml)
-- The channels of the reference. One row per recording as the files name it.
CREATE TABLE "reference_channels" AS
SELECT doc, count(DISTINCT lower(channel)) AS channels, min(lower(channel)) AS first_channel
FROM "reference"
GROUP BY doc;

-- ## der_mdeval.given_turns
-- relation given_turns (specs/diarization/shared/segments.yaml)
-- The turns of both sides. A turn shorter than a microsecond is none.
CREATE TABLE "given_turns" AS
WITH turns AS (
    SELECT 'reference' AS side, doc, speaker, tbeg, dur FROM (
        SELECT rows_.* REPLACE (
            if(channel IS NOT NULL AND (channels > 1 OR first_channel <> lower(channel)), doc || ' channel ' || lower(channel), doc) AS doc
        )
        FROM "reference" AS rows_
        LEFT JOIN "reference_channels" USING (doc)
    )
    UNION ALL
    SELECT 'hypothesis', doc, speaker, tbeg, dur FROM (
        SELECT rows_.* REPLACE (
            if(channel IS NOT NULL AND (channels > 1 OR first_channel <> lower(channel)), doc || ' channel ' || lower(channel), doc) AS doc
        )
        FROM "hypothesis" AS rows_
        LEFT JOIN "reference_channels" USING (doc)
    )
)
SELECT side, doc, speaker, microseconds(tbeg) AS onset, microseconds(tbeg + dur) AS "offset"
FROM turns
WHERE onset < "offset";

-- ## der_mdeval.given_regions
-- relation given_regions (specs/diarization/shared/segments.yaml)
-- The regions of the input uem, in microseconds. One row per region.
CREATE TABLE "given_regions" AS
SELECT doc, microseconds(onset) AS onset, microseconds("offset") AS "offset" FROM (
    SELECT rows_.* REPLACE (
        if(channel IS NOT NULL AND (channels > 1 OR first_channel <> lower(channel)), doc || ' channel ' || lower(channel), doc) AS doc
    )
    FROM "uem" AS rows_
    LEFT JOIN "reference_channels" USING (doc)
);

-- ## der_mdeval.found_recordings, like der_dscore.found_recordings except:
@@ -12,2 +12,2 @@
-    in_reference AND listed AS scored,
-    false AS of_channel,
+    in_reference AS scored,
+    contains(doc, ' channel ') AS of_channel,

-- ## der_mdeval.timed_lines
-- relation timed_lines (specs/diarization/der_mdeval/other_lines.yaml)
-- The lines of the reference that are not turns, in microseconds. One row per line.
CREATE TABLE "timed_lines" AS
SELECT doc, upper(type) AS type, microseconds(tbeg) AS onset, microseconds(tbeg + coalesce(dur, 0)) AS "offset"
FROM (
    SELECT rows_.* REPLACE (
        if(channel IS NOT NULL AND (channels > 1 OR first_channel <> lower(channel)), doc || ' channel ' || lower(channel), doc) AS doc
    )
    FROM "other_lines" AS rows_
    LEFT JOIN "reference_channels" USING (doc)
);

-- ## der_mdeval.default_regions
-- relation default_regions (specs/diarization/der_mdeval/other_lines.yaml)
-- Lines such as SPKR-INFO and NOSCORE do not extend the region.
CREATE TABLE "default_regions" AS
WITH spans AS (
    SELECT doc, onset, "offset" FROM "given_turns" WHERE side = 'reference'
    UNION ALL
    SELECT doc, onset, "offset"
    FROM "timed_lines"
    WHERE type IN ('SEGMENT', 'LEXEME', 'NON-LEX', 'SU', 'EDIT', 'FILLER', 'IP', 'CB', 'A/P')
)
SELECT doc, min(onset) AS onset, max("offset") AS "offset"
FROM spans
GROUP BY doc;

-- ## der_mdeval.speaking
-- relation speaking (specs/diarization/shared/segments.yaml)
-- Trimmed turns are joined already.
CREATE TABLE "speaking" AS
SELECT side, doc, speaker, min(onset) AS onset, max("offset") AS "offset"
FROM (
    SELECT *, sum(begins::BIGINT) OVER (PARTITION BY side, doc, speaker ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS turn
    FROM (
        SELECT *, coalesce(onset >= max("offset") OVER (
            PARTITION BY side, doc, speaker ORDER BY onset, "offset" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), true) AS begins
        FROM "given_turns"
    )
)
GROUP BY side, doc, speaker, turn;

-- ## der_mdeval.zones
-- relation zones (specs/diarization/der_mdeval/other_lines.yaml)
-- A NON-LEX zone is extended on both sides up to the next boundary of a turn or word, by `no_score_extension`
--   at most. It is not extended on a side that lies inside a word. As in md-eval, the last zone goes on to
--   the end of the recording if no boundary follows.
CREATE TABLE "zones" AS
WITH unscored AS (
    SELECT *, if(type = 'NON-LEX', microseconds(0.5e0), 0) AS extension,
        row_number() OVER (PARTITION BY doc, type ORDER BY "offset" DESC, onset DESC) = 1 AS is_last
    FROM "timed_lines"
    WHERE type IN ('NOSCORE', 'NON-LEX') AND onset < "offset"
),
words AS (FROM "timed_lines" WHERE type = 'LEXEME' AND onset < "offset"),
boundaries AS (
    SELECT doc, unnest([onset, "offset"]) AS boundary
    FROM (SELECT doc, onset, "offset" FROM words UNION ALL SELECT doc, onset, "offset" FROM "given_turns" WHERE side = 'reference')
),
limits AS (
    SELECT doc, type, onset, "offset", extension, is_last,
        max(boundary) FILTER (boundary <= onset) AS last_boundary, min(boundary) FILTER (boundary >= "offset") AS next_boundary
    FROM unscored
    LEFT JOIN boundaries USING (doc)
    GROUP BY ALL
),
inside AS (
    SELECT DISTINCT limit_.doc, limit_.type, limit_.onset, limit_."offset",
        bool_or(word_.onset < limit_.onset AND limit_.onset < word_."offset") AS begins_inside,
        bool_or(word_.onset < limit_."offset" AND limit_."offset" < word_."offset") AS ends_inside
    FROM limits AS limit_
    LEFT JOIN words AS word_ ON word_.doc = limit_.doc
    GROUP BY ALL
)
SELECT doc, if(begins_inside, onset, greatest(onset - extension, coalesce(last_boundary, 0))) AS onset,
    CASE
    WHEN ends_inside THEN "offset"
    WHEN next_boundary IS NULL AND is_last THEN microseconds(1e9)
    ELSE least("offset" + extension, next_boundary)
    END AS "offset",
    if(type = 'NOSCORE', 'no_eval', 'no_score') AS kind
FROM limits
JOIN inside USING (doc, type, onset, "offset")
UNION ALL
SELECT doc, boundary - microseconds(0.0e0) AS onset, boundary + microseconds(0.0e0) AS "offset", 'no_score' AS kind
FROM (SELECT doc, unnest([onset, "offset"]) AS boundary FROM "given_turns" WHERE side = 'reference')
WHERE onset < "offset";

-- ## der_mdeval.timeline, like der_dscore.timeline except:
@@ -15 +15 @@
-    SELECT doc, onset, "offset", if(side = 'reference', 1000000000000000000000, 10000000000000000000000000000) FROM "turns"
+    SELECT doc, onset, "offset", if(side = 'reference', 1000000000000000000000, 10000000000000000000000000000) FROM "speaking"
@@ -20 +19,0 @@
-    SEMI JOIN (FROM "scored_recordings" WHERE has_speech) USING (doc)

-- ## der_mdeval.speech, like der_dscore.speech except:
@@ -6 +6 @@
-    FROM "turns" AS turn_
+    FROM "speaking" AS turn_

-- ## der_mdeval.detection_units
-- metric detection, statistics per unit (specs/diarization/shared/detection.yaml)
-- Detection error rate of speech, whoever speaks: (missed + false_alarm) / speech. Time when several speakers
--   speak is counted once. 0 is perfect. The rate can exceed 1.
CREATE TABLE "detection_units" AS
SELECT "doc",
    sum(if(n_reference > 0 AND n_hypothesis = 0, duration, 0)) AS "missed_us",
    sum(if(n_reference = 0 AND n_hypothesis > 0, duration, 0)) AS "false_alarm_us",
    sum(if(n_reference > 0, duration, 0)) AS "speech_us"
FROM "segment_outcomes" AS counted_rows
GROUP BY ALL;

-- ## der_mdeval.detection
-- metric detection, scores (specs/diarization/shared/detection.yaml)
CREATE TABLE "detection" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("missed_us"), 0) AS "missed_us",
        coalesce(sum("false_alarm_us"), 0) AS "false_alarm_us",
        coalesce(sum("speech_us"), 0) AS "speech_us"
    FROM "detection_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(missed_us + false_alarm_us, speech_us) AS "value",
    seconds(missed_us) AS "missed",
    seconds(false_alarm_us) AS "false_alarm",
    seconds(speech_us) AS "speech",
    CASE WHEN speech_us = 0 THEN 'nobody speaks in the scored time of the reference' ELSE nullif(concat_ws(', ', CASE WHEN sums."missed_us" = 0 THEN 'missed_us = 0' END, CASE WHEN sums."false_alarm_us" = 0 THEN 'false_alarm_us = 0' END, CASE WHEN sums."speech_us" = 0 THEN 'speech_us = 0' END), '') END AS note
FROM sums;

-- ## der_mdeval.the_scores, like der_dscore.the_scores except:
@@ -18 +18 @@
-        SELECT 1 AS position, 0 AS variant, 'jer' AS metric, slice, breakdown, note,
+        SELECT 1 AS position, 0 AS variant, 'detection' AS metric, slice, breakdown, note,
@@ -21 +21,3 @@
-                {'place': 1, 'component': 'speakers', 'value': "speakers"::DOUBLE}
+                {'place': 1, 'component': 'missed', 'value': "missed"::DOUBLE},
+                {'place': 2, 'component': 'false_alarm', 'value': "false_alarm"::DOUBLE},
+                {'place': 3, 'component': 'speech', 'value': "speech"::DOUBLE}
@@ -23 +25 @@
-        FROM "jer"
+        FROM "detection"

-- ## der_pyannote.Suite_der_pyannote
-- Suite der_pyannote: Speaker diarization as pyannote.metrics scores it: DER, JER, purity, coverage and
--   speech detection. A collar is the total width around a boundary.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, uem; also the tables
--   …_rows_…, which Python functions make
-- Order: each of the 30 steps reads inputs and steps above it. Metrics: segment_outcomes → der, detection;
--   speaker_errors → jer; purest_times → purity, coverage; other metrics → purity_coverage; speaker_counts →
--   speaker_count

-- ## der_pyannote.fscore
-- F score, the harmonic mean of precision p and recall r. It is NULL if p or r is NULL, and 0 if both are 0.
CREATE OR REPLACE MACRO fscore(p, r) AS (
    CASE
    WHEN p IS NULL OR r IS NULL THEN NULL
    WHEN p + r = 0 THEN 0
    ELSE 2 * p * r / (p + r)
    END
);

-- ## der_pyannote.found_recordings, like der_dscore.found_recordings except:
@@ -12 +12 @@
-    in_reference AND listed AS scored,
+    true AS scored,
@@ -14 +14 @@
-    0 AS repeated_turns
+    count(*) - count(DISTINCT row(side, speaker, onset, "offset")) AS repeated_turns

-- ## der_pyannote.zones
-- relation zones (specs/diarization/der_pyannote/suite.yaml)
-- Times that are not scored. One row per zone; zones can overlap.
CREATE TABLE "zones" AS
SELECT doc, boundary - microseconds(0.0e0 / 2) AS onset, boundary + microseconds(0.0e0 / 2) AS "offset", 'no_score' AS kind
FROM (SELECT doc, unnest([onset, "offset"]) AS boundary FROM "given_turns" WHERE side = 'reference')
WHERE onset < "offset";

-- ## der_pyannote.timeline, like der_mdeval.timeline except:
@@ -15 +15 @@
-    SELECT doc, onset, "offset", if(side = 'reference', 1000000000000000000000, 10000000000000000000000000000) FROM "speaking"
+    SELECT doc, onset, "offset", if(side = 'reference', 1000000000000000000000, 10000000000000000000000000000) FROM "given_turns"

-- ## der_pyannote.speech
-- relation speech (specs/diarization/shared/segments.yaml)
-- The segments of a turn are those from its first boundary to its last one.
CREATE TABLE "speech" AS
WITH covered AS (
    SELECT side, turn_.doc, speaker, unnest(range(first_.segment, last_.segment)) AS segment
    FROM "given_turns" AS turn_
    JOIN "timeline" AS first_ ON turn_.doc = first_.doc AND turn_.onset = first_.boundary
    JOIN "timeline" AS last_ ON turn_.doc = last_.doc AND turn_."offset" = last_.boundary
)
SELECT side, doc, speaker, segment, count(*) AS turns FROM covered GROUP BY ALL;

-- ## der_pyannote.pair_times, like der_dscore.pair_times except:
@@ -5 +5 @@
-    sum(duration * pairs)::BIGINT AS mapping_time,
+    sum(if(scored, duration * pairs, 0))::BIGINT AS mapping_time,

-- ## der_pyannote.speaker_errors
-- relation speaker_errors (specs/diarization/shared/jer.yaml)
-- The Jaccard error of each reference speaker. One row per reference speaker who speaks in the scored time,
--   with the hypothesis speaker that is mapped to them.
CREATE TABLE "speaker_errors" AS
SELECT reference_.doc, reference_.speaker AS reference_speaker, hypothesis_.speaker AS hypothesis_speaker,
    reference_.scored_time AS reference_time, coalesce(hypothesis_.scored_time, 0) AS hypothesis_time,
    coalesce(pair_.scored_time, 0) AS shared_time,
    jaccard_error(reference_time, hypothesis_time, shared_time) AS jaccard_error
FROM (FROM "speakers" WHERE side = 'reference') AS reference_
LEFT JOIN "speaker_mapping" AS pair_ ON pair_.doc = reference_.doc AND reference_speaker = reference_.speaker
LEFT JOIN (FROM "speakers" WHERE side = 'hypothesis') AS hypothesis_
    ON hypothesis_.doc = reference_.doc AND hypothesis_speaker = hypothesis_.speaker
WHERE reference_.scored_time > 0;

-- ## der_pyannote.jer_units
-- metric jer, statistics per unit (specs/diarization/shared/jer.yaml)
-- Jaccard error rate (JER): mean over the speakers of the reference of (missed + false alarm) / (time when
--   the speaker or the hypothesis speaker that is mapped to them speaks). The error of a speaker without a
--   partner is 1. Each speaker counts equally. 0 is perfect, and 1 is the worst.
CREATE TABLE "jer_units" AS
SELECT "doc", "reference_speaker",
    exact_sum(jaccard_error) AS "errors",
    count(*) AS "speakers"
FROM "speaker_errors" AS counted_rows
GROUP BY ALL;

-- ## der_pyannote.jer, like der_dscore.jer except:
@@ -1 +1 @@
--- metric jer, scores (specs/diarization/der_dscore/jer.yaml)
+-- metric jer, scores (specs/diarization/shared/jer.yaml)

-- ## der_pyannote.purest_times
-- relation purest_times (specs/diarization/shared/clusters.yaml)
-- A speaker who shares no time with the other side has a largest share of 0.
CREATE TABLE "purest_times" AS
WITH shared AS (
    SELECT doc, unnest(['reference', 'hypothesis']) AS side, unnest([reference_speaker, hypothesis_speaker]) AS speaker,
        evaluated_time AS shared_time
    FROM "pair_times"
)
SELECT side, doc, speaker, speaker_.evaluated_time, coalesce(max(shared_time), 0) AS largest_shared
FROM "speakers" AS speaker_
LEFT JOIN shared USING (doc, side, speaker)
GROUP BY ALL;

-- ## der_pyannote.purity_units
-- metric purity, statistics per unit (specs/diarization/shared/clusters.yaml)
-- Purity of the hypothesis speakers: the time that each of them shares with the best-matching reference
--   speaker, summed and divided by the time when the hypothesis speakers speak. Collars and skip_overlap do
--   not matter. 1 is perfect.
CREATE TABLE "purity_units" AS
SELECT "doc", "speaker",
    sum(largest_shared) AS "numerator",
    sum(evaluated_time) AS "denominator"
FROM "purest_times" AS counted_rows
WHERE side = 'hypothesis'
GROUP BY ALL;

-- ## der_pyannote.purity
-- metric purity, scores (specs/diarization/shared/clusters.yaml)
CREATE TABLE "purity" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("numerator"), 0) AS "numerator",
        coalesce(sum("denominator"), 0) AS "denominator"
    FROM "purity_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(numerator, denominator) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."numerator" = 0 THEN 'numerator = 0' END, CASE WHEN sums."denominator" = 0 THEN 'denominator = 0' END), '') AS note
FROM sums;

-- ## der_pyannote.coverage_units
-- metric coverage, statistics per unit (specs/diarization/shared/clusters.yaml)
-- Coverage of the reference speakers: the time that each of them shares with the best-matching hypothesis
--   speaker, summed and divided by the time when the reference speakers speak. Collars and skip_overlap do
--   not matter. 1 is perfect.
CREATE TABLE "coverage_units" AS
SELECT "doc", "speaker",
    sum(largest_shared) AS "numerator",
    sum(evaluated_time) AS "denominator"
FROM "purest_times" AS counted_rows
WHERE side = 'reference'
GROUP BY ALL;

-- ## der_pyannote.coverage
-- metric coverage, scores (specs/diarization/shared/clusters.yaml)
CREATE TABLE "coverage" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("numerator"), 0) AS "numerator",
        coalesce(sum("denominator"), 0) AS "denominator"
    FROM "coverage_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(numerator, denominator) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."numerator" = 0 THEN 'numerator = 0' END, CASE WHEN sums."denominator" = 0 THEN 'denominator = 0' END), '') AS note
FROM sums;

-- ## der_pyannote.purity_coverage
-- metric purity_coverage, scores (specs/diarization/shared/clusters.yaml)
-- F score of purity and coverage, their harmonic mean. 1 is perfect.
-- The scores of the metric: components computed from components of other metrics, which are joined by slice
--   and fold. A metric without slices has the same value in every slice of the first metric.
CREATE TABLE "purity_coverage" AS
SELECT purity.scope, purity.slice, purity.breakdown,
    fscore(purity.value, coverage.value) AS "value",
    nullif(concat_ws('; ', purity.note, coverage.note), '') AS note
FROM "purity" AS purity
LEFT JOIN "coverage" AS coverage
    ON coverage.scope = purity.scope;

-- ## der_pyannote.speaker_counts
-- relation speaker_counts (specs/diarization/shared/speaker_count.yaml)
-- Numbers of speakers who speak in the regions. One row per recording.
CREATE TABLE "speaker_counts" AS
SELECT doc, count_if(side = 'reference') AS n_reference, count_if(side = 'hypothesis') AS n_hypothesis
FROM (SELECT DISTINCT doc FROM "timeline")
LEFT JOIN "speakers" USING (doc)
GROUP BY doc;

-- ## der_pyannote.speaker_count_units
-- metric speaker_count, statistics per unit (specs/diarization/shared/speaker_count.yaml)
-- Mean over the recordings of the absolute error of the number of speakers. Collars and skip_overlap do not
--   matter. 0 is perfect.
CREATE TABLE "speaker_count_units" AS
SELECT "doc",
    sum(abs(n_reference - n_hypothesis)) AS "errors",
    count_if(n_reference = n_hypothesis) AS "exact",
    count(*) AS "recordings"
FROM "speaker_counts" AS counted_rows
GROUP BY ALL;

-- ## der_pyannote.speaker_count
-- metric speaker_count, scores (specs/diarization/shared/speaker_count.yaml)
CREATE TABLE "speaker_count" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("errors"), 0) AS "errors",
        coalesce(sum("exact"), 0) AS "exact",
        coalesce(sum("recordings"), 0) AS "recordings"
    FROM "speaker_count_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(errors, recordings) AS "value",
    ratio(exact, recordings) AS "accuracy",
    recordings AS "recordings",
    nullif(concat_ws(', ', CASE WHEN sums."errors" = 0 THEN 'errors = 0' END, CASE WHEN sums."exact" = 0 THEN 'exact = 0' END, CASE WHEN sums."recordings" = 0 THEN 'recordings = 0' END), '') AS note
FROM sums;

-- ## der_pyannote.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'der' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'missed', 'value': "missed"::DOUBLE},
                {'place': 2, 'component': 'false_alarm', 'value': "false_alarm"::DOUBLE},
                {'place': 3, 'component': 'confusion', 'value': "confusion"::DOUBLE},
                {'place': 4, 'component': 'scored', 'value': "scored"::DOUBLE}
            ], recursive := true)
        FROM "der"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'jer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'speakers', 'value': "speakers"::DOUBLE}
            ], recursive := true)
        FROM "jer"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'purity' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "purity"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'coverage' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "coverage"
        UNION ALL
        SELECT 4 AS position, 0 AS variant, 'purity_coverage' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "purity_coverage"
        UNION ALL
        SELECT 5 AS position, 0 AS variant, 'speaker_count' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'accuracy', 'value': "accuracy"::DOUBLE},
                {'place': 2, 'component': 'recordings', 'value': "recordings"::DOUBLE}
            ], recursive := true)
        FROM "speaker_count"
        UNION ALL
        SELECT 6 AS position, 0 AS variant, 'detection' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'missed', 'value': "missed"::DOUBLE},
                {'place': 2, 'component': 'false_alarm', 'value': "false_alarm"::DOUBLE},
                {'place': 3, 'component': 'speech', 'value': "speech"::DOUBLE}
            ], recursive := true)
        FROM "detection"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- input phones (specs/term_discovery/zerospeech2015/tables.yaml): One row per phone token of the corpus,
--   from a forced alignment. Phones of one file do not overlap by more than 1 µs. A line given twice counts
--   once.
CREATE TABLE IF NOT EXISTS "phones" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- input words (specs/term_discovery/tables.yaml): One row per word token of the corpus (F_goldLex). A
--   line given twice counts once.
CREATE TABLE IF NOT EXISTS "words" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- input fragments (specs/term_discovery/tables.yaml): One row per member of a discovered cluster
--   (C_disc). A fragment is a stretch of a recording.
CREATE TABLE IF NOT EXISTS "fragments" (line BIGINT, "cluster" VARCHAR, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- input utterances (specs/term_discovery/tables.yaml): One row per utterance of the corpus. Utterances
--   of one file do not overlap.
CREATE TABLE IF NOT EXISTS "utterances" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- input folds (specs/term_discovery/tables.yaml): One row per interval of a fold. Each fold is scored
--   alone, and scores are averaged over folds. In a file of intervals a blank line ends a fold.
CREATE TABLE IF NOT EXISTS "folds" (line BIGINT, "fold" BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- input talkers (specs/term_discovery/tables.yaml): One row per recording, with its talker.
CREATE TABLE IF NOT EXISTS "talkers" (line BIGINT, "file" VARCHAR, "talker" VARCHAR);

-- relation phone_codes (specs/term_discovery/shared/corpus.yaml)
-- One character, the code, for each phone label. In codes a transcription is a string with one character per
--   phone. Codes follow the alphabetical order of the labels. Up to 94 labels get the printable ASCII
--   characters, which are compared fastest; up to 20,000 labels get characters from U+4E00 on, more labels
--   get characters from U+20000 on.
CREATE TABLE "phone_codes_42ce8ab5" AS
SELECT label,
    chr((CASE WHEN count(*) OVER () <= 94 THEN 33 WHEN count(*) OVER () <= 20000 THEN 19968 ELSE 131072 END
        + row_number() OVER (ORDER BY label) - 1)::INTEGER) AS code
FROM (SELECT DISTINCT label FROM "phones");

-- relation speech_phones (specs/term_discovery/shared/corpus.yaml)
-- The phone tokens that are speech, numbered from 0 within their file, each with its utterance, which is
--   named by its onset. Labels that the parameter `silence` lists (SIL, SPN) are not speech and act as a
--   pause. An utterance is a longest sequence of phones without silence in which every phone begins at most
--   `pause` (1 ms) after the previous one ends. If the input `utterances` is given, a phone is in the
--   utterance that contains it by the parameter `inside`; NULL where there is none.
CREATE TABLE "speech_phones_c1576ca2" AS
WITH tokens AS (
    SELECT file, microseconds(onset) AS onset, microseconds("offset") AS "offset", label, code,
        label IN ['SIL', 'SPN']::VARCHAR[] AS silent
    FROM "phones"
    JOIN "phone_codes_42ce8ab5" USING (label)
),
breaks AS (
    SELECT *, coalesce(lag(silent) OVER in_file OR onset > lag("offset") OVER in_file + microseconds(0.001e0), true) AS begins
    FROM tokens
    WINDOW in_file AS (PARTITION BY file ORDER BY onset, "offset")
),
runs AS (
    SELECT *, count_if(begins) OVER (PARTITION BY file ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS run
    FROM breaks
),
numbered AS (
    SELECT * EXCLUDE (silent, begins), row_number() OVER (PARTITION BY file ORDER BY onset, "offset") - 1 AS number
    FROM runs
    WHERE NOT silent
)
SELECT * EXCLUDE (run), min(onset) OVER (PARTITION BY file, run) AS utterance
FROM numbered;

-- relation fold_intervals, fold_set = folds, inside = midpoint, n_folds = 10, pause = 0.001, silence =
--   [SIL,SPN], times = microseconds, by fold (specs/term_discovery/shared/corpus.yaml)
-- The intervals of each fold: those of the input that `fold_set` names, if it is given. Otherwise the
--   utterances, ordered by file and onset, are divided into `n_folds` runs with equal numbers of utterances.
--   When the number is not divisible, the first folds have one more: 11 utterances in 3 folds are 4, 4 and 3.
CREATE TABLE "fold_intervals_2d15fb2e" AS
SELECT "fold" AS "by_fold", *
FROM (
SELECT *, ntile(greatest(10::BIGINT, 1)) OVER (ORDER BY file, onset) - 1 AS fold
FROM (
    SELECT file, min(onset) AS onset, max("offset") AS "offset"
    FROM "speech_phones_c1576ca2"
    GROUP BY file, utterance
)
);

-- relation fold_intervals, fold_set = unset, inside = unset, n_folds = unset, pause = unset, silence = unset,
--   times = unset, over all rows (specs/term_discovery/shared/corpus.yaml)
-- Its rows that are in some slice.
CREATE VIEW "fold_intervals_filled_ac464f2d" AS
SELECT * FROM "fold_intervals_2d15fb2e"
WHERE "by_fold" IS NOT NULL;

-- relation file_talkers (specs/term_discovery/shared/corpus.yaml)
-- The talker of each file, from the input `talkers`, or else from the file name: the first group of the
--   regular expression `talker_pattern`. Files without a talker have no row.
CREATE TABLE "file_talkers_60c8733a" AS
-- no talker is known
SELECT NULL::VARCHAR AS file, NULL::VARCHAR AS talker LIMIT 0;

-- relation fold_fragments, C_disc (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The clusters as sets of fragments (C_disc) in each fold: one row for each distinct fragment of a cluster.
--   `times_listed` is the number of lines on which the cluster has the fragment. With clip = utterance the
--   fragments are the clipped ones (clipped_fragments); a fragment in no utterance has no row.
CREATE TABLE "fold_fragments_ff34c197" AS
WITH members AS (
    SELECT cluster, file, microseconds(onset) AS onset, microseconds("offset") AS "offset", count(*) AS times_listed
    FROM "fragments"
    GROUP BY ALL
)
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM members AS row_
JOIN "fold_intervals_filled_ac464f2d" AS fold_
    ON row_.file = fold_.file
    AND row_.onset + row_."offset" >= 2 * fold_.onset
    AND row_.onset + row_."offset" < 2 * fold_."offset"
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file;

-- relation fold_phones (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The phonemes of each fold. `phone` numbers them from 1 within fold and file; `number` is the number within
--   the file of the whole corpus. A jump of `number` shows a hole in the fold. With inside = whole, phonemes
--   that an interval of the fold cuts are included too, because tde 0.2.1 transcribes fragments with them.
--   They have no utterance, so that no span of F_all contains them, and an utterance ends where an interval
--   of the fold ends.
CREATE TABLE "fold_phones_6368828b" AS
SELECT *, row_number() OVER (PARTITION BY "by_fold", file ORDER BY number) AS phone
FROM (
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM "speech_phones_c1576ca2" AS row_
JOIN "fold_intervals_filled_ac464f2d" AS fold_
    ON row_.file = fold_.file
    AND row_.onset + row_."offset" >= 2 * fold_.onset
    AND row_.onset + row_."offset" < 2 * fold_."offset"
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file
);

-- relation phone_strings (specs/term_discovery/zerospeech2015/corpus.yaml)
-- For each phoneme of a fold its onset and a string of up to 16 codes: its code and the codes of the 15
--   phonemes after it in the file and fold. The transcription of a span of n phonemes, n ≤ 16, is the first n
--   characters of the string at its first phoneme.
CREATE TABLE "phone_strings_ded8d3f5" AS
WITH one AS (SELECT "by_fold", file, phone, onset, code AS codes FROM "fold_phones_6368828b"),
two AS (
    SELECT * REPLACE (codes || coalesce(lead(codes, 1) OVER in_file, '') AS codes)
    FROM one
    WINDOW in_file AS (PARTITION BY "by_fold", file ORDER BY phone)
),
four AS (
    SELECT * REPLACE (codes || coalesce(lead(codes, 2) OVER in_file, '') AS codes)
    FROM two
    WINDOW in_file AS (PARTITION BY "by_fold", file ORDER BY phone)
),
eight AS (
    SELECT * REPLACE (codes || coalesce(lead(codes, 4) OVER in_file, '') AS codes)
    FROM four
    WINDOW in_file AS (PARTITION BY "by_fold", file ORDER BY phone)
)
SELECT * REPLACE (codes || coalesce(lead(codes, 8) OVER in_file, '') AS codes)
FROM eight
WINDOW in_file AS (PARTITION BY "by_fold", file ORDER BY phone);

-- relation disc_fragments, F_disc (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The distinct fragments (F_disc), whatever their clusters, each with its span of phones and its
--   transcription T by the published edge rule; T is '' where no phone is kept. A fragment contains all
--   phones with which it shares time. The first and the last of them are kept only when more than `edge_time`
--   (30 ms) or more than `edge_fraction` (50 %) of the phone is covered. Of a phone of 40 ms, 21 ms are
--   enough and 20 ms are not. With `fragment_fraction` below 1 (tde 0.2.1), a phone is also kept when it is
--   more than this fraction of the fragment. `reach_from` and `reach_to` are the limits of the time of the
--   fragment and its phones together: fragments that are apart by these limits also have no phone in common.
CREATE TABLE "disc_fragments_6bfa18fd" AS
WITH intervals AS (
    SELECT DISTINCT "by_fold", "file", "onset", "offset" FROM "fold_fragments_ff34c197"
)
FROM (
    WITH overlapped AS (
        SELECT interval_.*,
            first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
            last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
        FROM intervals AS interval_
        ASOF LEFT JOIN "fold_phones_6368828b" AS first_
            ON interval_.file = first_.file AND interval_."by_fold" = first_."by_fold"
            AND interval_.onset < first_."offset"
        ASOF LEFT JOIN "fold_phones_6368828b" AS last_
            ON interval_.file = last_.file AND interval_."by_fold" = last_."by_fold"
            AND interval_."offset" > last_.onset
    ),
    trimmed AS (
        SELECT * REPLACE (
            if((least("offset", first_offset) - greatest(onset, first_onset) > microseconds(0.0e0) AND (least("offset", first_offset) - greatest(onset, first_onset) > microseconds(0.03e0)
                OR more_than_part(least("offset", first_offset) - greatest(onset, first_onset), 0.5e0, first_offset - first_onset)
                OR more_than_part(least("offset", first_offset) - greatest(onset, first_onset), 1.0e0, "offset" - onset))), first_phone, first_phone + 1) AS first_phone,
            if(first_phone = last_phone OR (least("offset", last_offset) - greatest(onset, last_onset) > microseconds(0.0e0) AND (least("offset", last_offset) - greatest(onset, last_onset) > microseconds(0.03e0)
                OR more_than_part(least("offset", last_offset) - greatest(onset, last_onset), 0.5e0, last_offset - last_onset)
                OR more_than_part(least("offset", last_offset) - greatest(onset, last_onset), 1.0e0, "offset" - onset))), last_phone, last_phone - 1) AS last_phone)
        FROM overlapped
        WHERE first_phone <= last_phone
    ),
    transcribed AS (
        SELECT span_."by_fold", span_."file", span_."onset", span_."offset", span_."first_phone", span_."last_phone", string_.onset AS first_onset,
            left(string_.codes, (last_phone - first_phone + 1)::INTEGER) || coalesce(tail_.codes, '') AS text
        FROM trimmed AS span_
        LEFT JOIN (
            SELECT long_."by_fold", long_."file", long_."onset", long_."offset", long_."first_phone", long_."last_phone",
                string_agg(left(string_.codes, (last_phone - piece + 1)::INTEGER), '' ORDER BY piece) AS codes
            FROM (
                SELECT *, unnest(range(first_phone + 16, last_phone + 1, 16)) AS piece
                FROM trimmed
                WHERE last_phone - first_phone >= 16
            ) AS long_
            JOIN "phone_strings_ded8d3f5" AS string_
                ON long_.file = string_.file AND long_."by_fold" = string_."by_fold"
                AND long_.piece = string_.phone
            GROUP BY ALL
        ) AS tail_ USING ("by_fold", "file", "onset", "offset", "first_phone", "last_phone")
        JOIN "phone_strings_ded8d3f5" AS string_
            ON span_.file = string_.file AND span_."by_fold" = string_."by_fold"
            AND span_.first_phone = string_.phone
        WHERE first_phone <= last_phone
    )
    SELECT interval_.*, coalesce(text, '') AS text, first_.number AS first_phone, last_.number AS last_phone,
        least(interval_.onset, first_.onset) AS reach_from, greatest(interval_."offset", last_."offset") AS reach_to
    FROM intervals AS interval_
    LEFT JOIN transcribed USING ("by_fold", "file", "onset", "offset")
    LEFT JOIN "fold_phones_6368828b" AS first_
        ON first_.file = interval_.file AND interval_."by_fold" = first_."by_fold"
        AND first_.phone = transcribed.first_phone
    LEFT JOIN "fold_phones_6368828b" AS last_
        ON last_.file = interval_.file AND interval_."by_fold" = last_."by_fold"
        AND last_.phone = transcribed.last_phone
);

-- relation pair_groups, P_clus (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The groups within which members of clusters make pairs (P_clus): one row for each member of a group. A
--   group is a cluster, or with talkers = within the members of a cluster that are of one talker. Two
--   fragments are a pair of P_clus when they have a group in common.
CREATE TABLE "pair_groups_acedf65c" AS
SELECT "by_fold", cluster, '' AS pair_talker, file, onset, "offset", text,
    times_listed, first_phone, last_phone, reach_from, reach_to
FROM "fold_fragments_ff34c197"
JOIN "disc_fragments_6bfa18fd" USING ("by_fold", file, onset, "offset");

-- relation group_types (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The distinct transcriptions of each group of fragments, with the number of members that have each. Edit
--   distances depend on nothing else.
CREATE TABLE "group_types_e9651c01" AS
SELECT "by_fold", cluster, pair_talker, text, count(*) AS members
FROM "pair_groups_acedf65c"
GROUP BY ALL;

-- relation fragment_signatures (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The fragments that have another member in one of their groups, each with its signature. The signature
--   stands for the set of groups that the fragment is in, listed in `classes`. Fragments with the same
--   signature have the same groups and are counted together.
CREATE TABLE "fragment_signatures_319ead2f" AS
WITH numbered AS (
    SELECT *, dense_rank() OVER (ORDER BY "by_fold", cluster, pair_talker) AS pair_group
    FROM (FROM "pair_groups_acedf65c" QUALIFY count(*) OVER (PARTITION BY "by_fold", cluster, pair_talker) > 1)
)
FROM (
    WITH elements AS (
        SELECT "by_fold", pair_talker, file, onset, "offset", text, min(pair_group) AS lowest, max(pair_group) AS highest FROM numbered GROUP BY ALL
    ),
    listed AS (
        SELECT "by_fold", pair_talker, file, onset, "offset", text, list(DISTINCT pair_group ORDER BY pair_group) AS classes
        FROM numbered
        SEMI JOIN (FROM elements WHERE lowest < highest) USING ("by_fold", pair_talker, file, onset, "offset", text)
        GROUP BY ALL
    ),
    multiple AS (
        SELECT *, -dense_rank() OVER (ORDER BY classes) AS signature FROM listed
    )
    SELECT "by_fold", pair_talker, file, onset, "offset", text, coalesce(signature, lowest) AS signature, coalesce(classes, [lowest]) AS classes
    FROM elements
    LEFT JOIN multiple USING ("by_fold", pair_talker, file, onset, "offset", text)
);

-- relation shared_signatures (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The ordered pairs of signatures that have k ≥ 2 groups in common, also of a signature with itself, with the
--   surplus k − 1. Counting pairs of fragments group by group counts such a pair k times, and P_clus contains
--   it once. Fragments in the groups {1, 2} and fragments in the groups {1, 2, 3} have two groups in common:
--   surplus 1. Two fragments that are both in {1, 2, 3}: surplus 2. The naive way compares all signatures
--   with each other. Here only signatures with a pair of groups in common are compared, found by an equality
--   join. Used by disc_pairs (through surplus_pairs) and grouping_fragments; the definition is
--   pairs/pairs_clus.sql.
CREATE TABLE "shared_signatures_96e9ca93" AS
WITH multiple AS (
    SELECT DISTINCT "by_fold", signature, classes FROM "fragment_signatures_319ead2f" WHERE len(classes) > 1
),
members AS (
    SELECT "by_fold", signature, unnest(classes) AS class FROM multiple
),
class_pairs AS (
    SELECT a.signature, a.class AS lower, b.class AS upper FROM members AS a JOIN members AS b USING (signature) WHERE a.class < b.class
),
sharing AS (
    SELECT DISTINCT a.signature AS signature_a, b.signature AS signature_b FROM class_pairs AS a JOIN class_pairs AS b USING (lower, upper)
)
SELECT a."by_fold", signature_a, signature_b, count(*) - 1 AS surplus
FROM sharing
JOIN members AS a ON a.signature = signature_a
JOIN members AS b ON b.signature = signature_b AND b.class = a.class
GROUP BY ALL;

-- relation near_pairs (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The pairs of members of a group that share time, they or the phones of their transcriptions. `overlap`:
--   they share so much time that they are no pair of P_disc (more than `overlap_fraction`, half, of the
--   shorter). Only for these few pairs does the time of the fragments matter, and two of their sub-spans can
--   overlap or be the same span. They are therefore listed one by one. All other pairs are counted in closed
--   form.
CREATE TABLE "near_pairs_bce0be02" AS
SELECT * RENAME (first_phone_a AS first_a, first_phone_b AS first_b, last_phone_a AS last_a, last_phone_b AS last_b),
    (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(0.0e0) AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(86400.0e0)
            OR more_than_part(least(offset_a, offset_b) - greatest(onset_a, onset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) AS overlap
FROM (
    WITH slots AS (
        SELECT greatest(2 * avg(reach_to - reach_from), microseconds(1e-6)) AS width FROM "pair_groups_acedf65c"
    ),
    laid AS (
        SELECT *, unnest(range(floor(reach_from / width)::BIGINT, floor(reach_to / width)::BIGINT + 1)) AS slot FROM "pair_groups_acedf65c", slots
    )
    SELECT "by_fold", cluster, pair_talker, a.file AS file_a, b.file AS file_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b, a."text" AS text_a, b."text" AS text_b, a."first_phone" AS first_phone_a, b."first_phone" AS first_phone_b, a."last_phone" AS last_phone_a, b."last_phone" AS last_phone_b
    FROM laid AS a
    JOIN laid AS b USING ("by_fold", cluster, pair_talker, file, slot)
    WHERE ((a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
        AND a.reach_from < b.reach_to AND b.reach_from < a.reach_to
        AND slot = floor(greatest(a.reach_from, b.reach_from) / a.width)::BIGINT
);

-- relation surplus_pairs (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The number of pairs, by the two transcriptions, that counting by groups counts in excess of P_disc. By
--   definition P_disc is a set: a pair of fragments is one element, whatever the number of its groups, and
--   overlapping fragments are no pair (pairs/pairs_disc.sql). The sum over groups counts a pair once for each
--   group that the two have in common. In excess are therefore k − 1 of the k counts of a pair with k groups
--   in common, and one more count of every pair that overlaps. Two fragments in the groups {1, 2, 3} that
--   overlap are counted 3 excess and are in excess 2 + 1 times.
--   tests/conformance/test_zerospeech2015_pairs.py compares the result, disc_pairs, with the definition.
CREATE TABLE "surplus_pairs_dbb19424" AS
WITH counted AS (
    SELECT "by_fold", signature, text, count(*) AS fragments FROM "fragment_signatures_319ead2f" GROUP BY ALL
),
repeated AS (
    SELECT a."by_fold", a.text AS text_a, b.text AS text_b,
        surplus * a.fragments * (b.fragments - (a.signature = b.signature AND a.text = b.text)::BIGINT)
            // if(a.signature = b.signature AND a.text = b.text, 2, 1) AS excess
    FROM "shared_signatures_96e9ca93"
    JOIN counted AS a ON a.signature = signature_a
    JOIN counted AS b ON b.signature = signature_b
    WHERE (a.signature, a.text) <= (b.signature, b.text)
),
overlapping AS (
    SELECT DISTINCT "by_fold", file_a, file_b, onset_a, offset_a, onset_b, offset_b, text_a, text_b FROM "near_pairs_bce0be02" WHERE overlap
)
SELECT "by_fold", text_a, text_b, sum(excess)::BIGINT AS excess
FROM (
    SELECT "by_fold", text_a, text_b, excess FROM repeated
    UNION ALL
    SELECT "by_fold", text_a, text_b, 1 FROM overlapping
)
WHERE excess > 0
GROUP BY ALL;

-- relation disc_pairs, P_disc (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The number of pairs of P_disc at each edit distance and length of the longer transcription. By definition
--   P_disc is listed pair by pair, and each pair is compared (pairs/pairs_disc.sql). Here each two distinct
--   transcriptions t and u of a group are compared once and stand for n_t·n_u pairs. The n_t·(n_t − 1)/2
--   pairs of equal transcriptions are at distance 0. The members `ab`, `ab` and `ac` are two pairs at
--   distance 1 and one at distance 0. The pairs of surplus_pairs, which this counts too often, are
--   subtracted. tests/conformance/test_zerospeech2015_pairs.py compares the number of pairs with the
--   definition.
-- "disc_pairs_rows_5cd6d398" is what the Python function pairwise_edit_distance makes of the rows of
--   SELECT "by_fold", pair_group, text, weight
--   FROM (
--       SELECT "by_fold", concat('group ', cluster, chr(31), pair_talker) AS pair_group, text, members AS weight FROM "group_types_e9651c01"
--       UNION ALL
--       SELECT "by_fold", concat('surplus ', pair), unnest([text_a, text_b]), unnest([1, -excess])
--       FROM (SELECT *, row_number() OVER () AS pair FROM "surplus_pairs_dbb19424")
--   )
--   ORDER BY "by_fold", pair_group
CREATE TABLE "disc_pairs_d773bf8e" AS
SELECT "by_fold", distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT "by_fold", distance, length, weight AS pairs FROM "disc_pairs_rows_5cd6d398"
    UNION ALL
    SELECT "by_fold", 0, length(text), members * (members - 1) // 2 FROM "group_types_e9651c01" WHERE members > 1
)
GROUP BY ALL;

-- metric ned, slices (specs/term_discovery/zerospeech2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. (zerospeech2017.ned counts a
--   pair once per cluster, and also overlapping fragments.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "ned_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric ned, statistics per unit (specs/term_discovery/zerospeech2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. (zerospeech2017.ned counts a
--   pair once per cluster, and also overlapping fragments.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "ned_units_60d518be" AS
SELECT "by_fold",
    exact_sum((if(length = 0, 1, distance / length)) * (pairs)) AS "total",
    sum(pairs) FILTER (WHERE (if(length = 0, 1, distance / length)) IS NOT NULL) AS "pairs"
FROM "disc_pairs_d773bf8e" AS counted_rows
GROUP BY ALL;

-- metric ned, scores (specs/term_discovery/zerospeech2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. (zerospeech2017.ned counts a
--   pair once per cluster, and also overlapping fragments.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "ned_8ebab31a" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("total"), 0) AS "total",
        coalesce(sum("pairs"), 0) AS "pairs"
    FROM (FROM "ned_units_60d518be" UNION ALL BY NAME FROM "ned_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(total, pairs) AS "value",
    pairs AS "pairs",
    nullif(concat_ws(', ', CASE WHEN sums."total" = 0 THEN 'total = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END), '') AS note
FROM sums;

-- relation longest_partners (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The members of groups. `partner_size` is the number of phones of the longest other member of the group that
--   shares no time with the member, NULL where there is none. found_spans, covered_phones and the sizes need
--   no more of the pairs of P_disc that share no time. The naive way compares every two members of a group.
--   But a member that shares no time with another is in a different file, or ends before the other begins, or
--   begins after the other ends, and for each of these the maximum is known without comparisons. In a
--   different file: the maximum of the file with the longest members, or of the second such file. Before and
--   after: running maxima in the order of offsets and of onsets. Example: a group has members of 4 and 3
--   phones at 0.0–0.4 and 1.0–1.3 s of file u, and a member of 5 phones in file v. Their partner sizes are 5,
--   5 and 4. The definition is pairs/pairs_disc.sql; tests/conformance/test_zerospeech2015_pairs.py compares
--   the fragments that are in some pair. With overlap_across_files all times are compared as if there were
--   one file.
CREATE TABLE "longest_partners_f2db7256" AS
WITH members AS (
    SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM "pair_groups_acedf65c"
),
-- the files of a group, ranked by their longest member: outside of a given file, the longest member is in rank 1 or 2
files AS (
    SELECT "by_fold", cluster, pair_talker, file, max(size) AS size,
        row_number() OVER (PARTITION BY "by_fold", cluster, pair_talker ORDER BY max(size) DESC, file) AS rank
    FROM members
    GROUP BY "by_fold", cluster, pair_talker, file
),
ending AS (
    SELECT "by_fold", cluster, pair_talker, file, reach_to AS time, max(max(size)) OVER (PARTITION BY "by_fold", cluster, pair_talker, file ORDER BY reach_to) AS size
    FROM members
    GROUP BY "by_fold", cluster, pair_talker, file, reach_to
),
beginning AS (
    SELECT "by_fold", cluster, pair_talker, file, reach_from AS time, max(max(size)) OVER (PARTITION BY "by_fold", cluster, pair_talker, file ORDER BY reach_from DESC) AS size
    FROM members
    GROUP BY "by_fold", cluster, pair_talker, file, reach_from
)
SELECT member_.* EXCLUDE (size), member_.size AS span_size,
    greatest(
        if(first_.file = member_.file, second_.size, first_.size),
        before_.size, after_.size) AS partner_size
FROM members AS member_
JOIN files AS first_
    ON first_.rank = 1 AND first_.cluster = member_.cluster AND first_.pair_talker = member_.pair_talker AND first_."by_fold" = member_."by_fold"
LEFT JOIN files AS second_
    ON second_.rank = 2 AND second_.cluster = member_.cluster AND second_.pair_talker = member_.pair_talker AND second_."by_fold" = member_."by_fold"
ASOF LEFT JOIN ending AS before_ ON before_.cluster = member_.cluster AND before_.pair_talker = member_.pair_talker
    AND before_.file = member_.file AND before_."by_fold" = member_."by_fold" AND member_.reach_from >= before_.time
ASOF LEFT JOIN beginning AS after_ ON after_.cluster = member_.cluster AND after_.pair_talker = member_.pair_talker
    AND after_.file = member_.file AND after_."by_fold" = member_."by_fold" AND member_.reach_to <= after_.time;

-- relation phone_runs (specs/term_discovery/zerospeech2015/corpus.yaml)
-- Each phoneme of a fold with what follows it. `remaining` is the number of phonemes from this one to the end
--   of its utterance, without a hole in the fold; 0 for a phoneme in no utterance. `codes` is a string of up
--   to 32 codes, its code and those of the 31 phonemes after it. So F_all is known without being listed: the
--   span of n phones at a phoneme is in F_all when min_phones ≤ n ≤ max_phones and n ≤ remaining, and its
--   transcription is the first n characters of `codes`. With talkers = within, only files whose talker is
--   known.
CREATE TABLE "phone_runs_68c0e568" AS
WITH starts AS (
    SELECT *, coalesce(number <> lag(number) OVER in_file + 1 OR utterance IS DISTINCT FROM lag(utterance) OVER in_file, true) AS begins
    FROM "fold_phones_6368828b"
    WINDOW in_file AS (PARTITION BY "by_fold", file ORDER BY phone)
),
runs AS (
    SELECT *, count_if(begins) OVER (PARTITION BY "by_fold", file ORDER BY phone ROWS UNBOUNDED PRECEDING) AS run FROM starts
),
strings AS (
    SELECT "by_fold", file, phone, codes || coalesce(lead(codes, 16) OVER (PARTITION BY "by_fold", file ORDER BY phone), '') AS codes
    FROM "phone_strings_ded8d3f5"
)
SELECT "by_fold", '' AS pair_talker, file, number AS phone, phone AS place, onset, "offset", codes,
    if(utterance IS NULL, 0, count(*) OVER (PARTITION BY "by_fold", file, run ORDER BY number DESC ROWS UNBOUNDED PRECEDING)) AS remaining
FROM runs
JOIN strings USING ("by_fold", file, phone);

-- relation recurring_spans, F_all (specs/term_discovery/zerospeech2015/all_pairs.yaml)
-- The spans of F_all (`min_phones` to `max_phones` consecutive phones inside one utterance) whose
--   transcription at least one other span has. `spans` is the number of spans with the transcription. All
--   other spans are in no pair of P_all.
CREATE TABLE "recurring_spans_96357d00" AS
WITH spans AS (
    SELECT "by_fold", pair_talker, file, phone, onset, size, left(codes, size::INTEGER) AS text
    FROM (SELECT *, unnest(range(3::BIGINT, least(20::BIGINT, remaining) + 1)) AS size FROM "phone_runs_68c0e568")
)
SELECT "by_fold", pair_talker, text, span_.file, span_.phone, size, span_.onset, last_."offset", spans
FROM spans AS span_
JOIN (SELECT "by_fold", pair_talker, text, count(*) AS spans FROM spans GROUP BY ALL HAVING spans > 1) USING ("by_fold", pair_talker, text)
JOIN "phone_runs_68c0e568" AS last_
    ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1 AND last_."by_fold" = span_."by_fold";

-- relation all_spans, flat(P_all) (specs/term_discovery/zerospeech2015/all_pairs.yaml)
-- The spans that are in a pair of P_all, flat(P_all), with the number of pairs that each is in (`partners`).
--   By definition, all pairs of spans with the same transcription are listed, and those that overlap are
--   dropped (pairs/pairs_all.sql). Here a span whose transcription n spans have is in n − 1 pairs, less the
--   pairs with spans that overlap it. Only spans of one file that share time can overlap, so that only those
--   are compared. Example: three spans have the transcription `aaaa`, at 0.0–0.4, 0.1–0.5 and 2.0–2.4 s. The
--   first two share 0.3 of 0.4 s, more than half, and are no pair. The partners are 2 − 1, 2 − 1 and 2.
--   tests/conformance/test_zerospeech2015_pairs.py compares the two.
CREATE TABLE "all_spans_c575f92c" AS
WITH sharing AS (
    WITH slots AS (
        SELECT greatest(2 * avg("offset" - onset), microseconds(1e-6)) AS width FROM "recurring_spans_96357d00"
    ),
    laid AS (
        SELECT *, unnest(range(floor(onset / width)::BIGINT, floor("offset" / width)::BIGINT + 1)) AS slot FROM "recurring_spans_96357d00", slots
    )
    SELECT "by_fold", pair_talker, text, a.file AS file_a, b.file AS file_b, a."phone" AS phone_a, b."phone" AS phone_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b
    FROM laid AS a
    JOIN laid AS b USING ("by_fold", pair_talker, text, file, slot)
    WHERE ((a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
        AND a.onset < b."offset" AND b.onset < a."offset"
        AND slot = floor(greatest(a.onset, b.onset) / a.width)::BIGINT
),
overlapping AS (
    SELECT "by_fold", pair_talker, text, unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone
    FROM sharing
    WHERE (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(0.0e0) AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(86400.0e0)
            OR more_than_part(least(offset_a, offset_b) - greatest(onset_a, onset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))
),
counted AS (
    SELECT *, count(*) AS clashes FROM overlapping GROUP BY ALL
)
SELECT "by_fold", pair_talker, text, file, phone, size, onset, "offset", spans - 1 - coalesce(clashes, 0) AS partners
FROM "recurring_spans_96357d00"
LEFT JOIN counted USING ("by_fold", pair_talker, text, file, phone)
WHERE partners > 0;

-- relation covered_phones, cover(P_disc), cover(P_all)
--   (specs/term_discovery/zerospeech2015/coverage.yaml)
-- The phonemes of cover(P_disc) (found) and of cover(P_all) (gold): those in the transcription of a fragment
--   that is in a pair of P_disc, and those in a span that is in a pair of P_all. By definition each span is
--   expanded to its phones, and equal phones are merged. Here spans of a file that have phones in common are
--   merged first, so that each phone is listed once for each set, however many spans contain it. With the
--   spans 1–4, 2–5 and 7–8, the phones 1 to 5 and 7 to 8 are listed.
CREATE TABLE "covered_phones_3f4c60a3" AS
WITH spans AS (
    SELECT "by_fold", file, 'found' AS set_, first_phone, last_phone FROM "longest_partners_f2db7256"
    WHERE partner_size IS NOT NULL AND first_phone <= last_phone
    UNION ALL
    SELECT "by_fold", unnest([file_a, file_b]), 'found', unnest([first_a, first_b]), unnest([last_a, last_b]) FROM "near_pairs_bce0be02"
    WHERE NOT overlap
    UNION ALL
    SELECT "by_fold", file, 'gold', phone, phone + size - 1 FROM "all_spans_c575f92c"
),
longest AS (
    SELECT "by_fold", file, set_, first_phone, max(last_phone) AS last_phone FROM spans GROUP BY ALL
),
parted AS (
    SELECT *, coalesce(first_phone > max(last_phone) OVER before, true) AS begins
    FROM longest
    WINDOW before AS (PARTITION BY "by_fold", file, set_ ORDER BY first_phone ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
islands AS (
    SELECT *, count_if(begins) OVER (PARTITION BY "by_fold", file, set_ ORDER BY first_phone ROWS UNBOUNDED PRECEDING) AS island
    FROM parted
),
merged AS (
    SELECT "by_fold", file, set_, unnest(range(min(first_phone), max(last_phone) + 1)) AS number
    FROM islands
    GROUP BY "by_fold", file, set_, island
)
SELECT "by_fold", file, number, onset, "offset", bool_or(set_ = 'found') AS in_found, bool_or(set_ = 'gold') AS in_gold
FROM merged
JOIN "fold_phones_6368828b" USING ("by_fold", file, number)
GROUP BY ALL;

-- metric coverage, slices (specs/term_discovery/zerospeech2015/coverage.yaml)
-- Coverage: duration of the phones in found pairs, divided by the duration of the phones in gold pairs. Found
--   pairs (P_disc) are two distinct fragments of one cluster that do not overlap. Gold pairs (P_all) are two
--   spans of min_phones to max_phones phones of the corpus with equal transcriptions that do not overlap.
--   Coverage may exceed 1, because found pairs need not have equal transcriptions. zerospeech2017.coverage
--   divides by all phones of the corpus, and counts phones; tde2015.coverage measures time without phones.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "coverage_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric coverage, statistics per unit (specs/term_discovery/zerospeech2015/coverage.yaml)
-- Coverage: duration of the phones in found pairs, divided by the duration of the phones in gold pairs. Found
--   pairs (P_disc) are two distinct fragments of one cluster that do not overlap. Gold pairs (P_all) are two
--   spans of min_phones to max_phones phones of the corpus with equal transcriptions that do not overlap.
--   Coverage may exceed 1, because found pairs need not have equal transcriptions. zerospeech2017.coverage
--   divides by all phones of the corpus, and counts phones; tde2015.coverage measures time without phones.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "coverage_units_7c12f591" AS
SELECT "by_fold", "file",
    coalesce(sum("offset" - onset) FILTER (WHERE in_found), 0) AS "numerator",
    coalesce(sum("offset" - onset) FILTER (WHERE in_gold), 0) AS "denominator"
FROM "covered_phones_3f4c60a3" AS counted_rows
GROUP BY ALL;

-- metric coverage, scores (specs/term_discovery/zerospeech2015/coverage.yaml)
-- Coverage: duration of the phones in found pairs, divided by the duration of the phones in gold pairs. Found
--   pairs (P_disc) are two distinct fragments of one cluster that do not overlap. Gold pairs (P_all) are two
--   spans of min_phones to max_phones phones of the corpus with equal transcriptions that do not overlap.
--   Coverage may exceed 1, because found pairs need not have equal transcriptions. zerospeech2017.coverage
--   divides by all phones of the corpus, and counts phones; tde2015.coverage measures time without phones.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "coverage_25dd73a7" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("numerator"), 0) AS "numerator",
        coalesce(sum("denominator"), 0) AS "denominator"
    FROM (FROM "coverage_units_7c12f591" UNION ALL BY NAME FROM "coverage_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(numerator, denominator) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."numerator" = 0 THEN 'numerator = 0' END, CASE WHEN sums."denominator" = 0 THEN 'denominator = 0' END), '') AS note
FROM sums;

-- relation touching_subspans (specs/term_discovery/zerospeech2015/matching.yaml)
-- The pairs of sub-spans that are aligned in a pair of P_disc whose fragments share time. Such pairs are few
--   (near_pairs) and are listed by definition, as in pairs/pairs_star.sql: every offset, every size, without
--   a sub-span paired with itself. They cannot be counted in closed form, because two sub-spans of fragments
--   that share time can be the same span or overlap each other. found_spans and both_spans add them to what
--   they count for fragments that share no time.
CREATE TABLE "touching_subspans_e966555e" AS
SELECT "by_fold", file_a, first_a + before_a AS phone_a, file_b, first_b + before_b AS phone_b, size
FROM (
    SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
    FROM (
        SELECT *, unnest(range(0, size_a - size + 1)) AS before_a
        FROM (
            SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT) + 1)) AS size
            FROM (SELECT *, last_a - first_a + 1 AS size_a, last_b - first_b + 1 AS size_b FROM "near_pairs_bce0be02" WHERE NOT overlap)
        )
    )
)
WHERE (file_a <> file_b OR first_a + before_a <> first_b + before_b)
    AND (before_a <= before_b AND size_a - before_a <= size_b - before_b OR before_a >= before_b AND size_a - before_a >= size_b - before_b);

-- relation found_spans, flat(P_disc*) (specs/term_discovery/zerospeech2015/matching.yaml)
-- The spans that are in a pair of P_disc*, flat(P_disc*). By definition, the pairs are listed and their spans
--   collected (pairs/pairs_star.sql). But for members that share no time, a sub-span of n phones has an
--   aligned sub-span in every other member of n phones or more: the shorter transcription slides along the
--   whole longer one. So a sub-span is found when the longest partner of its member (longest_partners) has at
--   least its n phones. And if a span is found, so are the shorter spans with the same first phone, so that
--   for each first phone the longest found span represents all. Pairs of members that share time are listed
--   (touching_subspans). Example with min_phones = 2: the longest partner of abcd is efg, 3 phones. The
--   longest found spans are abc at a, bcd at b and cd at c. All found spans of abcd are ab, abc, bc, bcd and
--   cd, but not abcd. tests/conformance/test_zerospeech2015_pairs.py compares the two.
CREATE TABLE "found_spans_bd80cc28" AS
WITH in_members AS MATERIALIZED (
    SELECT "by_fold", file, first_phone + before AS phone, max(least(span_size - before, partner_size)) AS longest
    FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM (FROM "longest_partners_f2db7256" WHERE partner_size IS NOT NULL))
    GROUP BY ALL
),
touching AS MATERIALIZED (
    SELECT "by_fold", file, phone, max(size) AS longest_touching
    FROM (SELECT "by_fold", unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size FROM "touching_subspans_e966555e")
    GROUP BY ALL
)
SELECT "by_fold", file, phone, unnest(range(3::BIGINT, least(greatest(longest, longest_touching), 20::BIGINT) + 1)) AS size
FROM in_members
FULL JOIN touching USING ("by_fold", file, phone);

-- relation subspan_starts (specs/term_discovery/zerospeech2015/matching.yaml)
-- The phones at which a sub-span of a member can begin, with the first `min_phones` codes there. Starts with
--   fewer than `min_phones` phones left in their utterance are left out, because F_all has no span there.
CREATE TABLE "subspan_starts_c090038f" AS
SELECT start_."by_fold", start_.cluster, start_.pair_talker, start_.file, start_.phone, reach_from, reach_to,
    before, span_size, left(codes, 3::BIGINT) AS first_phones
FROM (SELECT *, first_phone + before AS phone FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM "longest_partners_f2db7256")) AS start_
JOIN "phone_runs_68c0e568" AS run_
    ON run_.file = start_.file AND run_.phone = start_.phone AND run_."by_fold" = start_."by_fold"
    AND remaining >= 3::BIGINT;

-- relation repeated_subspans (specs/term_discovery/zerospeech2015/matching.yaml)
-- The sub-spans of members, inside one utterance, whose first `min_phones` phones also begin another sub-span
--   of the group. `text` is the transcription. equal_subspans searches sub-spans with equal transcriptions.
--   Sub-spans with equal transcriptions have equal first phones, so that all others can be dropped before the
--   many longer sub-spans are listed.
CREATE TABLE "repeated_subspans_7344d7e8" AS
WITH repeated AS (
    SELECT "by_fold", "cluster", "pair_talker", "first_phones" FROM "subspan_starts_c090038f" GROUP BY ALL HAVING count(*) > 1
)
SELECT * EXCLUDE (span_size, codes), span_size - size - before AS after, left(codes, size::INTEGER) AS text
FROM (
    SELECT start_.* EXCLUDE (first_phones), codes, unnest(range(3::BIGINT, least(span_size - before, remaining, 20::BIGINT) + 1)) AS size
    FROM (FROM "subspan_starts_c090038f" SEMI JOIN repeated USING ("by_fold", "cluster", "pair_talker", "first_phones")) AS start_
    JOIN "phone_runs_68c0e568" AS run_
        ON run_.file = start_.file AND run_.phone = start_.phone AND run_."by_fold" = start_."by_fold"
);

-- relation equal_subspans (specs/term_discovery/zerospeech2015/matching.yaml)
-- The sub-spans that are aligned with a sub-span of equal transcription in another member of their group that
--   shares no time with their member. By definition, all aligned pairs of sub-spans are listed and compared
--   (pairs/pairs_star.sql with pairs/pairs_all.sql). Here the sub-spans of a group are summarised by
--   transcription, `before` and `after`: the first and last file, the earliest end and the latest begin of
--   their members. A sub-span has a partner in such a class when the class is aligned with it and has a
--   member in a different file, or a member that ends before its member begins, or a member that begins after
--   its member ends. Example: cluster 1 has xabc at 0.0–0.4 s and yabc at 1.0–1.4 s of one file. The sub-span
--   abc has the class "1 before, 0 after" in both. Its earliest end is 0.4 s and its latest begin 1.0 s, so
--   that both sub-spans have a partner. tests/conformance/test_zerospeech2015_pairs.py compares the result,
--   both_spans, with the definition.
CREATE TABLE "equal_subspans_3e3c2b90" AS
WITH classes AS (
    SELECT "by_fold", cluster, pair_talker, text, before, after, min(file) AS first_file, max(file) AS last_file,
        min(reach_to) AS earliest_end, max(reach_from) AS latest_begin
    FROM "repeated_subspans_7344d7e8"
    GROUP BY ALL
)
SELECT "by_fold", file, phone, size
FROM "repeated_subspans_7344d7e8" AS span_
SEMI JOIN classes AS class_
    ON span_.cluster = class_.cluster AND span_.pair_talker = class_.pair_talker AND span_.text = class_.text AND span_."by_fold" = class_."by_fold"
        AND (span_.before <= class_.before AND span_.after <= class_.after OR span_.before >= class_.before AND span_.after >= class_.after)
        AND (first_file <> file OR last_file <> file OR earliest_end <= reach_from OR latest_begin >= reach_to);

-- relation both_spans, flat(P_disc* ∩ P_all) (specs/term_discovery/zerospeech2015/matching.yaml)
-- The spans that are in a pair of P_disc* ∩ P_all, flat(P_disc* ∩ P_all): an aligned sub-span has the same
--   transcription, both lie inside an utterance, and the two do not overlap. By definition, the pairs of both
--   sets are listed and intersected (pairs/pairs_star.sql with pairs/pairs_all.sql). Here the spans of
--   members that share no time come from equal_subspans, without pairs. The pairs of members that share time
--   (touching_subspans) are listed; those with different transcriptions and those that overlap are dropped.
--   Example with min_phones = 2: abab at 0.0–0.4 s and abab at 0.2–0.6 s share half of their time, not more,
--   and are a pair of P_disc. Their aligned sub-spans ab at 0.0 s and ab at 0.2 s are a pair of both sets.
--   tests/conformance/test_zerospeech2015_pairs.py compares the two.
CREATE TABLE "both_spans_020765e7" AS
WITH begun AS MATERIALIZED (
    SELECT pair_.*, left(codes, size::INTEGER) AS text, onset AS onset_a
    FROM "touching_subspans_e966555e" AS pair_
    JOIN "phone_runs_68c0e568" AS run_ ON run_.file = file_a AND run_.phone = phone_a AND run_."by_fold" = pair_."by_fold"
    WHERE remaining >= size
),
equal AS MATERIALIZED (
    SELECT pair_.*, onset AS onset_b
    FROM begun AS pair_
    JOIN "phone_runs_68c0e568" AS run_ ON run_.file = file_b AND run_.phone = phone_b AND run_."by_fold" = pair_."by_fold"
    WHERE remaining >= size AND left(codes, size::INTEGER) = text
),
ended AS MATERIALIZED (
    SELECT pair_.*, "offset" AS offset_a
    FROM equal AS pair_
    JOIN "phone_runs_68c0e568" AS run_ ON run_.file = file_a AND run_.phone = phone_a + size - 1 AND run_."by_fold" = pair_."by_fold"
),
timed AS MATERIALIZED (
    SELECT pair_.*, "offset" AS offset_b
    FROM ended AS pair_
    JOIN "phone_runs_68c0e568" AS run_ ON run_.file = file_b AND run_.phone = phone_b + size - 1 AND run_."by_fold" = pair_."by_fold"
),
touching AS MATERIALIZED (
    SELECT DISTINCT "by_fold", unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size
    FROM timed
    WHERE NOT (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(0.0e0) AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(86400.0e0)
            OR more_than_part(least(offset_a, offset_b) - greatest(onset_a, onset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))
),
apart AS MATERIALIZED (
    SELECT DISTINCT "by_fold", file, phone, size FROM "equal_subspans_3e3c2b90"
)
SELECT "by_fold", file, phone, size
FROM apart
FULL JOIN touching USING ("by_fold", file, phone, size);

-- relation matching_spans, flat(P_disc*), flat(P_all)
--   (specs/term_discovery/zerospeech2015/matching.yaml)
-- The distinct spans of flat(P_disc*) (found), flat(P_all) (gold) and flat(P_disc* ∩ P_all) (both). Published
--   matching precision is both / found and recall is both / gold, because the frequencies of the
--   transcriptions cancel.
CREATE TABLE "matching_spans_5c705af7" AS
SELECT "by_fold", file, phone, size, coalesce(in_found, false) AS in_found, coalesce(in_gold, false) AS in_gold, coalesce(in_both, false) AS in_both
FROM (SELECT "by_fold", file, phone, size, true AS in_found FROM "found_spans_bd80cc28")
FULL JOIN (SELECT "by_fold", file, phone, size, true AS in_gold FROM "all_spans_c575f92c") USING ("by_fold", file, phone, size)
FULL JOIN (SELECT "by_fold", file, phone, size, true AS in_both FROM "both_spans_020765e7") USING ("by_fold", file, phone, size);

-- relation disc_subspans (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The sub-spans of `min_phones` to `max_phones` phones of the members of groups, with the number of phones of
--   the member that are `before` and `after` each. One row for each member and sub-span; a sub-span of two
--   members has two rows. Size, `before` and `after` decide which sub-spans of another member are aligned
--   with it: the shorter transcription is laid along the longer, and two sub-spans of one size are at the
--   same places at some offset when one of them has no more phones before it and no more phones after it than
--   the other. ab of abcd has 0 before and 2 after; ef of efg has 0 and 1, so that the two are aligned; fg of
--   efg has 1 and 0, so that ab and fg are not.
CREATE TABLE "disc_subspans_74652872" AS
SELECT "by_fold", cluster, pair_talker, file, onset, "offset", reach_from, reach_to, partner_size, size,
    first_phone + before AS phone, before, span_size - size - before AS after
FROM (
    SELECT *, unnest(range(0, span_size - size + 1)) AS before
    FROM (SELECT *, unnest(range(3::BIGINT, least(span_size, 20::BIGINT) + 1)) AS size FROM "longest_partners_f2db7256")
);

-- relation span_classes (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The classes of sub-spans, with `partners`, the number of sub-spans of the group that are aligned with a
--   sub-span of the class. A class is a group, a size, a number of phones before and a number of phones after
--   the sub-span in its member. `size_group` numbers the combinations of group and size: only classes of one
--   size_group can be aligned. By definition the aligned sub-spans are times_listed (pairs/pairs_star.sql).
--   But whether two sub-spans are aligned depends on their classes alone (disc_subspans), so that it is
--   enough to count for each class and each length of a member. Let m = before + size + after be the length
--   of the sub-span's member. A member of n ≥ m phones has one aligned sub-span for each of its n − m + 1
--   offsets. A member of n < m phones, n ≥ size, has min(before, n − size) − max(0, n − size − after) + 1.
--   The sum includes the sub-span itself, which is subtracted. Example: in the group of abcd and efg, the
--   sub-span ab has 0 phones before and 2 after it. In efg, n − size = 1, it has min(0, 1) − max(0, 1 − 2) +
--   1 = 1 partner, ef. The sub-span bc has min(1, 1) − max(0, 1 − 1) + 1 = 2 partners, ef and fg. The
--   sub-span ef has 4 − 3 + 1 = 2 partners in abcd, ab and bc. tests/conformance/test_zerospeech2015_pairs.py
--   compares the result, matching_types, with the definition.
CREATE TABLE "span_classes_0c632655" AS
WITH lengths AS (
    SELECT "by_fold", cluster, pair_talker, span_size, count(*) AS spans
    FROM (SELECT DISTINCT "by_fold", cluster, pair_talker, file, first_phone, span_size FROM "longest_partners_f2db7256")
    GROUP BY ALL
),
classes AS (
    SELECT DISTINCT "by_fold", cluster, pair_talker, size, before, after FROM "disc_subspans_74652872"
),
counted AS (
    SELECT classes.*, sum(spans * if(span_size >= before + size + after, span_size - (before + size + after),
        least(before, span_size - size) - greatest(0, span_size - size - after)) + spans) - 1 AS partners
    FROM classes
    JOIN lengths USING ("by_fold", cluster, pair_talker)
    WHERE span_size >= size
    GROUP BY ALL
)
SELECT *, row_number() OVER () AS class, dense_rank() OVER (ORDER BY "by_fold", cluster, pair_talker, size) AS size_group
FROM counted;

-- relation disc_spans (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The distinct sub-spans of members of groups, each with its transcription and its signature. The signature
--   stands for the set of classes (span_classes) that the span is in, times_listed in `classes`.
--   `in_utterance`: the span lies inside one utterance without a hole in the fold, so that it is in F_all.
--   The naive way asks for the partners of every span. Spans with the same signature are in the same classes
--   and so have the same partners. matching_types therefore counts signatures and transcriptions, not spans.
--   A span is in two classes when it is a part of two members: with abcd and bcde of one cluster, bcd is in
--   the class "size 3, 1 before, 0 after" and in the class "size 3, 0 before, 1 after". The definition of the
--   sub-spans is pairs/pairs_star.sql.
CREATE TABLE "disc_spans_ac7c1193" AS
WITH instances AS (
    SELECT "by_fold", file, phone, size, class
    FROM "disc_subspans_74652872"
    JOIN "span_classes_0c632655" USING ("by_fold", cluster, pair_talker, size, before, after)
),
signed AS (
    WITH elements AS (
        SELECT "by_fold", file, phone, size, min(class) AS lowest, max(class) AS highest FROM instances GROUP BY ALL
    ),
    listed AS (
        SELECT "by_fold", file, phone, size, list(DISTINCT class ORDER BY class) AS classes
        FROM instances
        SEMI JOIN (FROM elements WHERE lowest < highest) USING ("by_fold", file, phone, size)
        GROUP BY ALL
    ),
    multiple AS (
        SELECT *, -dense_rank() OVER (ORDER BY classes) AS signature FROM listed
    )
    SELECT "by_fold", file, phone, size, coalesce(signature, lowest) AS signature, coalesce(classes, [lowest]) AS classes
    FROM elements
    LEFT JOIN multiple USING ("by_fold", file, phone, size)
)
SELECT signed.*, coalesce(first_.remaining >= size, false) AS in_utterance,
    left(next_.codes, (last_.place - next_.place + 1)::INTEGER) AS text
FROM signed
LEFT JOIN "phone_runs_68c0e568" AS first_
    ON first_.file = signed.file AND first_.phone = signed.phone AND first_."by_fold" = signed."by_fold"
-- a fold can lack phones of a span: its transcription is that of the phones of the span that are in the fold
ASOF LEFT JOIN "phone_runs_68c0e568" AS next_
    ON next_.file = signed.file AND next_."by_fold" = signed."by_fold" AND next_.phone >= signed.phone
ASOF LEFT JOIN "phone_runs_68c0e568" AS last_
    ON last_.file = signed.file AND last_."by_fold" = signed."by_fold" AND last_.phone < signed.phone + signed.size;

-- relation multiple_alignments (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The ordered pairs of signatures whose sub-spans are aligned in more than one way, also of a signature with
--   itself. `ways` is the number of ways: the number of pairs of a class of the one and a class of the other
--   that are aligned. By definition P_disc* is a set, in which a pair of sub-spans occurs once
--   (pairs/pairs_star.sql). Counting by classes counts it `ways` ways; matching_types subtracts the surplus.
--   Example: the spans ab at 2.0 s and ab at 3.0 s are both whole members of cluster 2 and of cluster 3. Each
--   has two classes, and the two spans are aligned in both clusters: ways = 2. The naive way compares all
--   signatures. More than one way needs either two pools in common, or two classes of one size_group on one
--   side. The candidates are found by equality joins on these, and only their ways are counted.
--   tests/conformance/test_zerospeech2015_pairs.py compares the result, matching_types, with the definition.
CREATE TABLE "multiple_alignments_9d37f619" AS
WITH signatures AS (
    SELECT "by_fold", signature, any_value(classes) AS classes FROM "disc_spans_ac7c1193" GROUP BY ALL
),
members AS (
    SELECT "by_fold", signature, repeated, class, size_group, before, after
    FROM (SELECT "by_fold", signature, len(classes) > 1 AS repeated, unnest(classes) AS class FROM signatures)
    JOIN (SELECT class, size_group, before, after FROM "span_classes_0c632655") USING (class)
),
pool_pairs AS (
    SELECT a.signature, a.size_group, a.before, a.after, b.size_group AS other_size_group, b.before AS other_before, b.after AS other_after
    FROM (FROM members WHERE repeated) AS a
    JOIN (FROM members WHERE repeated) AS b USING (signature)
    WHERE a.size_group < b.size_group
),
one_pool AS (
    SELECT a.signature AS one, b.signature AS other
    FROM (SELECT signature, size_group FROM members WHERE repeated GROUP BY ALL HAVING count(*) > 1) AS a
    JOIN members AS b USING (size_group)
),
candidates AS (
    SELECT a.signature AS signature_a, b.signature AS signature_b
    FROM pool_pairs AS a
    JOIN pool_pairs AS b USING (size_group, other_size_group)
    WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
        AND (a.other_before <= b.other_before AND a.other_after <= b.other_after OR a.other_before >= b.other_before AND a.other_after >= b.other_after)
    UNION
    SELECT one, other FROM one_pool
    UNION
    SELECT other, one FROM one_pool
)
SELECT a."by_fold", signature_a, signature_b, count(*) AS ways
FROM candidates
JOIN members AS a ON a.signature = signature_a
JOIN members AS b ON b.signature = signature_b AND b.size_group = a.size_group
WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
GROUP BY ALL
HAVING count(*) > 1;

-- relation near_subspans (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The distinct pairs of sub-spans that are aligned in a pair of near_pairs. `found`: the pair of sub-spans is
--   in P_disc*, because it is aligned in at least one pair of P_disc. matching_types counts the aligned
--   sub-spans of all pairs of members, also of members that overlap and so are no pair of P_disc. The pairs
--   of sub-spans with NOT found are what it must subtract. The definition asks whether the pair is in
--   pairs/pairs_star.sql. Here it is in P_disc* when one of its near pairs does not overlap, or else when two
--   other members of one group contain the sub-spans, aligned, and do not overlap. Only for pairs that fail
--   the first test are members searched for the second. Example: abcdefg at 0.0–0.7 s and defghij at 0.3–1.0
--   s share 0.4 of 0.7 s and overlap. Their aligned sub-spans abc and def are in P_disc* only if a group has
--   fragments that contain them, aligned, and do not overlap, such as abc at 0.0–0.3 s and def at 0.3–0.6 s.
--   tests/conformance/test_zerospeech2015_pairs.py compares the result, matching_types, with the definition.
CREATE TABLE "near_subspans_d3890219" AS
WITH pairs AS (
    SELECT "by_fold", "overlap", file_a, first_a + before_a AS phone_a, file_b, first_b + before_b AS phone_b, size
    FROM (
        SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
        FROM (
            SELECT *, unnest(range(0, size_a - size + 1)) AS before_a
            FROM (
                SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT) + 1)) AS size
                FROM (SELECT *, last_a - first_a + 1 AS size_a, last_b - first_b + 1 AS size_b FROM "near_pairs_bce0be02" WHERE true)
            )
        )
    )
    WHERE (file_a <> file_b OR first_a + before_a <> first_b + before_b)
        AND (before_a <= before_b AND size_a - before_a <= size_b - before_b OR before_a >= before_b AND size_a - before_a >= size_b - before_b)
),
near AS (
    SELECT "by_fold", file_a, phone_a, file_b, phone_b, size, bool_or(NOT overlap) AS found
    FROM (
        SELECT * REPLACE (if(file_a = file_b, least(phone_a, phone_b), phone_a) AS phone_a,
            if(file_a = file_b, greatest(phone_a, phone_b), phone_b) AS phone_b)
        FROM pairs
    )
    GROUP BY ALL
),
found_otherwise AS (
    SELECT DISTINCT near_.* EXCLUDE (found)
    FROM (FROM near WHERE NOT found) AS near_
    JOIN "disc_subspans_74652872" AS a
        ON a.file = file_a AND a.phone = phone_a AND a.size = near_.size AND a."by_fold" = near_."by_fold"
    JOIN "disc_subspans_74652872" AS b
        ON b.file = file_b AND b.phone = phone_b AND b.size = near_.size AND b."by_fold" = near_."by_fold"
        AND b.cluster = a.cluster AND b.pair_talker = a.pair_talker
    WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
        AND NOT (least(a."offset", b."offset") - greatest(a.onset, b.onset) > microseconds(0.0e0) AND (least(a."offset", b."offset") - greatest(a.onset, b.onset) > microseconds(86400.0e0)
            OR more_than_part(least(a."offset", b."offset") - greatest(a.onset, b.onset), 0.5e0, least(a."offset" - a.onset, b."offset" - b.onset))))
)
SELECT near.* REPLACE (found OR otherwise_.size IS NOT NULL AS found)
FROM near
LEFT JOIN found_otherwise AS otherwise_ USING ("by_fold", file_a, phone_a, file_b, phone_b, size);

-- relation all_types, P_all (specs/term_discovery/zerospeech2015/all_pairs.yaml)
-- The transcriptions t of P_all: the number of spans that t labels, |match(t, P_all)|, and the number of ends
--   of pairs that it labels, N(t, P_all). A pair has two ends, so that the ends are the sum of the `partners`
--   of the spans.
CREATE TABLE "all_types_1ca95f9c" AS
SELECT "by_fold", text, count(*) AS spans, sum(partners)::BIGINT AS ends FROM "all_spans_c575f92c" GROUP BY ALL;

-- relation matching_types, match(t, P), N(t, P)
--   (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- For each transcription t the number of spans that it labels, |match(t, P)|, in P_disc* (found) and P_all
--   (gold), and the number of ends of pairs that it labels, N(t, P), in P_disc*, P_all and P_disc* ∩ P_all
--   (both). By definition the pairs are listed and their ends counted (pairs/pairs_star.sql,
--   pairs/pairs_all.sql). Here the ends in P_disc* are counted in three steps. (1) Every span of a class has
--   the `partners` of the class (span_classes); the sum over all spans and their classes is a first count.
--   (2) That counts a pair of spans that is aligned in k ways k times: k − 1 are subtracted
--   (multiple_alignments). It also counts a span as its own partner, once for each ordered pair of two
--   different classes of the span that are aligned with each other; these are subtracted too. (3) It counts
--   aligned sub-spans of members that overlap, which are no pair of P_disc: the pairs of near_subspans with
--   NOT made are subtracted. Ends in both sets are counted in the same way among spans of equal transcription
--   inside an utterance. In step 3, pairs of spans that overlap are subtracted as well, because they are not
--   in P_all. Example: cluster 2 has ab at 2.0 s, ab at 3.0 s and cd; cluster 3 has the same two ab and bc.
--   Step 1 counts 2 + 2 partners for each ab. The two ab are aligned in both clusters, so step 2 subtracts 1.
--   Each ab has 3 partners, and the two label 6 ends. tests/conformance/test_zerospeech2015_pairs.py compares
--   the two.
CREATE TABLE "matching_types_43abc332" AS
WITH spans AS (
    SELECT span_.*, first_.onset, last_."offset"
    FROM "disc_spans_ac7c1193" AS span_
    LEFT JOIN "phone_runs_68c0e568" AS first_
        ON first_.file = span_.file AND first_.phone = span_.phone AND first_."by_fold" = span_."by_fold"
    LEFT JOIN "phone_runs_68c0e568" AS last_
        ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1 AND last_."by_fold" = span_."by_fold"
),
types AS (
    SELECT "by_fold", signature, text, in_utterance, any_value(classes) AS classes, count(*) AS spans FROM "disc_spans_ac7c1193" GROUP BY ALL
),
met AS (
    SELECT "by_fold", text, in_utterance, spans, class_.*
    FROM (SELECT *, unnest(classes) AS class FROM types) AS type_
    JOIN (SELECT class, size_group, before, after, partners FROM "span_classes_0c632655") AS class_ USING (class)
),
within_utterance AS (
    SELECT "by_fold", text, class, size_group, before, after, sum(spans) AS spans FROM met WHERE in_utterance GROUP BY ALL
),
-- step 2, `times` being k: k - 1 counts of each pair of different spans; where both signatures are one, also the counts
-- of a span as its own partner, which are k less one for each of its classes
repeated AS (
    SELECT a."by_fold", a.text, a.in_utterance AND b.in_utterance AND a.text = b.text AS matching,
        a.spans * if(itself, (b.spans - 1) * (ways - 1) + ways - len(a.classes), b.spans * (ways - 1)) AS ends
    FROM (
        SELECT ways, a, b, (a.signature = b.signature AND a.text = b.text AND a.in_utterance = b.in_utterance) AS itself
        FROM "multiple_alignments_9d37f619"
        JOIN types AS a ON a.signature = signature_a
        JOIN types AS b ON b.signature = signature_b
    )
),
near_by_a AS MATERIALIZED (
    SELECT near_.*, text AS text_a, in_utterance AS in_utterance_a, onset AS onset_a, "offset" AS offset_a
    FROM "near_subspans_d3890219" AS near_
    JOIN spans AS span_ ON span_.file = near_.file_a AND span_.phone = near_.phone_a AND span_.size = near_.size AND span_."by_fold" = near_."by_fold"
),
near AS (
    SELECT near_."by_fold", found, text_a, text AS text_b, in_utterance_a AND in_utterance AND text_a = text AS matching,
        (least(offset_a, "offset") - greatest(onset_a, onset) > microseconds(0.0e0) AND (least(offset_a, "offset") - greatest(onset_a, onset) > microseconds(86400.0e0)
            OR more_than_part(least(offset_a, "offset") - greatest(onset_a, onset), 0.5e0, least(offset_a - onset_a, "offset" - onset)))) AS overlapping
    FROM near_by_a AS near_
    JOIN spans AS span_ ON span_.file = near_.file_b AND span_.phone = near_.phone_b AND span_.size = near_.size AND span_."by_fold" = near_."by_fold"
),
labelled AS (
    SELECT "by_fold", text, count(*) AS found_spans
    FROM "found_spans_bd80cc28"
    JOIN "disc_spans_ac7c1193" USING ("by_fold", file, phone, size)
    GROUP BY ALL
),
ends AS (
    SELECT "by_fold", text, 'found' AS set_, sum(spans * partners)::BIGINT AS ends FROM met GROUP BY ALL
    UNION ALL
    SELECT "by_fold", text, 'found', -sum(ends)::BIGINT FROM repeated GROUP BY ALL
    UNION ALL
    SELECT "by_fold", unnest([text_a, text_b]), 'found', -1 FROM near WHERE NOT found
    UNION ALL
    SELECT a."by_fold", text, 'both', sum(a.spans * (b.spans - (a.class = b.class)::BIGINT))::BIGINT
    FROM within_utterance AS a
    JOIN within_utterance AS b USING (size_group, text)
    WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
    GROUP BY ALL
    UNION ALL
    SELECT "by_fold", text, 'both', -sum(ends)::BIGINT FROM repeated WHERE matching GROUP BY ALL
    UNION ALL
    SELECT "by_fold", text_a, 'both', -2 FROM near WHERE matching AND (overlapping OR NOT found)
)
SELECT "by_fold", text,
    coalesce(sum(found_spans), 0)::BIGINT AS found_spans, coalesce(sum(gold_spans), 0)::BIGINT AS gold_spans,
    coalesce(sum(found_ends), 0)::BIGINT AS found_ends,
    coalesce(sum(gold_ends), 0)::BIGINT AS gold_ends, coalesce(sum(both_ends), 0)::BIGINT AS both_ends
FROM (
    FROM labelled
    UNION ALL BY NAME
    SELECT "by_fold", text, spans AS gold_spans, ends AS gold_ends FROM "all_types_1ca95f9c"
    UNION ALL BY NAME
    SELECT "by_fold", text, sum(ends) FILTER (WHERE set_ = 'found') AS found_ends,
        sum(ends) FILTER (WHERE set_ = 'both') AS both_ends
    FROM ends
    GROUP BY ALL
)
GROUP BY ALL;

-- relation matching_counts, match_counts = fragments
--   (specs/term_discovery/zerospeech2015/matching.yaml)
-- The numbers from which matching precision and recall are computed: found and gold spans, and how many of
--   each are correct. With match_counts = fragments, the published form, a span is correct when it is in some
--   pair of both sets. With match_counts = pairs, the spans of a transcription t count as correct in the
--   proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "matching_counts_bc9e0d41" AS
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS found, count(*) FILTER (WHERE in_gold) AS gold,
    count(*) FILTER (WHERE in_both) AS found_hits, found_hits AS gold_hits
FROM "matching_spans_5c705af7"
GROUP BY ALL;

-- metric matching, slices (specs/term_discovery/zerospeech2015/matching.yaml)
-- Matching precision, recall and F: spans of phones in found pairs against spans in gold pairs. Found pairs
--   (P_disc*) come from two fragments of one cluster that do not overlap: the shorter transcription is laid
--   along the longer one at every offset, and sub-spans of equal size at the same place are a pair. Gold
--   pairs (P_all) are two spans of the corpus with equal transcriptions that do not overlap. The published
--   sums over transcriptions, weighted by their frequency, reduce to shares of spans. A span is right as soon
--   as one of its pairs is right; matching_pairs counts pairs.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "matching_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric matching, statistics per unit (specs/term_discovery/zerospeech2015/matching.yaml)
-- Matching precision, recall and F: spans of phones in found pairs against spans in gold pairs. Found pairs
--   (P_disc*) come from two fragments of one cluster that do not overlap: the shorter transcription is laid
--   along the longer one at every offset, and sub-spans of equal size at the same place are a pair. Gold
--   pairs (P_all) are two spans of the corpus with equal transcriptions that do not overlap. The published
--   sums over transcriptions, weighted by their frequency, reduce to shares of spans. A span is right as soon
--   as one of its pairs is right; matching_pairs counts pairs.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "matching_units_d93ff334" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "matching_counts_bc9e0d41" AS counted_rows
GROUP BY ALL;

-- metric matching, scores (specs/term_discovery/zerospeech2015/matching.yaml)
-- Matching precision, recall and F: spans of phones in found pairs against spans in gold pairs. Found pairs
--   (P_disc*) come from two fragments of one cluster that do not overlap: the shorter transcription is laid
--   along the longer one at every offset, and sub-spans of equal size at the same place are a pair. Gold
--   pairs (P_all) are two spans of the corpus with equal transcriptions that do not overlap. The published
--   sums over transcriptions, weighted by their frequency, reduce to shares of spans. A span is right as soon
--   as one of its pairs is right; matching_pairs counts pairs.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "matching_2ef7f848" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "matching_units_d93ff334" UNION ALL BY NAME FROM "matching_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- relation matching_counts, match_counts = pairs (specs/term_discovery/zerospeech2015/matching.yaml)
-- The numbers from which matching precision and recall are computed: found and gold spans, and how many of
--   each are correct. With match_counts = fragments, the published form, a span is correct when it is in some
--   pair of both sets. With match_counts = pairs, the spans of a transcription t count as correct in the
--   proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "matching_counts_2105fd8a" AS
SELECT "by_fold", found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM "matching_types_43abc332";

-- metric matching_pairs, slices (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- Matching precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_disc*, precision) or of gold pairs (P_all, recall) with this transcription whose pair is both found
--   and gold, averaged over transcriptions with their frequency among the spans as weight. The sets are those
--   of the published form, matching, which counts a span as right if one of its pairs is.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "matching_pairs_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric matching_pairs, statistics per unit (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- Matching precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_disc*, precision) or of gold pairs (P_all, recall) with this transcription whose pair is both found
--   and gold, averaged over transcriptions with their frequency among the spans as weight. The sets are those
--   of the published form, matching, which counts a span as right if one of its pairs is.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "matching_pairs_units_b2607f46" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "matching_counts_2105fd8a" AS counted_rows
GROUP BY ALL;

-- metric matching_pairs, scores (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- Matching precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_disc*, precision) or of gold pairs (P_all, recall) with this transcription whose pair is both found
--   and gold, averaged over transcriptions with their frequency among the spans as weight. The sets are those
--   of the published form, matching, which counts a span as right if one of its pairs is.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "matching_pairs_154afe6d" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "matching_pairs_units_b2607f46" UNION ALL BY NAME FROM "matching_pairs_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- relation grouping_fragments, P_clus, P_goldclus (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The fragments, each with the number of its partners in P_clus (found), in P_goldclus (gold) and in P_clus ∩
--   P_goldclus (both). `earlier` is the number of partners in P_clus that come before it by file and time. By
--   definition the pairs are listed (pairs/pairs_clus.sql, pairs/pairs_goldclus.sql). Here a member of a
--   group of n fragments, n_t of them with its transcription t, has n − 1 partners there, n_t − 1 of equal
--   transcription. Summed over its groups, that counts a partner with k groups in common k times: k − 1 are
--   subtracted (shared_signatures). Partners of equal transcription that share time with it are no pair of
--   P_goldclus and are subtracted from `both`. In P_goldclus it has one partner for each other fragment with
--   its transcription, less those that share time with it. The few fragments that share time are listed pair
--   by pair. With cluster_pairs = apart (tde 0.2.1), fragments that overlap are no pair of P_clus. Example:
--   cluster 2 has ab at 2.0 s, ab at 3.0 s and cd; cluster 3 has the same two ab and bc. Each ab has 2 + 2
--   partners, less 1 because the other ab is counted in both clusters: found 3. Its gold and both are 1.
--   tests/conformance/test_zerospeech2015_pairs.py compares the two.
CREATE TABLE "grouping_fragments_da7b87a4" AS
WITH members AS (
    SELECT "by_fold", text, file, onset, "offset", unnest(classes) AS class FROM "fragment_signatures_319ead2f"
),
types AS (
    SELECT "by_fold", signature, text, count(*) AS fragments FROM "fragment_signatures_319ead2f" GROUP BY ALL
),
repeated AS (
    SELECT b."by_fold", b.signature, b.text,
        sum(surplus * (a.fragments - itself)) AS found, coalesce(sum(surplus * (a.fragments - itself)) FILTER (WHERE a.text = b.text), 0) AS both_
    FROM (
        SELECT surplus, a, b, (a.signature = b.signature AND a.text = b.text)::BIGINT AS itself
        FROM "shared_signatures_96e9ca93"
        JOIN types AS a ON a.signature = signature_a
        JOIN types AS b ON b.signature = signature_b
    )
    GROUP BY ALL
),
repeated_before AS (
    SELECT *, count_if(NOT is_b) OVER (
        PARTITION BY signature_a, signature_b ORDER BY file, onset, "offset", is_b DESC ROWS UNBOUNDED PRECEDING) AS earlier
    FROM (
        SELECT fragment_.*, signature_a, signature_b, surplus, is_b
        FROM (SELECT *, unnest([true, false]) AS is_b FROM "shared_signatures_96e9ca93") AS shared_
        JOIN "fragment_signatures_319ead2f" AS fragment_ ON signature = if(is_b, signature_b, signature_a)
    )
),
near AS (
    SELECT DISTINCT "by_fold", text_a, file_a, onset_a, offset_a, text_b, file_b, onset_b, offset_b, overlap,
        text_a = text_b AND NOT NOT (overlap OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b)) AS unlike
    FROM "near_pairs_bce0be02"
    WHERE overlap OR text_a = text_b
),
alike AS (
    SELECT DISTINCT "by_fold", pair_talker, text, file, onset, "offset"
    FROM (
        FROM "pair_groups_acedf65c"
    )
    WHERE text <> ''
),
sharing AS (
    WITH slots AS (
        SELECT greatest(2 * avg("offset" - onset), microseconds(1e-6)) AS width FROM alike
    ),
    laid AS (
        SELECT *, unnest(range(floor(onset / width)::BIGINT, floor("offset" / width)::BIGINT + 1)) AS slot FROM alike, slots
    )
    SELECT "by_fold", pair_talker, text, a.file AS file_a, b.file AS file_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b
    FROM laid AS a
    JOIN laid AS b USING ("by_fold", pair_talker, text, file, slot)
    WHERE ((a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
        AND a.onset < b."offset" AND b.onset < a."offset"
        AND slot = floor(greatest(a.onset, b.onset) / a.width)::BIGINT
),
partners AS (
    SELECT "by_fold", text, file, onset, "offset", count(*) OVER (PARTITION BY class) - 1 AS found,
        row_number() OVER (PARTITION BY class ORDER BY file, onset, "offset") - 1 AS earlier,
        count(*) OVER (PARTITION BY class, text) - 1 AS both_, 0 AS gold
    FROM members
    UNION ALL
    SELECT "by_fold", text, file, onset, "offset", -found, 0, -both_, 0 FROM "fragment_signatures_319ead2f" JOIN repeated USING ("by_fold", signature, text)
    UNION ALL
    SELECT "by_fold", text, file, onset, "offset", 0, -surplus * earlier, 0, 0 FROM repeated_before WHERE is_b
    UNION ALL
    SELECT "by_fold", unnest([text_a, text_b]), unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]),
        0, 0, -unlike::BIGINT, 0
    FROM near
    UNION ALL
    SELECT "by_fold", text, file, onset, "offset", 0, 0, 0, count(*) OVER (PARTITION BY "by_fold", pair_talker, text) - 1 FROM alike
    UNION ALL
    SELECT "by_fold", text, unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]), 0, 0, 0, -1
    FROM sharing
    WHERE NOT NOT ((least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(0.0e0) AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(86400.0e0)
            OR more_than_part(least(offset_a, offset_b) - greatest(onset_a, onset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b))
)
SELECT "by_fold", text, file, onset, "offset", sum(found)::BIGINT AS found, sum(earlier)::BIGINT AS earlier, sum(gold)::BIGINT AS gold,
    if(text = '', 0, sum(both_))::BIGINT AS "both"
FROM partners
GROUP BY "by_fold", text, file, onset, "offset";

-- relation grouping_types, match(t, P), N(t, P) (specs/term_discovery/zerospeech2015/grouping.yaml)
-- For each transcription t the number of fragments that it labels in P_clus (found) and P_goldclus (gold),
--   |match(t, P)|, and the number of ends of pairs that it labels in P_clus, P_goldclus and both, N(t, P).
--   With pair_ends = later, as in tde 0.2.1, only the end that is later by file and time counts.
CREATE TABLE "grouping_types_3747c681" AS
SELECT "by_fold", text, count_if(found > 0) AS found_spans, count_if(gold > 0) AS gold_spans,
    sum(found)::BIGINT AS found_ends, sum(gold)::BIGINT AS gold_ends, sum("both")::BIGINT AS both_ends
FROM "grouping_fragments_da7b87a4"
GROUP BY ALL;

-- relation grouping_counts, match_counts = fragments (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The numbers from which grouping precision and recall are computed: found and gold fragments, and how many
--   of each are correct. With match_counts = fragments, the published form, a fragment is correct when it is
--   in some pair of P_clus ∩ P_goldclus. With match_counts = pairs, the fragments with a transcription t
--   count as correct in the proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "grouping_counts_6541db13" AS
SELECT "by_fold", count_if(found > 0) AS found, count_if(gold > 0) AS gold,
    count_if("both" > 0) AS found_hits, found_hits AS gold_hits
FROM "grouping_fragments_da7b87a4"
GROUP BY ALL;

-- metric grouping, slices (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. The published sums over transcriptions, weighted by their
--   frequency, reduce to shares of fragments. A fragment is right as soon as one cluster mate has its
--   transcription, so merging clusters can raise the score; grouping_pairs counts pairs.
--   (zerospeech2017.grouping counts fragments with the same phones once.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "grouping_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric grouping, statistics per unit (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. The published sums over transcriptions, weighted by their
--   frequency, reduce to shares of fragments. A fragment is right as soon as one cluster mate has its
--   transcription, so merging clusters can raise the score; grouping_pairs counts pairs.
--   (zerospeech2017.grouping counts fragments with the same phones once.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "grouping_units_8fe1abad" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "grouping_counts_6541db13" AS counted_rows
GROUP BY ALL;

-- metric grouping, scores (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. The published sums over transcriptions, weighted by their
--   frequency, reduce to shares of fragments. A fragment is right as soon as one cluster mate has its
--   transcription, so merging clusters can raise the score; grouping_pairs counts pairs.
--   (zerospeech2017.grouping counts fragments with the same phones once.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "grouping_4a1889a2" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "grouping_units_8fe1abad" UNION ALL BY NAME FROM "grouping_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- relation grouping_counts, match_counts = pairs (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The numbers from which grouping precision and recall are computed: found and gold fragments, and how many
--   of each are correct. With match_counts = fragments, the published form, a fragment is correct when it is
--   in some pair of P_clus ∩ P_goldclus. With match_counts = pairs, the fragments with a transcription t
--   count as correct in the proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "grouping_counts_ef5cd582" AS
SELECT "by_fold", found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM "grouping_types_3747c681";

-- metric grouping_pairs, slices (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_clus, precision) or of gold pairs (P_goldclus, recall) with this transcription whose pair is both
--   found and gold, averaged over transcriptions with their frequency among the fragments as weight. The sets
--   are those of the published form, grouping, which counts a fragment as right if one of its pairs is.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "grouping_pairs_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric grouping_pairs, statistics per unit (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_clus, precision) or of gold pairs (P_goldclus, recall) with this transcription whose pair is both
--   found and gold, averaged over transcriptions with their frequency among the fragments as weight. The sets
--   are those of the published form, grouping, which counts a fragment as right if one of its pairs is.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "grouping_pairs_units_f2b15b81" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "grouping_counts_ef5cd582" AS counted_rows
GROUP BY ALL;

-- metric grouping_pairs, scores (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_clus, precision) or of gold pairs (P_goldclus, recall) with this transcription whose pair is both
--   found and gold, averaged over transcriptions with their frequency among the fragments as weight. The sets
--   are those of the published form, grouping, which counts a fragment as right if one of its pairs is.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "grouping_pairs_ae7ad1d4" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "grouping_pairs_units_f2b15b81" UNION ALL BY NAME FROM "grouping_pairs_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- relation scored_fragments, F_disc (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The distinct fragments (F_disc) that type, token and boundary count. With talkers = within, only fragments
--   that are in a pair of one talker. `stray` is '' for a fragment with a transcription, and otherwise its
--   times, so that fragments without a transcription are different elements of the set and match no word.
CREATE TABLE "scored_fragments_8a634abb" AS
SELECT "by_fold", file, onset, "offset", text, coalesce(first_phone, -1) AS first_phone,
    coalesce(last_phone, -1) AS last_phone, if(text = '', concat(onset, '-', "offset"), '') AS stray
FROM "disc_fragments_6bfa18fd";

-- relation fold_words (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The distinct word tokens of each fold, with times as they are compared (parameter `times`). Labels that the
--   parameter `silent_words` lists are no words.
CREATE TABLE "fold_words_e3fe946e" AS
WITH tokens AS (
    SELECT DISTINCT file, microseconds(onset) AS onset, microseconds("offset") AS "offset", label
    FROM "words"
    WHERE label NOT IN ['SIL']::VARCHAR[]
)
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM tokens AS row_
JOIN "fold_intervals_filled_ac464f2d" AS fold_
    ON row_.file = fold_.file
    AND row_.onset + row_."offset" >= 2 * fold_.onset
    AND row_.onset + row_."offset" < 2 * fold_."offset"
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file;

-- relation word_tokens, F_goldLex (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The distinct word tokens as fragments (F_goldLex), each with its span of phones and its transcription T, by
--   the edge rule of fragments (see disc_fragments); T is '' where no phone is kept.
CREATE TABLE "word_tokens_45e2f372" AS
WITH intervals AS (
    SELECT DISTINCT "by_fold", "file", "onset", "offset" FROM "fold_words_e3fe946e"
)
FROM (
    WITH overlapped AS (
        SELECT interval_.*,
            first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
            last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
        FROM intervals AS interval_
        ASOF LEFT JOIN "fold_phones_6368828b" AS first_
            ON interval_.file = first_.file AND interval_."by_fold" = first_."by_fold"
            AND interval_.onset < first_."offset"
        ASOF LEFT JOIN "fold_phones_6368828b" AS last_
            ON interval_.file = last_.file AND interval_."by_fold" = last_."by_fold"
            AND interval_."offset" > last_.onset
    ),
    trimmed AS (
        SELECT * REPLACE (
            if((least("offset", first_offset) - greatest(onset, first_onset) > microseconds(0.0e0) AND (least("offset", first_offset) - greatest(onset, first_onset) > microseconds(0.03e0)
                OR more_than_part(least("offset", first_offset) - greatest(onset, first_onset), 0.5e0, first_offset - first_onset)
                OR more_than_part(least("offset", first_offset) - greatest(onset, first_onset), 1.0e0, "offset" - onset))), first_phone, first_phone + 1) AS first_phone,
            if(first_phone = last_phone OR (least("offset", last_offset) - greatest(onset, last_onset) > microseconds(0.0e0) AND (least("offset", last_offset) - greatest(onset, last_onset) > microseconds(0.03e0)
                OR more_than_part(least("offset", last_offset) - greatest(onset, last_onset), 0.5e0, last_offset - last_onset)
                OR more_than_part(least("offset", last_offset) - greatest(onset, last_onset), 1.0e0, "offset" - onset))), last_phone, last_phone - 1) AS last_phone)
        FROM overlapped
        WHERE first_phone <= last_phone
    ),
    transcribed AS (
        SELECT span_."by_fold", span_."file", span_."onset", span_."offset", span_."first_phone", span_."last_phone", string_.onset AS first_onset,
            left(string_.codes, (last_phone - first_phone + 1)::INTEGER) || coalesce(tail_.codes, '') AS text
        FROM trimmed AS span_
        LEFT JOIN (
            SELECT long_."by_fold", long_."file", long_."onset", long_."offset", long_."first_phone", long_."last_phone",
                string_agg(left(string_.codes, (last_phone - piece + 1)::INTEGER), '' ORDER BY piece) AS codes
            FROM (
                SELECT *, unnest(range(first_phone + 16, last_phone + 1, 16)) AS piece
                FROM trimmed
                WHERE last_phone - first_phone >= 16
            ) AS long_
            JOIN "phone_strings_ded8d3f5" AS string_
                ON long_.file = string_.file AND long_."by_fold" = string_."by_fold"
                AND long_.piece = string_.phone
            GROUP BY ALL
        ) AS tail_ USING ("by_fold", "file", "onset", "offset", "first_phone", "last_phone")
        JOIN "phone_strings_ded8d3f5" AS string_
            ON span_.file = string_.file AND span_."by_fold" = string_."by_fold"
            AND span_.first_phone = string_.phone
        WHERE first_phone <= last_phone
    )
    SELECT interval_.*, coalesce(text, '') AS text, first_.number AS first_phone, last_.number AS last_phone,
        least(interval_.onset, first_.onset) AS reach_from, greatest(interval_."offset", last_."offset") AS reach_to
    FROM intervals AS interval_
    LEFT JOIN transcribed USING ("by_fold", "file", "onset", "offset")
    LEFT JOIN "fold_phones_6368828b" AS first_
        ON first_.file = interval_.file AND interval_."by_fold" = first_."by_fold"
        AND first_.phone = transcribed.first_phone
    LEFT JOIN "fold_phones_6368828b" AS last_
        ON last_.file = interval_.file AND interval_."by_fold" = last_."by_fold"
        AND last_.phone = transcribed.last_phone
);

-- relation gold_fragments, F_goldLex (specs/term_discovery/zerospeech2015/corpus.yaml)
-- One row per word token whose transcription has at least one phone.
CREATE TABLE "gold_fragments_b0962b3d" AS
SELECT "by_fold", file, text, first_phone, last_phone, '' AS stray FROM "word_tokens_45e2f372" WHERE text <> '';

-- metric type, slices (specs/term_discovery/zerospeech2015/type.yaml)
-- Type precision, recall and F: the distinct transcriptions of fragments against the distinct transcriptions
--   of word tokens. Both sides are strings of phones; zerospeech2017.type takes the spellings of words as
--   gold, and tde2015.type compares spellings on both sides.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "type_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric type, statistics per unit (specs/term_discovery/zerospeech2015/type.yaml)
-- Type precision, recall and F: the distinct transcriptions of fragments against the distinct transcriptions
--   of word tokens. Both sides are strings of phones; zerospeech2017.type takes the spellings of words as
--   gold, and tde2015.type compares spellings on both sides.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "type_units_3e02acf8" AS
SELECT "by_fold", "text",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_found AND in_gold) AS "both"
FROM (
    SELECT coalesce(found_."by_fold", gold_."by_fold") AS "by_fold", coalesce(found_."text", gold_."text") AS "text",
        found_.in_found IS NOT NULL AS in_found, gold_.in_gold IS NOT NULL AS in_gold
    FROM (SELECT DISTINCT "by_fold", "text", true AS in_found FROM "scored_fragments_8a634abb") AS found_
    FULL JOIN (SELECT DISTINCT "by_fold", "text", true AS in_gold FROM "gold_fragments_b0962b3d") AS gold_
        ON found_."by_fold" IS NOT DISTINCT FROM gold_."by_fold" AND found_."text" = gold_."text"
) AS counted_rows
GROUP BY ALL;

-- metric type, scores (specs/term_discovery/zerospeech2015/type.yaml)
-- Type precision, recall and F: the distinct transcriptions of fragments against the distinct transcriptions
--   of word tokens. Both sides are strings of phones; zerospeech2017.type takes the spellings of words as
--   gold, and tde2015.type compares spellings on both sides.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "type_eb68dc68" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("both"), 0) AS "both"
    FROM (FROM "type_units_3e02acf8" UNION ALL BY NAME FROM "type_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio("both", found) AS "precision",
    ratio("both", gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."both" = 0 THEN 'both = 0' END), '') AS note
FROM sums;

-- metric token, slices (specs/term_discovery/zerospeech2015/token.yaml)
-- Token precision, recall and F: the distinct spans of phones of fragments against those of word tokens. A
--   fragment is right when a word token has its file, first phone and last phone. (zerospeech2017.token
--   compares transcriptions, tde2015.token times.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "token_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric token, statistics per unit (specs/term_discovery/zerospeech2015/token.yaml)
-- Token precision, recall and F: the distinct spans of phones of fragments against those of word tokens. A
--   fragment is right when a word token has its file, first phone and last phone. (zerospeech2017.token
--   compares transcriptions, tde2015.token times.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "token_units_c691cc56" AS
SELECT "by_fold", "file", "first_phone", "last_phone", "stray",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_found AND in_gold) AS "both"
FROM (
    SELECT coalesce(found_."by_fold", gold_."by_fold") AS "by_fold", coalesce(found_."file", gold_."file") AS "file", coalesce(found_."first_phone", gold_."first_phone") AS "first_phone", coalesce(found_."last_phone", gold_."last_phone") AS "last_phone", coalesce(found_."stray", gold_."stray") AS "stray",
        found_.in_found IS NOT NULL AS in_found, gold_.in_gold IS NOT NULL AS in_gold
    FROM (SELECT DISTINCT "by_fold", "file", "first_phone", "last_phone", "stray", true AS in_found FROM "scored_fragments_8a634abb") AS found_
    FULL JOIN (SELECT DISTINCT "by_fold", "file", "first_phone", "last_phone", "stray", true AS in_gold FROM "gold_fragments_b0962b3d") AS gold_
        ON found_."by_fold" IS NOT DISTINCT FROM gold_."by_fold" AND found_."file" = gold_."file" AND found_."first_phone" = gold_."first_phone" AND found_."last_phone" = gold_."last_phone" AND found_."stray" = gold_."stray"
) AS counted_rows
GROUP BY ALL;

-- metric token, scores (specs/term_discovery/zerospeech2015/token.yaml)
-- Token precision, recall and F: the distinct spans of phones of fragments against those of word tokens. A
--   fragment is right when a word token has its file, first phone and last phone. (zerospeech2017.token
--   compares transcriptions, tde2015.token times.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "token_735a40f2" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("both"), 0) AS "both"
    FROM (FROM "token_units_c691cc56" UNION ALL BY NAME FROM "token_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio("both", found) AS "precision",
    ratio("both", gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."both" = 0 THEN 'both = 0' END), '') AS note
FROM sums;

-- relation phone_boundaries (specs/term_discovery/zerospeech2015/boundary.yaml)
-- The phone boundaries of each file: the distinct onsets and offsets of its phonemes, with the `boundary`
--   that each time belongs to. Times that follow each other by at most `pause` (1 ms) are one boundary, named
--   by the earliest: 0.100, 0.101 and 0.102 s are the boundary 0.100 s.
CREATE TABLE "phone_boundaries_3178ddf1" AS
WITH times AS (
    SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "fold_phones_6368828b"
),
chained AS (
    SELECT *, coalesce(time > lag(time) OVER in_file + microseconds(0.001e0), true) AS begins
    FROM times
    WINDOW in_file AS (PARTITION BY "by_fold", file ORDER BY time)
),
numbered AS (
    SELECT *, count_if(begins) OVER (PARTITION BY "by_fold", file ORDER BY time ROWS UNBOUNDED PRECEDING) AS boundary
    FROM chained
)
SELECT "by_fold", file, time, first_value(time) OVER (PARTITION BY "by_fold", file, boundary ORDER BY time) AS boundary
FROM numbered;

-- relation found_boundaries, B_disc (specs/term_discovery/zerospeech2015/boundary.yaml)
-- The boundaries of fragments (B_disc): each distinct edge as the nearest phone boundary less than
--   `boundary_tolerance` (30 ms) away. An edge without such a boundary has boundary −1 and its time in
--   `edge`, so that it is an element of the set that is never in B_gold. Taken literally, the published −1
--   would make all such edges one element.
CREATE TABLE "found_boundaries_f817469e" AS
SELECT "by_fold", file, coalesce(boundary, -1) AS boundary, if(boundary IS NULL, time, -1) AS edge
FROM (
    WITH edges AS (
        SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "scored_fragments_8a634abb"
    ),
    points AS (
        SELECT DISTINCT "by_fold", file, boundary FROM "phone_boundaries_3178ddf1"
    )
    SELECT edge_.*, CASE
        WHEN coalesce(time - before_.boundary, 9223372036854775807) <= coalesce(after_.boundary - time, 9223372036854775807)
        THEN CASE WHEN time - before_.boundary < microseconds(0.03e0) THEN before_.boundary END
        ELSE CASE WHEN after_.boundary - time < microseconds(0.03e0) THEN after_.boundary END
        END AS boundary
    FROM edges AS edge_
    ASOF LEFT JOIN points AS before_
        ON edge_.file = before_.file AND edge_."by_fold" = before_."by_fold" AND edge_.time >= before_.boundary
    ASOF LEFT JOIN points AS after_
        ON edge_.file = after_.file AND edge_."by_fold" = after_."by_fold" AND edge_.time < after_.boundary
);

-- relation gold_boundaries, B_gold (specs/term_discovery/zerospeech2015/boundary.yaml)
-- The boundaries of words (B_gold): each distinct edge of a word as the nearest phone boundary less than
--   `boundary_tolerance` (30 ms) away. Edges without such a boundary are left out.
CREATE TABLE "gold_boundaries_4507de22" AS
SELECT "by_fold", file, boundary, -1 AS edge
FROM (
    WITH edges AS (
        SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "fold_words_e3fe946e"
    ),
    points AS (
        SELECT DISTINCT "by_fold", file, boundary FROM "phone_boundaries_3178ddf1"
    )
    SELECT edge_.*, CASE
        WHEN coalesce(time - before_.boundary, 9223372036854775807) <= coalesce(after_.boundary - time, 9223372036854775807)
        THEN CASE WHEN time - before_.boundary < microseconds(0.03e0) THEN before_.boundary END
        ELSE CASE WHEN after_.boundary - time < microseconds(0.03e0) THEN after_.boundary END
        END AS boundary
    FROM edges AS edge_
    ASOF LEFT JOIN points AS before_
        ON edge_.file = before_.file AND edge_."by_fold" = before_."by_fold" AND edge_.time >= before_.boundary
    ASOF LEFT JOIN points AS after_
        ON edge_.file = after_.file AND edge_."by_fold" = after_."by_fold" AND edge_.time < after_.boundary
)
WHERE boundary IS NOT NULL;

-- metric boundary, slices (specs/term_discovery/zerospeech2015/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. An edge counts as the
--   nearest phone boundary when that is less than boundary_tolerance away, otherwise as an error of its own.
--   Onsets and offsets are not told apart, and several edges at one boundary count once.
--   (zerospeech2017.boundary tells onsets from offsets; tde2015.boundary compares times.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "boundary_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric boundary, statistics per unit (specs/term_discovery/zerospeech2015/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. An edge counts as the
--   nearest phone boundary when that is less than boundary_tolerance away, otherwise as an error of its own.
--   Onsets and offsets are not told apart, and several edges at one boundary count once.
--   (zerospeech2017.boundary tells onsets from offsets; tde2015.boundary compares times.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "boundary_units_ee5e1568" AS
SELECT "by_fold", "file", "boundary", "edge",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_found AND in_gold) AS "both"
FROM (
    SELECT coalesce(found_."by_fold", gold_."by_fold") AS "by_fold", coalesce(found_."file", gold_."file") AS "file", coalesce(found_."boundary", gold_."boundary") AS "boundary", coalesce(found_."edge", gold_."edge") AS "edge",
        found_.in_found IS NOT NULL AS in_found, gold_.in_gold IS NOT NULL AS in_gold
    FROM (SELECT DISTINCT "by_fold", "file", "boundary", "edge", true AS in_found FROM "found_boundaries_f817469e") AS found_
    FULL JOIN (SELECT DISTINCT "by_fold", "file", "boundary", "edge", true AS in_gold FROM "gold_boundaries_4507de22") AS gold_
        ON found_."by_fold" IS NOT DISTINCT FROM gold_."by_fold" AND found_."file" = gold_."file" AND found_."boundary" = gold_."boundary" AND found_."edge" = gold_."edge"
) AS counted_rows
GROUP BY ALL;

-- metric boundary, scores (specs/term_discovery/zerospeech2015/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. An edge counts as the
--   nearest phone boundary when that is less than boundary_tolerance away, otherwise as an error of its own.
--   Onsets and offsets are not told apart, and several edges at one boundary count once.
--   (zerospeech2017.boundary tells onsets from offsets; tde2015.boundary compares times.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "boundary_4b532a6e" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("both"), 0) AS "both"
    FROM (FROM "boundary_units_ee5e1568" UNION ALL BY NAME FROM "boundary_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio("both", found) AS "precision",
    ratio("both", gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."both" = 0 THEN 'both = 0' END), '') AS note
FROM sums;

-- relation set_sizes (specs/term_discovery/zerospeech2015/sizes.yaml)
-- The sizes of all sets that the metrics compare. Each row has the sizes of one set or of two sets that are
--   compared, and the metric `sizes` adds the rows up.
CREATE TABLE "set_sizes_050683b0" AS
WITH paired AS (
    SELECT "by_fold", file, onset, "offset" FROM "longest_partners_f2db7256" WHERE partner_size IS NOT NULL
    UNION
    SELECT "by_fold", unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]) FROM "near_pairs_bce0be02" WHERE NOT overlap
)
SELECT "by_fold", count(DISTINCT cluster) AS clusters FROM "fold_fragments_ff34c197" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) AS fragments, count(*) FILTER (WHERE text = '') AS fragments_empty FROM "disc_fragments_6bfa18fd" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) AS fragments_scored FROM "scored_fragments_8a634abb" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", sum(pairs) AS pairs FROM "disc_pairs_d773bf8e" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) AS pairs_flat FROM paired GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count_if(found > 0) AS clus_flat, count_if(gold > 0) AS goldclus_flat, count_if("both" > 0) AS clus_goldclus_flat FROM "grouping_fragments_da7b87a4" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS star_flat, count(*) FILTER (WHERE in_gold) AS all_flat, count(*) FILTER (WHERE in_both) AS star_all_flat FROM "matching_spans_5c705af7" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", sum(found_ends) // 2 AS clus_pairs, sum(gold_ends) // 2 AS goldclus_pairs, sum(both_ends) // 2 AS clus_goldclus_pairs FROM "grouping_types_3747c681" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", sum(ends) // 2 AS all_pairs FROM "all_types_1ca95f9c" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS type_disc, count(*) FILTER (WHERE in_gold) AS type_gold,
    count(*) FILTER (WHERE in_found AND in_gold) AS type_both
FROM (
    SELECT "by_fold", text, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
    FROM (SELECT "by_fold", text, true AS found FROM "scored_fragments_8a634abb" UNION ALL SELECT "by_fold", text, false FROM "gold_fragments_b0962b3d")
    GROUP BY ALL
)
GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS token_disc, count(*) FILTER (WHERE in_gold) AS token_gold,
    count(*) FILTER (WHERE in_found AND in_gold) AS token_both
FROM (
    SELECT "by_fold", file, first_phone, last_phone, stray, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
    FROM (SELECT "by_fold", file, first_phone, last_phone, stray, true AS found FROM "scored_fragments_8a634abb" UNION ALL SELECT "by_fold", file, first_phone, last_phone, stray, false FROM "gold_fragments_b0962b3d")
    GROUP BY ALL
)
GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS boundary_disc, count(*) FILTER (WHERE in_gold) AS boundary_gold,
    count(*) FILTER (WHERE in_found AND in_gold) AS boundary_both
FROM (
    SELECT "by_fold", file, boundary, edge, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
    FROM (SELECT "by_fold", file, boundary, edge, true AS found FROM "found_boundaries_f817469e" UNION ALL SELECT "by_fold", file, boundary, edge, false FROM "gold_boundaries_4507de22")
    GROUP BY ALL
)
GROUP BY ALL;

-- metric sizes, slices (specs/term_discovery/zerospeech2015/sizes.yaml)
-- Sizes of the sets that the metrics of the suite compare: numbers of clusters, fragments, pairs, fragments
--   or spans in these pairs (`…_flat`), transcriptions, tokens and boundaries. `…_disc` and `…_gold` are the
--   found and the gold set, `…_both` what they have in common.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "sizes_scopes_52afbad6" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_ac464f2d";

-- metric sizes, statistics per unit (specs/term_discovery/zerospeech2015/sizes.yaml)
-- Sizes of the sets that the metrics of the suite compare: numbers of clusters, fragments, pairs, fragments
--   or spans in these pairs (`…_flat`), transcriptions, tokens and boundaries. `…_disc` and `…_gold` are the
--   found and the gold set, `…_both` what they have in common.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "sizes_units_f77f46e1" AS
SELECT "by_fold",
    sum("clusters") AS "clusters",
    sum("fragments") AS "fragments",
    sum("fragments_empty") AS "fragments_empty",
    sum("fragments_scored") AS "fragments_scored",
    sum("pairs") AS "pairs",
    sum("pairs_flat") AS "pairs_flat",
    sum("clus_pairs") AS "clus_pairs",
    sum("clus_flat") AS "clus_flat",
    sum("goldclus_pairs") AS "goldclus_pairs",
    sum("goldclus_flat") AS "goldclus_flat",
    sum("clus_goldclus_pairs") AS "clus_goldclus_pairs",
    sum("clus_goldclus_flat") AS "clus_goldclus_flat",
    sum("star_flat") AS "star_flat",
    sum("all_pairs") AS "all_pairs",
    sum("all_flat") AS "all_flat",
    sum("star_all_flat") AS "star_all_flat",
    sum("type_disc") AS "type_disc",
    sum("type_gold") AS "type_gold",
    sum("type_both") AS "type_both",
    sum("token_disc") AS "token_disc",
    sum("token_gold") AS "token_gold",
    sum("token_both") AS "token_both",
    sum("boundary_disc") AS "boundary_disc",
    sum("boundary_gold") AS "boundary_gold",
    sum("boundary_both") AS "boundary_both"
FROM "set_sizes_050683b0" AS counted_rows
GROUP BY ALL;

-- metric sizes, scores (specs/term_discovery/zerospeech2015/sizes.yaml)
-- Sizes of the sets that the metrics of the suite compare: numbers of clusters, fragments, pairs, fragments
--   or spans in these pairs (`…_flat`), transcriptions, tokens and boundaries. `…_disc` and `…_gold` are the
--   found and the gold set, `…_both` what they have in common.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "sizes_829b8882" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("clusters"), 0) AS "clusters",
        coalesce(sum("fragments"), 0) AS "fragments",
        coalesce(sum("fragments_empty"), 0) AS "fragments_empty",
        coalesce(sum("fragments_scored"), 0) AS "fragments_scored",
        coalesce(sum("pairs"), 0) AS "pairs",
        coalesce(sum("pairs_flat"), 0) AS "pairs_flat",
        coalesce(sum("clus_pairs"), 0) AS "clus_pairs",
        coalesce(sum("clus_flat"), 0) AS "clus_flat",
        coalesce(sum("goldclus_pairs"), 0) AS "goldclus_pairs",
        coalesce(sum("goldclus_flat"), 0) AS "goldclus_flat",
        coalesce(sum("clus_goldclus_pairs"), 0) AS "clus_goldclus_pairs",
        coalesce(sum("clus_goldclus_flat"), 0) AS "clus_goldclus_flat",
        coalesce(sum("star_flat"), 0) AS "star_flat",
        coalesce(sum("all_pairs"), 0) AS "all_pairs",
        coalesce(sum("all_flat"), 0) AS "all_flat",
        coalesce(sum("star_all_flat"), 0) AS "star_all_flat",
        coalesce(sum("type_disc"), 0) AS "type_disc",
        coalesce(sum("type_gold"), 0) AS "type_gold",
        coalesce(sum("type_both"), 0) AS "type_both",
        coalesce(sum("token_disc"), 0) AS "token_disc",
        coalesce(sum("token_gold"), 0) AS "token_gold",
        coalesce(sum("token_both"), 0) AS "token_both",
        coalesce(sum("boundary_disc"), 0) AS "boundary_disc",
        coalesce(sum("boundary_gold"), 0) AS "boundary_gold",
        coalesce(sum("boundary_both"), 0) AS "boundary_both"
    FROM (FROM "sizes_units_f77f46e1" UNION ALL BY NAME FROM "sizes_scopes_52afbad6")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    "clusters" AS "clusters",
    "fragments" AS "fragments",
    "fragments_empty" AS "fragments_empty",
    "fragments_scored" AS "fragments_scored",
    "pairs" AS "pairs",
    "pairs_flat" AS "pairs_flat",
    "clus_pairs" AS "clus_pairs",
    "clus_flat" AS "clus_flat",
    "goldclus_pairs" AS "goldclus_pairs",
    "goldclus_flat" AS "goldclus_flat",
    "clus_goldclus_pairs" AS "clus_goldclus_pairs",
    "clus_goldclus_flat" AS "clus_goldclus_flat",
    "star_flat" AS "star_flat",
    "all_pairs" AS "all_pairs",
    "all_flat" AS "all_flat",
    "star_all_flat" AS "star_all_flat",
    "type_disc" AS "type_disc",
    "type_gold" AS "type_gold",
    "type_both" AS "type_both",
    "token_disc" AS "token_disc",
    "token_gold" AS "token_gold",
    "token_both" AS "token_both",
    "boundary_disc" AS "boundary_disc",
    "boundary_gold" AS "boundary_gold",
    "boundary_both" AS "boundary_both",
    nullif(concat_ws(', ', CASE WHEN sums."clusters" = 0 THEN 'clusters = 0' END, CASE WHEN sums."fragments" = 0 THEN 'fragments = 0' END, CASE WHEN sums."fragments_empty" = 0 THEN 'fragments_empty = 0' END, CASE WHEN sums."fragments_scored" = 0 THEN 'fragments_scored = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END, CASE WHEN sums."pairs_flat" = 0 THEN 'pairs_flat = 0' END, CASE WHEN sums."clus_pairs" = 0 THEN 'clus_pairs = 0' END, CASE WHEN sums."clus_flat" = 0 THEN 'clus_flat = 0' END, CASE WHEN sums."goldclus_pairs" = 0 THEN 'goldclus_pairs = 0' END, CASE WHEN sums."goldclus_flat" = 0 THEN 'goldclus_flat = 0' END, CASE WHEN sums."clus_goldclus_pairs" = 0 THEN 'clus_goldclus_pairs = 0' END, CASE WHEN sums."clus_goldclus_flat" = 0 THEN 'clus_goldclus_flat = 0' END, CASE WHEN sums."star_flat" = 0 THEN 'star_flat = 0' END, CASE WHEN sums."all_pairs" = 0 THEN 'all_pairs = 0' END, CASE WHEN sums."all_flat" = 0 THEN 'all_flat = 0' END, CASE WHEN sums."star_all_flat" = 0 THEN 'star_all_flat = 0' END, CASE WHEN sums."type_disc" = 0 THEN 'type_disc = 0' END, CASE WHEN sums."type_gold" = 0 THEN 'type_gold = 0' END, CASE WHEN sums."type_both" = 0 THEN 'type_both = 0' END, CASE WHEN sums."token_disc" = 0 THEN 'token_disc = 0' END, CASE WHEN sums."token_gold" = 0 THEN 'token_gold = 0' END, CASE WHEN sums."token_both" = 0 THEN 'token_both = 0' END, CASE WHEN sums."boundary_disc" = 0 THEN 'boundary_disc = 0' END, CASE WHEN sums."boundary_gold" = 0 THEN 'boundary_gold = 0' END, CASE WHEN sums."boundary_both" = 0 THEN 'boundary_both = 0' END), '') AS note
FROM sums;

-- relation member_verdicts (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: one row for each member of a cluster, with its transcription and the verdicts of the metrics on
--   it; times in seconds. With talkers = within the verdicts are NULL for a member that is in no pair of one
--   talker, because it is not scored.
CREATE TABLE "member_verdicts_16ea5e72" AS
WITH labelled AS (
    SELECT "by_fold", text, string_agg(label, ' ' ORDER BY place) AS transcription
    FROM (
        SELECT *, unnest(range(1, length(text) + 1)) AS place
        FROM (SELECT DISTINCT "by_fold", text FROM "disc_fragments_6bfa18fd")
    ) AS type_
    JOIN "phone_codes_42ce8ab5" AS code_ ON substring(text, place, 1) = code_.code
    GROUP BY ALL
),
spans AS (
    SELECT "by_fold", file, onset, "offset", count(*) AS spans_found, count(*) FILTER (WHERE in_both) AS spans_matched
    FROM (SELECT DISTINCT "by_fold", file, onset, "offset", phone, size FROM "disc_subspans_74652872")
    JOIN "matching_spans_5c705af7" USING ("by_fold", file, phone, size)
    WHERE in_found
    GROUP BY ALL
),
edges AS (
    WITH edges AS (
        SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "scored_fragments_8a634abb"
    ),
    points AS (
        SELECT DISTINCT "by_fold", file, boundary FROM "phone_boundaries_3178ddf1"
    )
    SELECT edge_.*, CASE
        WHEN coalesce(time - before_.boundary, 9223372036854775807) <= coalesce(after_.boundary - time, 9223372036854775807)
        THEN CASE WHEN time - before_.boundary < microseconds(0.03e0) THEN before_.boundary END
        ELSE CASE WHEN after_.boundary - time < microseconds(0.03e0) THEN after_.boundary END
        END AS boundary
    FROM edges AS edge_
    ASOF LEFT JOIN points AS before_
        ON edge_.file = before_.file AND edge_."by_fold" = before_."by_fold" AND edge_.time >= before_.boundary
    ASOF LEFT JOIN points AS after_
        ON edge_.file = after_.file AND edge_."by_fold" = after_."by_fold" AND edge_.time < after_.boundary
),
hit_edges AS (
    SELECT DISTINCT "by_fold", file, time FROM edges JOIN "gold_boundaries_4507de22" USING ("by_fold", file, boundary)
),
verdicts AS (
    SELECT "by_fold", file, onset, "offset", text,
        coalesce(found > 0, false) AS has_mate, coalesce(gold > 0, false) AS has_partner, coalesce("both" > 0, false) AS grouping_hit,
        coalesce(spans_found, 0) AS spans_found, coalesce(spans_matched, 0) AS spans_matched,
        ("by_fold", text) IN (SELECT ("by_fold", text) FROM "gold_fragments_b0962b3d") AS type_hit,
        ("by_fold", file, first_phone, last_phone) IN (SELECT ("by_fold", file, first_phone, last_phone) FROM "gold_fragments_b0962b3d") AS token_hit,
        ("by_fold", file, onset) IN (FROM hit_edges) AS onset_hit,
        ("by_fold", file, "offset") IN (FROM hit_edges) AS offset_hit
    FROM "scored_fragments_8a634abb"
    LEFT JOIN "grouping_fragments_da7b87a4" USING ("by_fold", file, onset, "offset", text)
    LEFT JOIN spans USING ("by_fold", file, onset, "offset")
)
SELECT "by_fold", cluster, file, onset / 1e6 AS onset, "offset" / 1e6 AS "offset", coalesce(transcription, '') AS transcription,
    length(text) AS length, has_mate, has_partner, grouping_hit, spans_found, spans_matched, type_hit, token_hit, onset_hit, offset_hit
FROM "fold_fragments_ff34c197"
LEFT JOIN verdicts USING ("by_fold", file, onset, "offset")
LEFT JOIN labelled USING ("by_fold", text);

-- relation cluster_purity (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: one row for each cluster, with the number of its members, the number of their distinct
--   transcriptions and its purity, the fraction of its members that have its most frequent transcription.
CREATE TABLE "cluster_purity_d73ca823" AS
SELECT "by_fold", cluster, count(*) AS members, count(DISTINCT text) AS types, max(same) / count(*) AS purity
FROM (
    SELECT "by_fold", cluster, text, count(*) OVER (PARTITION BY "by_fold", cluster, text) AS same
    FROM "fold_fragments_ff34c197"
    JOIN "disc_fragments_6bfa18fd" USING ("by_fold", file, onset, "offset")
)
GROUP BY ALL;

-- relation matching_verdicts (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: one row for each transcription of sub-spans, in phone labels, with the number of spans and of
--   ends of pairs that it labels in P_disc* (found), P_all (gold) and both.
CREATE TABLE "matching_verdicts_a32456df" AS
WITH labelled AS (
    SELECT "by_fold", text, string_agg(label, ' ' ORDER BY place) AS transcription
    FROM (
        SELECT *, unnest(range(1, length(text) + 1)) AS place
        FROM (SELECT DISTINCT "by_fold", text FROM "matching_types_43abc332")
    ) AS type_
    JOIN "phone_codes_42ce8ab5" AS code_ ON substring(text, place, 1) = code_.code
    GROUP BY ALL
),
of_both AS (
    SELECT "by_fold", text, count(*) AS both_spans
    FROM "matching_spans_5c705af7"
    JOIN "disc_spans_ac7c1193" USING ("by_fold", file, phone, size)
    WHERE in_both
    GROUP BY ALL
)
SELECT "by_fold", coalesce(transcription, '') AS transcription, length(text) AS length, found_spans, gold_spans,
    coalesce(both_spans, 0) AS both_spans, found_ends, gold_ends, both_ends
FROM "matching_types_43abc332"
LEFT JOIN labelled USING ("by_fold", text)
LEFT JOIN of_both USING ("by_fold", text);

-- relation grouping_verdicts (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: one row for each transcription of fragments, in phone labels, with the number of fragments and of
--   ends of pairs that it labels in P_clus (found), P_goldclus (gold) and both.
CREATE TABLE "grouping_verdicts_2eb4b5d0" AS
WITH labelled AS (
    SELECT "by_fold", text, string_agg(label, ' ' ORDER BY place) AS transcription
    FROM (
        SELECT *, unnest(range(1, length(text) + 1)) AS place
        FROM (SELECT DISTINCT "by_fold", text FROM "grouping_types_3747c681")
    ) AS type_
    JOIN "phone_codes_42ce8ab5" AS code_ ON substring(text, place, 1) = code_.code
    GROUP BY ALL
),
of_both AS (
    SELECT "by_fold", text, count(*) AS both_spans FROM "grouping_fragments_da7b87a4" WHERE "both" > 0 GROUP BY ALL
)
SELECT "by_fold", coalesce(transcription, '') AS transcription, length(text) AS length, found_spans, gold_spans,
    coalesce(both_spans, 0) AS both_spans, found_ends, gold_ends, both_ends
FROM "grouping_types_3747c681"
LEFT JOIN labelled USING ("by_fold", text)
LEFT JOIN of_both USING ("by_fold", text);

-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
SELECT 0 AS position, 0 AS variant, breakdown, place, 'ned' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "ned_8ebab31a")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'pairs', 'value': "pairs"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "ned_8ebab31a" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 1 AS position, 0 AS variant, breakdown, place, 'coverage' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "coverage_25dd73a7")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "coverage_25dd73a7" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 2 AS position, 0 AS variant, breakdown, place, 'matching' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "matching_2ef7f848")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "matching_2ef7f848" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 3 AS position, 0 AS variant, breakdown, place, 'matching_pairs' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "matching_pairs_154afe6d")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "matching_pairs_154afe6d" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 4 AS position, 0 AS variant, breakdown, place, 'grouping' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "grouping_4a1889a2")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "grouping_4a1889a2" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 5 AS position, 0 AS variant, breakdown, place, 'grouping_pairs' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "grouping_pairs_ae7ad1d4")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "grouping_pairs_ae7ad1d4" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 6 AS position, 0 AS variant, breakdown, place, 'type' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "type_eb68dc68")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "type_eb68dc68" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 7 AS position, 0 AS variant, breakdown, place, 'token' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "token_735a40f2")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "token_735a40f2" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 8 AS position, 0 AS variant, breakdown, place, 'boundary' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "boundary_4b532a6e")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "boundary_4b532a6e" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 9 AS position, 0 AS variant, breakdown, place, 'sizes' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "sizes_829b8882")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'clusters', 'value': "clusters"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'fragments', 'value': "fragments"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fragments_empty', 'value': "fragments_empty"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 3, 'component': 'fragments_scored', 'value': "fragments_scored"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 4, 'component': 'pairs', 'value': "pairs"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 5, 'component': 'pairs_flat', 'value': "pairs_flat"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 6, 'component': 'clus_pairs', 'value': "clus_pairs"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 7, 'component': 'clus_flat', 'value': "clus_flat"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 8, 'component': 'goldclus_pairs', 'value': "goldclus_pairs"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 9, 'component': 'goldclus_flat', 'value': "goldclus_flat"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 10, 'component': 'clus_goldclus_pairs', 'value': "clus_goldclus_pairs"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 11, 'component': 'clus_goldclus_flat', 'value': "clus_goldclus_flat"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 12, 'component': 'star_flat', 'value': "star_flat"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 13, 'component': 'all_pairs', 'value': "all_pairs"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 14, 'component': 'all_flat', 'value': "all_flat"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 15, 'component': 'star_all_flat', 'value': "star_all_flat"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 16, 'component': 'type_disc', 'value': "type_disc"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 17, 'component': 'type_gold', 'value': "type_gold"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 18, 'component': 'type_both', 'value': "type_both"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 19, 'component': 'token_disc', 'value': "token_disc"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 20, 'component': 'token_gold', 'value': "token_gold"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 21, 'component': 'token_both', 'value': "token_both"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 22, 'component': 'boundary_disc', 'value': "boundary_disc"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 23, 'component': 'boundary_gold', 'value': "boundary_gold"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 24, 'component': 'boundary_both', 'value': "boundary_both"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "sizes_829b8882" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

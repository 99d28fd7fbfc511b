-- ## steps of tde2015
Suite_tde2015, SQL_macros_that_the_steps_use, exact_sum, ratio, fscore, exact_mean, finite, phones, words,
fragments, utterances, folds_total, folds_within, clipped_fragments, phone_codes, speech_phones,
fold_intervals, fold_intervals_filled, file_talkers, fold_fragments, fold_phones, phone_strings,
disc_fragments, pair_groups, group_types, fragment_signatures, shared_signatures, near_pairs, surplus_pairs,
disc_pairs, measured_pairs, ned_scopes, ned_units, ned, gold_stretches, fold_stretches, covered_time,
coverage_scopes, coverage_units, coverage, longest_partners, touching_subspans, found_spans, phone_runs,
recurring_spans, all_spans, disc_subspans, span_classes, disc_spans, multiple_alignments, near_subspans,
all_types, matching_types, matching_counts, matching_scopes, matching_units, matching, grouping_fragments,
grouping_types, grouping_counts, grouping_scopes, grouping_units, grouping, word_runs, fold_word_runs,
contained_words, type_counts, type_scopes, type_units, type, token_counts, token_scopes, token_units, token,
fold_words, edge_counts, boundary_scopes, boundary_units, boundary, found_sizes, sizes_scopes, sizes_units,
sizes, the_scores

-- ## steps of zerospeech2015
Suite_zerospeech2015, tde2015.SQL_macros_that_the_steps_use, microseconds, more_than_part, tde2015.exact_sum,
tde2015.ratio, tde2015.fscore, tde2015.exact_mean, tde2015.finite, phones, tde2015.words, tde2015.fragments,
tde2015.utterances, folds, talkers, tde2015.phone_codes, speech_phones, fold_intervals,
tde2015.fold_intervals_filled, tde2015.file_talkers, fold_fragments, fold_phones, tde2015.phone_strings,
disc_fragments, tde2015.pair_groups, tde2015.group_types, tde2015.fragment_signatures,
tde2015.shared_signatures, near_pairs, tde2015.surplus_pairs, tde2015.disc_pairs, ned_scopes, ned_units, ned,
longest_partners, tde2015.phone_runs, tde2015.recurring_spans, all_spans, covered_phones, coverage_scopes,
coverage_units, coverage, touching_subspans, found_spans, subspan_starts, repeated_subspans, equal_subspans,
both_spans, matching_spans, disc_subspans, tde2015.span_classes, tde2015.disc_spans,
tde2015.multiple_alignments, near_subspans, tde2015.all_types, matching_types, matching_counts,
tde2015.matching_scopes, tde2015.matching_units, matching, matching_counts_2, matching_pairs_scopes,
matching_pairs_units, matching_pairs, grouping_fragments, grouping_types, grouping_counts,
tde2015.grouping_scopes, tde2015.grouping_units, grouping, grouping_counts_2, grouping_pairs_scopes,
grouping_pairs_units, grouping_pairs, scored_fragments, fold_words, word_tokens, gold_fragments, type_scopes,
type_units, type, token_scopes, token_units, token, phone_boundaries, found_boundaries, gold_boundaries,
boundary_scopes, boundary_units, boundary, set_sizes, sizes_scopes, sizes_units, sizes, member_verdicts,
cluster_purity, matching_verdicts, grouping_verdicts, the_scores

-- ## steps of zerospeech2017
Suite_zerospeech2017, tde2015.SQL_macros_that_the_steps_use, tde2015.exact_sum, tde2015.ratio, tde2015.fscore,
tde2015.finite, remark, phones, tde2015.words, tde2015.fragments, tde2015.utterances, zerospeech2015.folds,
zerospeech2015.talkers, tde2015.phone_codes, tde2015.file_talkers, fold_fragments, fold_phones, phone_tokens,
fragment_spans, phone_strings, fragment_texts, cluster_members, cluster_types, cluster_pairs, ned_units, ned,
phone_coverage, coverage_units, coverage, distinct_spans, span_partners, member_partners, clustered_spans,
span_sets, fragment_keys, grouping_tokens, grouping_units, grouping, fold_words, word_tokens, fragment_words,
type_outcomes, type_units, type, token_outcomes, token_units, token, boundary_outcomes, boundary_units,
boundary, submission_sizes, sizes_units, sizes, transcriptions, fragment_verdicts, cluster_scores, the_scores

-- ## tde2015.Suite_tde2015
-- Suite tde2015: The metrics of the ZeroSpeech Challenge 2015, with the values that its evaluator tde 0.2.1
--   reports, faults included. Scores are means over the given folds.
-- Scores: ned, coverage, matching, grouping, type, token, boundary, sizes
-- Inputs: phones, words, fragments, utterances, folds_total, folds_within
-- Relations, in the order in which they are made: clipped_fragments, phone_codes, speech_phones,
--   fold_intervals, file_talkers, fold_fragments, fold_phones, phone_strings, disc_fragments, pair_groups,
--   group_types, fragment_signatures, shared_signatures, near_pairs, surplus_pairs, disc_pairs,
--   measured_pairs, gold_stretches, fold_stretches, covered_time, longest_partners, touching_subspans,
--   found_spans, phone_runs, recurring_spans, all_spans, disc_subspans, span_classes, disc_spans,
--   multiple_alignments, near_subspans, all_types, matching_types, matching_counts, grouping_fragments,
--   grouping_types, grouping_counts, word_runs, fold_word_runs, contained_words, type_counts, token_counts,
--   fold_words, edge_counts, found_sizes
-- Then, for each metric: its statistics per unit, their sums, and the components over the sums.

-- ## tde2015.SQL_macros_that_the_steps_use
-- SQL macros that the steps use

-- ## tde2015.exact_sum
-- Sum of DOUBLEs that is the same for every order of the rows, because each value is first rounded to 18 decimals.
CREATE OR REPLACE MACRO exact_sum(x) AS (
    sum((x)::DECIMAL(38, 18))
);

-- ## tde2015.ratio
-- Quotient a / b as a DOUBLE. It is NULL when b is 0; scores report NULL as undefined.
CREATE OR REPLACE MACRO ratio(a, b) AS (
    (a)::DOUBLE / nullif((b)::DOUBLE, 0)
);

-- ## tde2015.fscore
-- F score, the harmonic mean of precision p and recall r. It is NULL when either is NULL, and 0 when both are 0.
CREATE OR REPLACE MACRO fscore(p, r) AS (
    CASE
    WHEN p IS NULL OR r IS NULL THEN NULL
    WHEN p + r = 0 THEN 0
    ELSE 2 * p * r / (p + r)
    END
);

-- ## tde2015.exact_mean
-- Mean of DOUBLEs that is the same for every order of the rows. It is NULL without rows.
CREATE OR REPLACE MACRO exact_mean(x) AS (
    exact_sum(x)::DOUBLE / nullif(count(x), 0)
);

-- ## tde2015.finite
-- The value x, or NULL when x is infinite or not a number. The table scores has only finite values.
CREATE OR REPLACE MACRO finite(x) AS (
    if(isfinite(x), x, NULL)
);

-- ## tde2015.phones
-- input phones (specs/term_discovery/tde2015/tables.yaml): One row per phone token of the corpus, from a
--   forced alignment. A line given twice counts once.
CREATE TABLE IF NOT EXISTS "phones" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- ## tde2015.words
-- input words (specs/term_discovery/tables.yaml): One row per word token of the corpus (F_goldLex). A
--   line given twice counts once.
CREATE TABLE IF NOT EXISTS "words" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- ## tde2015.fragments
-- input fragments (specs/term_discovery/tables.yaml): One row per member of a discovered cluster
--   (C_disc). A fragment is a stretch of a recording.
CREATE TABLE IF NOT EXISTS "fragments" (line BIGINT, "cluster" VARCHAR, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## tde2015.utterances
-- input utterances (specs/term_discovery/tables.yaml): One row per utterance of the corpus. Utterances
--   of one file do not overlap.
CREATE TABLE IF NOT EXISTS "utterances" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## tde2015.folds_total
-- input folds_total (specs/term_discovery/tables.yaml): One row per interval of a fold in which pairs of
--   all talkers are scored (slice talkers=total).
CREATE TABLE IF NOT EXISTS "folds_total" (line BIGINT, "fold" BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## tde2015.folds_within
-- input folds_within (specs/term_discovery/tables.yaml): One row per interval of a fold that holds a
--   single talker (slice talkers=within).
CREATE TABLE IF NOT EXISTS "folds_within" (line BIGINT, "fold" BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## tde2015.clipped_fragments
-- relation clipped_fragments (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The fragments as submitted, each clipped to one utterance of its file, as tde 0.2.1 does: the utterance
--   with which it shares most time, the earliest of equals. The clipped times are NULL where the fragment
--   shares time with no utterance. A fragment from 1.0 to 2.0 s across the utterances 0.0–1.3 s and 1.4–3.0 s
--   becomes 1.4–2.0 s.
CREATE TABLE "clipped_fragments" AS
WITH numbered AS (
    SELECT cluster, file, onset AS onset, "offset" AS "offset", row_number() OVER () AS fragment
    FROM "fragments"
),
stretches AS (
    SELECT file, onset AS onset, "offset" AS "offset",
        row_number() OVER (PARTITION BY file ORDER BY onset) AS phone
    FROM "utterances"
),
parts AS (
    SELECT fragment, greatest(met_.onset, stretch_.onset) AS clipped_onset, least(met_."offset", stretch_."offset") AS clipped_offset
    FROM (
        SELECT *, unnest(range(first_phone, last_phone + 1)) AS number
        FROM (
            SELECT interval_.*,
                first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
                last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
            FROM numbered AS interval_
            ASOF LEFT JOIN stretches AS first_
                ON interval_.file = first_.file
                AND interval_.onset < first_."offset"
            ASOF LEFT JOIN stretches AS last_
                ON interval_.file = last_.file
                AND interval_."offset" > last_.onset
        )
    ) AS met_
    JOIN stretches AS stretch_
        ON stretch_.file = met_.file AND stretch_.phone = number
    WHERE clipped_offset > clipped_onset
    QUALIFY row_number() OVER (PARTITION BY fragment ORDER BY clipped_offset - clipped_onset DESC, number) = 1
)
SELECT cluster, file, onset, "offset", clipped_onset, clipped_offset
FROM numbered
LEFT JOIN parts USING (fragment);

-- ## tde2015.phone_codes
-- relation phone_codes (specs/term_discovery/shared/corpus.yaml)
-- One character, the code, for each phone label. In codes a transcription is a string with one character per
--   phone. Codes follow the alphabetical order of the labels. Up to 94 labels get the printable ASCII
--   characters, which are compared fastest; up to 20,000 labels get characters from U+4E00 on, more labels
--   get characters from U+20000 on.
CREATE TABLE "phone_codes" AS
SELECT label,
    chr((CASE WHEN count(*) OVER () <= 94 THEN 33 WHEN count(*) OVER () <= 20000 THEN 19968 ELSE 131072 END
        + row_number() OVER (ORDER BY label) - 1)::INTEGER) AS code
FROM (SELECT DISTINCT label FROM "phones");

-- ## tde2015.speech_phones
-- relation speech_phones (specs/term_discovery/shared/corpus.yaml)
-- The phone tokens that are speech, numbered from 0 within their file, each with its utterance, which is
--   named by its onset. Labels that the parameter `silence` lists (SIL, SPN) are not speech and act as a
--   pause. An utterance is a longest sequence of phones without silence in which every phone begins at most
--   `pause` (1 ms) after the previous one ends. If the input `utterances` is given, a phone is in the
--   utterance that contains it by the parameter `inside`; NULL where there is none.
CREATE TABLE "speech_phones" AS
WITH tokens AS (
    SELECT file, onset AS onset, "offset" AS "offset", label, code,
        label IN []::VARCHAR[] AS silent
    FROM "phones"
    JOIN "phone_codes" USING (label)
),
breaks AS (
    SELECT *, coalesce(lag(silent) OVER in_file OR onset > lag("offset") OVER in_file + 0.001e0, true) AS begins
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
SELECT phone_.* EXCLUDE (run), CASE WHEN phone_."offset" <= utterance_."offset" THEN utterance_.onset END AS utterance
FROM numbered AS phone_
ASOF LEFT JOIN (
    SELECT file, onset AS onset, "offset" AS "offset" FROM "utterances"
) AS utterance_
    ON phone_.file = utterance_.file
    AND phone_.onset >= utterance_.onset;

-- ## tde2015.fold_intervals
-- relation fold_intervals, fold_set = total, inside = whole, n_folds = 0, pause = 0.001, silence = [], times
--   = seconds, by fold (specs/term_discovery/shared/corpus.yaml)
-- The intervals of each fold: those of the input that `fold_set` names, if it is given. Otherwise the
--   utterances, ordered by file and onset, are divided into `n_folds` runs with equal numbers of utterances.
--   When the number is not divisible, the first folds have one more: 11 utterances in 3 folds are 4, 4 and 3.
CREATE TABLE "fold_intervals" AS
SELECT "fold" AS "by_fold", *
FROM (
SELECT fold, file, onset AS onset, "offset" AS "offset"
FROM "folds_total"
);

-- ## tde2015.fold_intervals_filled
-- relation fold_intervals, fold_set = unset, inside = unset, n_folds = unset, pause = unset, silence = unset,
--   times = unset, over all rows (specs/term_discovery/shared/corpus.yaml)
-- Its rows that are in some slice.
CREATE VIEW "fold_intervals_filled" AS
SELECT * FROM "fold_intervals"
WHERE "by_fold" IS NOT NULL;

-- ## tde2015.file_talkers
-- relation file_talkers (specs/term_discovery/shared/corpus.yaml)
-- The talker of each file, from the input `talkers`, or else from the file name: the first group of the
--   regular expression `talker_pattern`. Files without a talker have no row.
CREATE TABLE "file_talkers" AS
-- no talker is known
SELECT NULL::VARCHAR AS file, NULL::VARCHAR AS talker LIMIT 0;

-- ## tde2015.fold_fragments
-- relation fold_fragments, C_disc (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The clusters as sets of fragments (C_disc) in each fold: one row for each distinct fragment of a cluster.
--   `times_listed` is the number of lines on which the cluster has the fragment. With clip = utterance the
--   fragments are the clipped ones (clipped_fragments); a fragment in no utterance has no row.
CREATE TABLE "fold_fragments" AS
WITH members AS (
    SELECT cluster, file, clipped_onset AS onset, clipped_offset AS "offset", count(*) AS times_listed
    FROM "clipped_fragments"
    WHERE clipped_onset IS NOT NULL
    GROUP BY ALL
)
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM members AS row_
JOIN "fold_intervals_filled" AS fold_
    ON row_.file = fold_.file
    AND row_.onset >= fold_.onset
    AND row_."offset" <= fold_."offset"
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file;

-- ## tde2015.fold_phones
-- relation fold_phones (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The phonemes of each fold. `phone` numbers them from 1 within fold and file; `number` is the number within
--   the file of the whole corpus. A jump of `number` shows a hole in the fold. With inside = whole, phonemes
--   that an interval of the fold cuts are included too, because tde 0.2.1 transcribes fragments with them.
--   They have no utterance, so that no span of F_all contains them, and an utterance ends where an interval
--   of the fold ends.
CREATE TABLE "fold_phones" AS
SELECT *, row_number() OVER (PARTITION BY "by_fold", file ORDER BY number) AS phone
FROM (
    SELECT by_fold, phone_.* EXCLUDE (by_fold, utterance, part), max(part) AS utterance, talker
    FROM (
        SELECT fold_.by_fold, phone_.*,
            CASE WHEN utterance IS NOT NULL AND phone_.onset >= fold_.onset AND phone_."offset" <= fold_."offset"
                THEN greatest(utterance, fold_.onset) END AS part
        FROM "speech_phones" AS phone_
        JOIN "fold_intervals_filled" AS fold_
            ON phone_.file = fold_.file
            AND phone_.onset < fold_."offset" AND phone_."offset" > fold_.onset
    ) AS phone_
    LEFT JOIN "file_talkers" USING (file)
    GROUP BY ALL
);

-- ## tde2015.phone_strings
-- relation phone_strings (specs/term_discovery/zerospeech2015/corpus.yaml)
-- For each phoneme of a fold its onset and a string of up to 16 codes: its code and the codes of the 15
--   phonemes after it in the file and fold. The transcription of a span of n phonemes, n ≤ 16, is the first n
--   characters of the string at its first phoneme.
CREATE TABLE "phone_strings" AS
WITH one AS (SELECT "by_fold", file, phone, onset, code AS codes FROM "fold_phones"),
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

-- ## tde2015.disc_fragments
-- relation disc_fragments, F_disc (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The distinct fragments (F_disc), whatever their clusters, each with its span of phones and its
--   transcription T by the published edge rule; T is '' where no phone is kept. A fragment contains all
--   phones with which it shares time. The first and the last of them are kept only when more than `edge_time`
--   (30 ms) or more than `edge_fraction` (50 %) of the phone is covered. Of a phone of 40 ms, 21 ms are
--   enough and 20 ms are not. With `fragment_fraction` below 1 (tde 0.2.1), a phone is also kept when it is
--   more than this fraction of the fragment. `reach_from` and `reach_to` are the limits of the time of the
--   fragment and its phones together: fragments that are apart by these limits also have no phone in common.
CREATE TABLE "disc_fragments" AS
WITH intervals AS (
    SELECT DISTINCT "by_fold", "file", "onset", "offset" FROM "fold_fragments"
)
FROM (
    WITH overlapped AS (
        SELECT interval_.*,
            first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
            last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
        FROM intervals AS interval_
        ASOF LEFT JOIN "fold_phones" AS first_
            ON interval_.file = first_.file AND interval_."by_fold" = first_."by_fold"
            AND interval_.onset < first_."offset"
        ASOF LEFT JOIN "fold_phones" AS last_
            ON interval_.file = last_.file AND interval_."by_fold" = last_."by_fold"
            AND interval_."offset" > last_.onset
    ),
    trimmed AS (
        SELECT * REPLACE (
            if((least("offset", first_offset) - greatest(onset, first_onset) > 1e-08 AND (least("offset", first_offset) - greatest(onset, first_onset) > 0.03e0
                OR least("offset", first_offset) - greatest(onset, first_onset) > 0.5e0 * (first_offset - first_onset)
                OR least("offset", first_offset) - greatest(onset, first_onset) > 0.5e0 * ("offset" - onset))), first_phone, first_phone + 1) AS first_phone,
            if(first_phone = last_phone OR (least("offset", last_offset) - greatest(onset, last_onset) > 1e-08 AND (least("offset", last_offset) - greatest(onset, last_onset) > 0.03e0
                OR least("offset", last_offset) - greatest(onset, last_onset) > 0.5e0 * (last_offset - last_onset)
                OR least("offset", last_offset) - greatest(onset, last_onset) > 0.5e0 * ("offset" - onset))), last_phone, last_phone - 1) AS last_phone)
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
            JOIN "phone_strings" AS string_
                ON long_.file = string_.file AND long_."by_fold" = string_."by_fold"
                AND long_.piece = string_.phone
            GROUP BY ALL
        ) AS tail_ USING ("by_fold", "file", "onset", "offset", "first_phone", "last_phone")
        JOIN "phone_strings" AS string_
            ON span_.file = string_.file AND span_."by_fold" = string_."by_fold"
            AND span_.first_phone = string_.phone
        WHERE first_phone <= last_phone
    )
    SELECT interval_.*, coalesce(text, '') AS text, first_.number AS first_phone, last_.number AS last_phone,
        least(interval_.onset, first_.onset) AS reach_from, greatest(interval_."offset", last_."offset") AS reach_to
    FROM intervals AS interval_
    LEFT JOIN transcribed USING ("by_fold", "file", "onset", "offset")
    LEFT JOIN "fold_phones" AS first_
        ON first_.file = interval_.file AND interval_."by_fold" = first_."by_fold"
        AND first_.phone = transcribed.first_phone
    LEFT JOIN "fold_phones" AS last_
        ON last_.file = interval_.file AND interval_."by_fold" = last_."by_fold"
        AND last_.phone = transcribed.last_phone
);

-- ## tde2015.pair_groups
-- relation pair_groups, P_clus (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The groups within which members of clusters make pairs (P_clus): one row for each member of a group. A
--   group is a cluster, or with talkers = within the members of a cluster that are of one talker. Two
--   fragments are a pair of P_clus when they have a group in common.
CREATE TABLE "pair_groups" AS
SELECT "by_fold", cluster, '' AS pair_talker, file, onset, "offset", text,
    times_listed, first_phone, last_phone, reach_from, reach_to
FROM "fold_fragments"
JOIN "disc_fragments" USING ("by_fold", file, onset, "offset");

-- ## tde2015.group_types
-- relation group_types (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The distinct transcriptions of each group of fragments, with the number of members that have each. Edit
--   distances depend on nothing else.
CREATE TABLE "group_types" AS
SELECT "by_fold", cluster, pair_talker, text, count(*) AS members
FROM "pair_groups"
GROUP BY ALL;

-- ## tde2015.fragment_signatures
-- relation fragment_signatures (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The fragments that have another member in one of their groups, each with its signature. The signature
--   stands for the set of groups that the fragment is in, listed in `classes`. Fragments with the same
--   signature have the same groups and are counted together.
CREATE TABLE "fragment_signatures" AS
WITH numbered AS (
    SELECT *, dense_rank() OVER (ORDER BY "by_fold", cluster, pair_talker) AS pair_group
    FROM (FROM "pair_groups" QUALIFY count(*) OVER (PARTITION BY "by_fold", cluster, pair_talker) > 1)
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

-- ## tde2015.shared_signatures
-- relation shared_signatures (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The ordered pairs of signatures that have k ≥ 2 groups in common, also of a signature with itself, with the
--   surplus k − 1. Counting pairs of fragments group by group counts such a pair k times, and P_clus contains
--   it once. Fragments in the groups {1, 2} and fragments in the groups {1, 2, 3} have two groups in common:
--   surplus 1. Two fragments that are both in {1, 2, 3}: surplus 2. The naive way compares all signatures
--   with each other. Here only signatures with a pair of groups in common are compared, found by an equality
--   join. Used by disc_pairs (through surplus_pairs) and grouping_fragments; the definition is
--   pairs/pairs_clus.sql.
CREATE TABLE "shared_signatures" AS
WITH multiple AS (
    SELECT DISTINCT "by_fold", signature, classes FROM "fragment_signatures" WHERE len(classes) > 1
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

-- ## tde2015.near_pairs
-- relation near_pairs (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The pairs of members of a group that share time, they or the phones of their transcriptions. `overlap`:
--   they share so much time that they are no pair of P_disc (more than `overlap_fraction`, half, of the
--   shorter). Only for these few pairs does the time of the fragments matter, and two of their sub-spans can
--   overlap or be the same span. They are therefore listed one by one. All other pairs are counted in closed
--   form.
CREATE TABLE "near_pairs" AS
SELECT * RENAME (first_phone_a AS first_a, first_phone_b AS first_b, last_phone_a AS last_a, last_phone_b AS last_b),
    (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 1e-08 AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.03e0
            OR least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.5e0 * (least(offset_a - onset_a, offset_b - onset_b)))) AS overlap
FROM (
    WITH slots AS (
        SELECT greatest(2 * avg(reach_to - reach_from), 1e-6) AS width FROM "pair_groups"
    ),
    laid AS (
        SELECT *, unnest(range(floor(reach_from / width)::BIGINT, floor(reach_to / width)::BIGINT + 1)) AS slot FROM "pair_groups", slots
    )
    SELECT "by_fold", cluster, pair_talker, a.file AS file_a, b.file AS file_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b, a."text" AS text_a, b."text" AS text_b, a."first_phone" AS first_phone_a, b."first_phone" AS first_phone_b, a."last_phone" AS last_phone_a, b."last_phone" AS last_phone_b
    FROM laid AS a
    JOIN laid AS b USING ("by_fold", cluster, pair_talker, slot)
    WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
        AND a.reach_from < b.reach_to AND b.reach_from < a.reach_to
        AND slot = floor(greatest(a.reach_from, b.reach_from) / a.width)::BIGINT
);

-- ## tde2015.surplus_pairs
-- relation surplus_pairs (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The number of pairs, by the two transcriptions, that counting by groups counts in excess of P_disc. By
--   definition P_disc is a set: a pair of fragments is one element, whatever the number of its groups, and
--   overlapping fragments are no pair (pairs/pairs_disc.sql). The sum over groups counts a pair once for each
--   group that the two have in common. In excess are therefore k − 1 of the k counts of a pair with k groups
--   in common, and one more count of every pair that overlaps. Two fragments in the groups {1, 2, 3} that
--   overlap are counted 3 excess and are in excess 2 + 1 times.
--   tests/conformance/test_zerospeech2015_pairs.py compares the result, disc_pairs, with the definition.
CREATE TABLE "surplus_pairs" AS
WITH counted AS (
    SELECT "by_fold", signature, text, count(*) AS fragments FROM "fragment_signatures" GROUP BY ALL
),
repeated AS (
    SELECT a."by_fold", a.text AS text_a, b.text AS text_b,
        surplus * a.fragments * (b.fragments - (a.signature = b.signature AND a.text = b.text)::BIGINT)
            // if(a.signature = b.signature AND a.text = b.text, 2, 1) AS excess
    FROM "shared_signatures"
    JOIN counted AS a ON a.signature = signature_a
    JOIN counted AS b ON b.signature = signature_b
    WHERE (a.signature, a.text) <= (b.signature, b.text)
),
overlapping AS (
    SELECT DISTINCT "by_fold", file_a, file_b, onset_a, offset_a, onset_b, offset_b, text_a, text_b FROM "near_pairs" WHERE overlap
)
SELECT "by_fold", text_a, text_b, sum(excess)::BIGINT AS excess
FROM (
    SELECT "by_fold", text_a, text_b, excess FROM repeated
    UNION ALL
    SELECT "by_fold", text_a, text_b, 1 FROM overlapping
)
WHERE excess > 0
GROUP BY ALL;

-- ## tde2015.disc_pairs
-- relation disc_pairs, P_disc (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The number of pairs of P_disc at each edit distance and length of the longer transcription. By definition
--   P_disc is listed pair by pair, and each pair is compared (pairs/pairs_disc.sql). Here each two distinct
--   transcriptions t and u of a group are compared once and stand for n_t·n_u pairs. The n_t·(n_t − 1)/2
--   pairs of equal transcriptions are at distance 0. The members `ab`, `ab` and `ac` are two pairs at
--   distance 1 and one at distance 0. The pairs of surplus_pairs, which this counts too often, are
--   subtracted. tests/conformance/test_zerospeech2015_pairs.py compares the number of pairs with the
--   definition.
-- "disc_pairs_rows" is what the Python function pairwise_edit_distance makes of the rows of
--   SELECT "by_fold", pair_group, text, weight
--   FROM (
--       SELECT "by_fold", concat('group ', cluster, chr(31), pair_talker) AS pair_group, text, members AS weight FROM "group_types"
--       UNION ALL
--       SELECT "by_fold", concat('surplus ', pair), unnest([text_a, text_b]), unnest([1, -excess])
--       FROM (SELECT *, row_number() OVER () AS pair FROM "surplus_pairs")
--   )
--   ORDER BY "by_fold", pair_group
CREATE TABLE "disc_pairs" AS
SELECT "by_fold", distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT "by_fold", distance, length, weight AS pairs FROM "disc_pairs_rows"
    UNION ALL
    SELECT "by_fold", 0, length(text), members * (members - 1) // 2 FROM "group_types" WHERE members > 1
)
GROUP BY ALL;

-- ## tde2015.measured_pairs
-- relation measured_pairs, P_disc (specs/term_discovery/tde2015/ned.yaml)
-- One row per edit distance and length, with the number of pairs of P_disc whose transcriptions have this
--   distance and this length of the longer one.
CREATE TABLE "measured_pairs" AS
SELECT * FROM "disc_pairs";

-- ## tde2015.ned_scopes
-- metric ned, slices (specs/term_discovery/tde2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. NED is undefined when a pair
--   has no phone at all, because the evaluator divides by zero there. (In zerospeech2015.ned such a pair has
--   distance 1.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "ned_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.ned_units
-- metric ned, statistics per unit (specs/term_discovery/tde2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. NED is undefined when a pair
--   has no phone at all, because the evaluator divides by zero there. (In zerospeech2015.ned such a pair has
--   distance 1.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "ned_units" AS
SELECT "by_fold",
    exact_sum(distance / nullif(length, 0) * pairs) AS "total",
    sum(pairs) AS "pairs",
    sum(pairs) FILTER (WHERE length = 0) AS "empty_pairs"
FROM "measured_pairs" AS counted_rows
GROUP BY ALL;

-- ## tde2015.ned
-- metric ned, scores (specs/term_discovery/tde2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. NED is undefined when a pair
--   has no phone at all, because the evaluator divides by zero there. (In zerospeech2015.ned such a pair has
--   distance 1.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "ned" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("total"), 0) AS "total",
        coalesce(sum("pairs"), 0) AS "pairs",
        coalesce(sum("empty_pairs"), 0) AS "empty_pairs"
    FROM (FROM "ned_units" UNION ALL BY NAME FROM "ned_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    if(empty_pairs = 0, ratio(total, pairs), NULL) AS "value",
    pairs AS "pairs",
    nullif(concat_ws(', ', CASE WHEN sums."total" = 0 THEN 'total = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END, CASE WHEN sums."empty_pairs" = 0 THEN 'empty_pairs = 0' END), '') AS note
FROM sums;

-- ## tde2015.gold_stretches
-- relation gold_stretches (specs/term_discovery/tde2015/coverage.yaml)
-- The spans of `min_phones` (3) consecutive phones of an utterance whose transcription occurs more than once
--   in the corpus. Together they are the gold time of coverage. By definition, the gold time is that of all
--   recurring spans of 3 to 20 phones. The recurring spans of 3 phones are the same time, because every part
--   of a recurring span recurs: if `abcd` occurs twice, so do `abc` and `bcd`, which cover it.
CREATE TABLE "gold_stretches" AS
WITH stretches AS (
    SELECT file, onset, lead("offset", (3::BIGINT - 1)::INTEGER) OVER in_utterance AS "offset",
        string_agg(code, '') OVER (in_utterance ROWS BETWEEN CURRENT ROW AND 3::BIGINT - 1 FOLLOWING) AS text
    FROM "speech_phones"
    WHERE utterance IS NOT NULL
    WINDOW in_utterance AS (PARTITION BY file, utterance ORDER BY number)
)
SELECT file, onset, "offset"
FROM stretches
WHERE "offset" IS NOT NULL
QUALIFY count(*) OVER (PARTITION BY text) > 1;

-- ## tde2015.fold_stretches
-- relation fold_stretches (specs/term_discovery/tde2015/coverage.yaml)
-- The n-grams of the corpus that recur, in each fold.
CREATE TABLE "fold_stretches" AS
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM "gold_stretches" AS row_
JOIN "fold_intervals_filled" AS fold_
    ON row_.file = fold_.file
    AND row_.onset >= fold_.onset
    AND row_."offset" <= fold_."offset"
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file;

-- ## tde2015.covered_time
-- relation covered_time (specs/term_discovery/tde2015/coverage.yaml)
-- The time in fragments (found) and the time in n-grams that recur in the corpus (gold), as disjoint
--   intervals of each file. Intervals that overlap are merged. Intervals whose gap is within the tolerance
--   (`gap_time` and `gap_fraction`) are merged too, and the gap then counts. Published coverage counts phones
--   of fragments in P_disc; tde 0.2.1 counts the time of all fragments.
CREATE TABLE "covered_time" AS
WITH covering AS (
    SELECT DISTINCT "by_fold", file, onset, "offset", true AS found FROM "fold_fragments"
    UNION ALL
    SELECT "by_fold", file, onset, "offset", false FROM "fold_stretches"
),
reached AS (
    SELECT *, max("offset") OVER before AS reach
    FROM covering
    WINDOW before AS (PARTITION BY "by_fold", found, file ORDER BY onset, "offset" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT *, count_if(reach IS NULL OR onset > reach AND NOT abs(reach - onset) <= 1e-08 + 1e-05 * abs(onset))
        OVER (PARTITION BY "by_fold", found, file ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS stretch
    FROM reached
)
SELECT "by_fold", found, file, min(onset) AS onset, max("offset") AS "offset"
FROM numbered
GROUP BY "by_fold", found, file, stretch;

-- ## tde2015.coverage_scopes
-- metric coverage, slices (specs/term_discovery/tde2015/coverage.yaml)
-- Coverage: duration of the union of all fragments, divided by the duration of the union of all spans of
--   min_phones phones that recur in the corpus. It may exceed 1, and is undefined, not 0, when nothing was
--   found. (zerospeech2015.coverage counts only fragments in found pairs, and the duration of their phones.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "coverage_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.coverage_units
-- metric coverage, statistics per unit (specs/term_discovery/tde2015/coverage.yaml)
-- Coverage: duration of the union of all fragments, divided by the duration of the union of all spans of
--   min_phones phones that recur in the corpus. It may exceed 1, and is undefined, not 0, when nothing was
--   found. (zerospeech2015.coverage counts only fragments in found pairs, and the duration of their phones.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "coverage_units" AS
SELECT "by_fold", "file",
    exact_sum(if(found, "offset" - onset, 0)) AS "found",
    exact_sum(if(found, 0, "offset" - onset)) AS "gold"
FROM "covered_time" AS counted_rows
GROUP BY ALL;

-- ## tde2015.coverage
-- metric coverage, scores (specs/term_discovery/tde2015/coverage.yaml)
-- Coverage: duration of the union of all fragments, divided by the duration of the union of all spans of
--   min_phones phones that recur in the corpus. It may exceed 1, and is undefined, not 0, when nothing was
--   found. (zerospeech2015.coverage counts only fragments in found pairs, and the duration of their phones.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "coverage" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold"
    FROM (FROM "coverage_units" UNION ALL BY NAME FROM "coverage_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    if(found > 0, ratio(found, gold), NULL) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END), '') AS note
FROM sums;

-- ## tde2015.longest_partners
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
CREATE TABLE "longest_partners" AS
WITH members AS (
    SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM "pair_groups"
),
ending AS (
    SELECT "by_fold", cluster, pair_talker, reach_to AS time, max(max(size)) OVER (PARTITION BY "by_fold", cluster, pair_talker ORDER BY reach_to) AS size
    FROM members
    GROUP BY "by_fold", cluster, pair_talker, reach_to
),
beginning AS (
    SELECT "by_fold", cluster, pair_talker, reach_from AS time, max(max(size)) OVER (PARTITION BY "by_fold", cluster, pair_talker ORDER BY reach_from DESC) AS size
    FROM members
    GROUP BY "by_fold", cluster, pair_talker, reach_from
)
SELECT member_.* EXCLUDE (size), member_.size AS span_size,
    greatest(
        before_.size, after_.size) AS partner_size
FROM members AS member_
ASOF LEFT JOIN ending AS before_ ON before_.cluster = member_.cluster AND before_.pair_talker = member_.pair_talker
     AND before_."by_fold" = member_."by_fold" AND member_.reach_from >= before_.time
ASOF LEFT JOIN beginning AS after_ ON after_.cluster = member_.cluster AND after_.pair_talker = member_.pair_talker
     AND after_."by_fold" = member_."by_fold" AND member_.reach_to <= after_.time;

-- ## tde2015.touching_subspans
-- relation touching_subspans (specs/term_discovery/zerospeech2015/matching.yaml)
-- The pairs of sub-spans that are aligned in a pair of P_disc whose fragments share time. Such pairs are few
--   (near_pairs) and are listed by definition, as in pairs/pairs_star.sql: every offset, every size, without
--   a sub-span paired with itself. They cannot be counted in closed form, because two sub-spans of fragments
--   that share time can be the same span or overlap each other. found_spans and both_spans add them to what
--   they count for fragments that share no time.
CREATE TABLE "touching_subspans" AS
SELECT "by_fold", file_a, first_a + before_a AS phone_a, file_b, first_b + before_b AS phone_b, size
FROM (
    SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
    FROM (
        SELECT *, unnest(range(0, size_a - size + 1)) AS before_a
        FROM (
            SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
            FROM (SELECT *, last_a - first_a + 1 AS size_a, last_b - first_b + 1 AS size_b FROM "near_pairs" WHERE NOT overlap)
        )
    )
)
WHERE (file_a <> file_b OR first_a + before_a <> first_b + before_b)
    AND (before_a <= before_b AND size_a - before_a <= size_b - before_b OR before_a >= before_b AND size_a - before_a >= size_b - before_b);

-- ## tde2015.found_spans
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
CREATE TABLE "found_spans" AS
WITH in_members AS MATERIALIZED (
    SELECT "by_fold", file, first_phone + before AS phone, max(least(span_size - before, partner_size)) AS longest
    FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM (FROM "longest_partners" WHERE partner_size IS NOT NULL))
    GROUP BY ALL
),
touching AS MATERIALIZED (
    SELECT "by_fold", file, phone, max(size) AS longest_touching
    FROM (SELECT "by_fold", unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size FROM "touching_subspans")
    GROUP BY ALL
)
SELECT "by_fold", file, phone, unnest(range(3::BIGINT, least(greatest(longest, longest_touching), 20::BIGINT - 1) + 1)) AS size
FROM in_members
FULL JOIN touching USING ("by_fold", file, phone);

-- ## tde2015.phone_runs
-- relation phone_runs (specs/term_discovery/zerospeech2015/corpus.yaml)
-- Each phoneme of a fold with what follows it. `remaining` is the number of phonemes from this one to the end
--   of its utterance, without a hole in the fold; 0 for a phoneme in no utterance. `codes` is a string of up
--   to 32 codes, its code and those of the 31 phonemes after it. So F_all is known without being listed: the
--   span of n phones at a phoneme is in F_all when min_phones ≤ n ≤ max_phones and n ≤ remaining, and its
--   transcription is the first n characters of `codes`. With talkers = within, only files whose talker is
--   known.
CREATE TABLE "phone_runs" AS
WITH starts AS (
    SELECT *, coalesce(number <> lag(number) OVER in_file + 1 OR utterance IS DISTINCT FROM lag(utterance) OVER in_file, true) AS begins
    FROM "fold_phones"
    WINDOW in_file AS (PARTITION BY "by_fold", file ORDER BY phone)
),
runs AS (
    SELECT *, count_if(begins) OVER (PARTITION BY "by_fold", file ORDER BY phone ROWS UNBOUNDED PRECEDING) AS run FROM starts
),
strings AS (
    SELECT "by_fold", file, phone, codes || coalesce(lead(codes, 16) OVER (PARTITION BY "by_fold", file ORDER BY phone), '') AS codes
    FROM "phone_strings"
)
SELECT "by_fold", '' AS pair_talker, file, number AS phone, phone AS place, onset, "offset", codes,
    if(utterance IS NULL, 0, count(*) OVER (PARTITION BY "by_fold", file, run ORDER BY number DESC ROWS UNBOUNDED PRECEDING)) AS remaining
FROM runs
JOIN strings USING ("by_fold", file, phone);

-- ## tde2015.recurring_spans
-- relation recurring_spans, F_all (specs/term_discovery/zerospeech2015/all_pairs.yaml)
-- The spans of F_all (`min_phones` to `max_phones` consecutive phones inside one utterance) whose
--   transcription at least one other span has. `spans` is the number of spans with the transcription. All
--   other spans are in no pair of P_all.
CREATE TABLE "recurring_spans" AS
WITH spans AS (
    SELECT "by_fold", pair_talker, file, phone, onset, size, left(codes, size::INTEGER) AS text
    FROM (SELECT *, unnest(range(3::BIGINT, least(20::BIGINT, remaining) + 1)) AS size FROM "phone_runs")
)
SELECT "by_fold", pair_talker, text, span_.file, span_.phone, size, span_.onset, last_."offset", spans
FROM spans AS span_
JOIN (SELECT "by_fold", pair_talker, text, count(*) AS spans FROM spans GROUP BY ALL HAVING spans > 1) USING ("by_fold", pair_talker, text)
JOIN "phone_runs" AS last_
    ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1 AND last_."by_fold" = span_."by_fold";

-- ## tde2015.all_spans
-- relation all_spans, flat(P_all) (specs/term_discovery/zerospeech2015/all_pairs.yaml)
-- The spans that are in a pair of P_all, flat(P_all), with the number of pairs that each is in (`partners`).
--   By definition, all pairs of spans with the same transcription are listed, and those that overlap are
--   dropped (pairs/pairs_all.sql). Here a span whose transcription n spans have is in n − 1 pairs, less the
--   pairs with spans that overlap it. Only spans of one file that share time can overlap, so that only those
--   are compared. Example: three spans have the transcription `aaaa`, at 0.0–0.4, 0.1–0.5 and 2.0–2.4 s. The
--   first two share 0.3 of 0.4 s, more than half, and are no pair. The partners are 2 − 1, 2 − 1 and 2.
--   tests/conformance/test_zerospeech2015_pairs.py compares the two.
CREATE TABLE "all_spans" AS
WITH sharing AS (
    WITH slots AS (
        SELECT greatest(2 * avg("offset" - onset), 1e-6) AS width FROM "recurring_spans"
    ),
    laid AS (
        SELECT *, unnest(range(floor(onset / width)::BIGINT, floor("offset" / width)::BIGINT + 1)) AS slot FROM "recurring_spans", slots
    )
    SELECT "by_fold", pair_talker, text, a.file AS file_a, b.file AS file_b, a."phone" AS phone_a, b."phone" AS phone_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b
    FROM laid AS a
    JOIN laid AS b USING ("by_fold", pair_talker, text, slot)
    WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
        AND a.onset < b."offset" AND b.onset < a."offset"
        AND slot = floor(greatest(a.onset, b.onset) / a.width)::BIGINT
),
overlapping AS (
    SELECT "by_fold", pair_talker, text, unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone
    FROM sharing
    WHERE (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 1e-08 AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.03e0
            OR least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.5e0 * (least(offset_a - onset_a, offset_b - onset_b))))
),
counted AS (
    SELECT *, count(*) AS clashes FROM overlapping GROUP BY ALL
)
SELECT "by_fold", pair_talker, text, file, phone, size, onset, "offset", spans - 1 - coalesce(clashes, 0) AS partners
FROM "recurring_spans"
LEFT JOIN counted USING ("by_fold", pair_talker, text, file, phone)
WHERE partners > 0;

-- ## tde2015.disc_subspans
-- relation disc_subspans (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The sub-spans of `min_phones` to `max_phones` phones of the members of groups, with the number of phones of
--   the member that are `before` and `after` each. One row for each member and sub-span; a sub-span of two
--   members has two rows. Size, `before` and `after` decide which sub-spans of another member are aligned
--   with it: the shorter transcription is laid along the longer, and two sub-spans of one size are at the
--   same places at some offset when one of them has no more phones before it and no more phones after it than
--   the other. ab of abcd has 0 before and 2 after; ef of efg has 0 and 1, so that the two are aligned; fg of
--   efg has 1 and 0, so that ab and fg are not.
CREATE TABLE "disc_subspans" AS
SELECT "by_fold", cluster, pair_talker, file, onset, "offset", reach_from, reach_to, partner_size, size,
    first_phone + before AS phone, before, span_size - size - before AS after
FROM (
    SELECT *, unnest(range(0, span_size - size + 1)) AS before
    FROM (SELECT *, unnest(range(3::BIGINT, least(span_size, 20::BIGINT - 1) + 1)) AS size FROM "longest_partners")
);

-- ## tde2015.span_classes
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
CREATE TABLE "span_classes" AS
WITH lengths AS (
    SELECT "by_fold", cluster, pair_talker, span_size, count(*) AS spans
    FROM (SELECT DISTINCT "by_fold", cluster, pair_talker, file, first_phone, span_size FROM "longest_partners")
    GROUP BY ALL
),
classes AS (
    SELECT DISTINCT "by_fold", cluster, pair_talker, size, before, after FROM "disc_subspans"
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

-- ## tde2015.disc_spans
-- relation disc_spans (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The distinct sub-spans of members of groups, each with its transcription and its signature. The signature
--   stands for the set of classes (span_classes) that the span is in, times_listed in `classes`.
--   `in_utterance`: the span lies inside one utterance without a hole in the fold, so that it is in F_all.
--   The naive way asks for the partners of every span. Spans with the same signature are in the same classes
--   and so have the same partners. matching_types therefore counts signatures and transcriptions, not spans.
--   A span is in two classes when it is a part of two members: with abcd and bcde of one cluster, bcd is in
--   the class "size 3, 1 before, 0 after" and in the class "size 3, 0 before, 1 after". The definition of the
--   sub-spans is pairs/pairs_star.sql.
CREATE TABLE "disc_spans" AS
WITH instances AS (
    SELECT "by_fold", file, phone, size, class
    FROM "disc_subspans"
    JOIN "span_classes" USING ("by_fold", cluster, pair_talker, size, before, after)
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
LEFT JOIN "phone_runs" AS first_
    ON first_.file = signed.file AND first_.phone = signed.phone AND first_."by_fold" = signed."by_fold"
-- a fold can lack phones of a span: its transcription is that of the phones of the span that are in the fold
ASOF LEFT JOIN "phone_runs" AS next_
    ON next_.file = signed.file AND next_."by_fold" = signed."by_fold" AND next_.phone >= signed.phone
ASOF LEFT JOIN "phone_runs" AS last_
    ON last_.file = signed.file AND last_."by_fold" = signed."by_fold" AND last_.phone < signed.phone + signed.size;

-- ## tde2015.multiple_alignments
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
CREATE TABLE "multiple_alignments" AS
WITH signatures AS (
    SELECT "by_fold", signature, any_value(classes) AS classes FROM "disc_spans" GROUP BY ALL
),
members AS (
    SELECT "by_fold", signature, repeated, class, size_group, before, after
    FROM (SELECT "by_fold", signature, len(classes) > 1 AS repeated, unnest(classes) AS class FROM signatures)
    JOIN (SELECT class, size_group, before, after FROM "span_classes") USING (class)
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

-- ## tde2015.near_subspans
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
CREATE TABLE "near_subspans" AS
WITH pairs AS (
    SELECT "by_fold", "overlap", file_a, first_a + before_a AS phone_a, file_b, first_b + before_b AS phone_b, size
    FROM (
        SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
        FROM (
            SELECT *, unnest(range(0, size_a - size + 1)) AS before_a
            FROM (
                SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
                FROM (SELECT *, last_a - first_a + 1 AS size_a, last_b - first_b + 1 AS size_b FROM "near_pairs" WHERE true)
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
    JOIN "disc_subspans" AS a
        ON a.file = file_a AND a.phone = phone_a AND a.size = near_.size AND a."by_fold" = near_."by_fold"
    JOIN "disc_subspans" AS b
        ON b.file = file_b AND b.phone = phone_b AND b.size = near_.size AND b."by_fold" = near_."by_fold"
        AND b.cluster = a.cluster AND b.pair_talker = a.pair_talker
    WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
        AND NOT (least(a."offset", b."offset") - greatest(a.onset, b.onset) > 1e-08 AND (least(a."offset", b."offset") - greatest(a.onset, b.onset) > 0.03e0
            OR least(a."offset", b."offset") - greatest(a.onset, b.onset) > 0.5e0 * (least(a."offset" - a.onset, b."offset" - b.onset))))
)
SELECT near.* REPLACE (found OR otherwise_.size IS NOT NULL AS found)
FROM near
LEFT JOIN found_otherwise AS otherwise_ USING ("by_fold", file_a, phone_a, file_b, phone_b, size);

-- ## tde2015.all_types
-- relation all_types, P_all (specs/term_discovery/zerospeech2015/all_pairs.yaml)
-- The transcriptions t of P_all: the number of spans that t labels, |match(t, P_all)|, and the number of ends
--   of pairs that it labels, N(t, P_all). A pair has two ends, so that the ends are the sum of the `partners`
--   of the spans.
CREATE TABLE "all_types" AS
SELECT "by_fold", text, count(*) AS spans, sum(partners)::BIGINT AS ends FROM "all_spans" GROUP BY ALL;

-- ## tde2015.matching_types
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
CREATE TABLE "matching_types" AS
WITH spans AS (
    SELECT span_.*, first_.onset, last_."offset"
    FROM "disc_spans" AS span_
    LEFT JOIN "phone_runs" AS first_
        ON first_.file = span_.file AND first_.phone = span_.phone AND first_."by_fold" = span_."by_fold"
    LEFT JOIN "phone_runs" AS last_
        ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1 AND last_."by_fold" = span_."by_fold"
),
types AS (
    SELECT "by_fold", signature, text, in_utterance, any_value(classes) AS classes, count(*) AS spans FROM "disc_spans" GROUP BY ALL
),
met AS (
    SELECT "by_fold", text, in_utterance, spans, class_.*
    FROM (SELECT *, unnest(classes) AS class FROM types) AS type_
    JOIN (SELECT class, size_group, before, after, partners FROM "span_classes") AS class_ USING (class)
),
within_utterance AS (
    SELECT "by_fold", text, class, size_group, before, after, sum(spans) AS spans FROM met WHERE in_utterance GROUP BY ALL
),
-- step 2, `ways` being k: k - 1 counts of each pair of different spans; where both signatures are one, also the counts
-- of a span as its own partner, which are k less one for each of its classes
repeated AS (
    SELECT a."by_fold", a.text, a.in_utterance AND b.in_utterance AND a.text = b.text AS matching,
        a.spans * if(itself, (b.spans - 1) * (ways - 1) + ways - len(a.classes), b.spans * (ways - 1)) AS ends
    FROM (
        SELECT ways, a, b, (a.signature = b.signature AND a.text = b.text AND a.in_utterance = b.in_utterance) AS itself
        FROM "multiple_alignments"
        JOIN types AS a ON a.signature = signature_a
        JOIN types AS b ON b.signature = signature_b
    )
),
near_by_a AS MATERIALIZED (
    SELECT near_.*, text AS text_a, in_utterance AS in_utterance_a, onset AS onset_a, "offset" AS offset_a
    FROM "near_subspans" AS near_
    JOIN spans AS span_ ON span_.file = near_.file_a AND span_.phone = near_.phone_a AND span_.size = near_.size AND span_."by_fold" = near_."by_fold"
),
near AS (
    SELECT near_."by_fold", found, text_a, text AS text_b, in_utterance_a AND in_utterance AND text_a = text AS matching,
        (least(offset_a, "offset") - greatest(onset_a, onset) > 1e-08 AND (least(offset_a, "offset") - greatest(onset_a, onset) > 0.03e0
            OR least(offset_a, "offset") - greatest(onset_a, onset) > 0.5e0 * (least(offset_a - onset_a, "offset" - onset)))) AS overlapping
    FROM near_by_a AS near_
    JOIN spans AS span_ ON span_.file = near_.file_b AND span_.phone = near_.phone_b AND span_.size = near_.size AND span_."by_fold" = near_."by_fold"
),
labelled AS (
    SELECT "by_fold", text, count(*) AS found_spans
    FROM "found_spans"
    JOIN "disc_spans" USING ("by_fold", file, phone, size)
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
    SELECT "by_fold", text, spans AS gold_spans, ends AS gold_ends FROM "all_types"
    UNION ALL BY NAME
    SELECT "by_fold", text, sum(ends) FILTER (WHERE set_ = 'found') AS found_ends,
        sum(ends) FILTER (WHERE set_ = 'both') AS both_ends
    FROM ends
    GROUP BY ALL
)
GROUP BY ALL;

-- ## tde2015.matching_counts
-- relation matching_counts (specs/term_discovery/zerospeech2015/matching.yaml)
-- The numbers from which matching precision and recall are computed: found and gold spans, and how many of
--   each are correct. With match_counts = fragments, the published form, a span is correct when it is in some
--   pair of both sets. With match_counts = pairs, the spans of a transcription t count as correct in the
--   proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "matching_counts" AS
SELECT "by_fold", found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM "matching_types";

-- ## tde2015.matching_scopes
-- metric matching, slices (specs/term_discovery/zerospeech2015/matching.yaml)
-- Matching precision, recall and F: spans of phones in found pairs against spans in gold pairs. Found pairs
--   (P_disc*) come from two fragments of one cluster that do not overlap: the shorter transcription is laid
--   along the longer one at every offset, and sub-spans of equal size at the same place are a pair. Gold
--   pairs (P_all) are two spans of the corpus with equal transcriptions that do not overlap. The published
--   sums over transcriptions, weighted by their frequency, reduce to shares of spans. A span is right as soon
--   as one of its pairs is right; matching_pairs counts pairs.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "matching_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.matching_units
-- metric matching, statistics per unit (specs/term_discovery/zerospeech2015/matching.yaml)
-- Matching precision, recall and F: spans of phones in found pairs against spans in gold pairs. Found pairs
--   (P_disc*) come from two fragments of one cluster that do not overlap: the shorter transcription is laid
--   along the longer one at every offset, and sub-spans of equal size at the same place are a pair. Gold
--   pairs (P_all) are two spans of the corpus with equal transcriptions that do not overlap. The published
--   sums over transcriptions, weighted by their frequency, reduce to shares of spans. A span is right as soon
--   as one of its pairs is right; matching_pairs counts pairs.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "matching_units" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "matching_counts" AS counted_rows
GROUP BY ALL;

-- ## tde2015.matching
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
CREATE TABLE "matching" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "matching_units" UNION ALL BY NAME FROM "matching_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- ## tde2015.grouping_fragments
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
CREATE TABLE "grouping_fragments" AS
WITH members AS (
    SELECT "by_fold", text, file, onset, "offset", unnest(classes) AS class FROM "fragment_signatures"
),
types AS (
    SELECT "by_fold", signature, text, count(*) AS fragments FROM "fragment_signatures" GROUP BY ALL
),
repeated AS (
    SELECT b."by_fold", b.signature, b.text,
        sum(surplus * (a.fragments - itself)) AS found, coalesce(sum(surplus * (a.fragments - itself)) FILTER (WHERE a.text = b.text), 0) AS both_
    FROM (
        SELECT surplus, a, b, (a.signature = b.signature AND a.text = b.text)::BIGINT AS itself
        FROM "shared_signatures"
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
        FROM (SELECT *, unnest([true, false]) AS is_b FROM "shared_signatures") AS shared_
        JOIN "fragment_signatures" AS fragment_ ON signature = if(is_b, signature_b, signature_a)
    )
),
near AS (
    SELECT DISTINCT "by_fold", text_a, file_a, onset_a, offset_a, text_b, file_b, onset_b, offset_b, overlap,
        text_a = text_b AND NOT NOT (overlap OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b)) AS unlike
    FROM "near_pairs"
    WHERE overlap OR text_a = text_b
),
alike AS (
    SELECT DISTINCT "by_fold", pair_talker, text, file, onset, "offset"
    FROM (
        FROM "pair_groups"
        QUALIFY sum(times_listed) OVER (PARTITION BY "by_fold", cluster, pair_talker) > 1
    )
),
sharing AS (
    WITH slots AS (
        SELECT greatest(2 * avg("offset" - onset), 1e-6) AS width FROM alike
    ),
    laid AS (
        SELECT *, unnest(range(floor(onset / width)::BIGINT, floor("offset" / width)::BIGINT + 1)) AS slot FROM alike, slots
    )
    SELECT "by_fold", pair_talker, text, a.file AS file_a, b.file AS file_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b
    FROM laid AS a
    JOIN laid AS b USING ("by_fold", pair_talker, text, slot)
    WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
        AND a.onset < b."offset" AND b.onset < a."offset"
        AND slot = floor(greatest(a.onset, b.onset) / a.width)::BIGINT
),
partners AS (
    SELECT "by_fold", text, file, onset, "offset", count(*) OVER (PARTITION BY class) - 1 AS found,
        row_number() OVER (PARTITION BY class ORDER BY file, onset, "offset") - 1 AS earlier,
        count(*) OVER (PARTITION BY class, text) - 1 AS both_, 0 AS gold
    FROM members
    UNION ALL
    SELECT "by_fold", text, file, onset, "offset", -found, 0, -both_, 0 FROM "fragment_signatures" JOIN repeated USING ("by_fold", signature, text)
    UNION ALL
    SELECT "by_fold", text, file, onset, "offset", 0, -surplus * earlier, 0, 0 FROM repeated_before WHERE is_b
    UNION ALL
    SELECT "by_fold", unnest([text_a, text_b]), unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]),
        -overlap::BIGINT, unnest([0, -overlap::BIGINT]), -unlike::BIGINT, 0
    FROM near
    UNION ALL
    SELECT "by_fold", text, file, onset, "offset", 0, 0, 0, count(*) OVER (PARTITION BY "by_fold", pair_talker, text) - 1 FROM alike
    UNION ALL
    SELECT "by_fold", text, unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]), 0, 0, 0, -1
    FROM sharing
    WHERE NOT NOT ((least(offset_a, offset_b) - greatest(onset_a, onset_b) > 1e-08 AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.03e0
            OR least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.5e0 * (least(offset_a - onset_a, offset_b - onset_b)))) OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b))
)
SELECT "by_fold", text, file, onset, "offset", sum(found)::BIGINT AS found, sum(earlier)::BIGINT AS earlier, sum(gold)::BIGINT AS gold,
    sum(both_)::BIGINT AS "both"
FROM partners
GROUP BY "by_fold", text, file, onset, "offset";

-- ## tde2015.grouping_types
-- relation grouping_types, match(t, P), N(t, P) (specs/term_discovery/zerospeech2015/grouping.yaml)
-- For each transcription t the number of fragments that it labels in P_clus (found) and P_goldclus (gold),
--   |match(t, P)|, and the number of ends of pairs that it labels in P_clus, P_goldclus and both, N(t, P).
--   With pair_ends = later, as in tde 0.2.1, only the end that is later by file and time counts.
CREATE TABLE "grouping_types" AS
SELECT "by_fold", text, count_if(found > 0) AS found_spans, count_if(gold > 0) AS gold_spans,
    sum(earlier)::BIGINT AS found_ends, sum(gold)::BIGINT // 2 AS gold_ends, sum("both")::BIGINT // 2 AS both_ends
FROM "grouping_fragments"
GROUP BY ALL;

-- ## tde2015.grouping_counts
-- relation grouping_counts (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The numbers from which grouping precision and recall are computed: found and gold fragments, and how many
--   of each are correct. With match_counts = fragments, the published form, a fragment is correct when it is
--   in some pair of P_clus ∩ P_goldclus. With match_counts = pairs, the fragments with a transcription t
--   count as correct in the proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "grouping_counts" AS
SELECT "by_fold", found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM "grouping_types";

-- ## tde2015.grouping_scopes
-- metric grouping, slices (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. The published sums over transcriptions, weighted by their
--   frequency, reduce to shares of fragments. A fragment is right as soon as one cluster mate has its
--   transcription, so merging clusters can raise the score; grouping_pairs counts pairs.
--   (zerospeech2017.grouping counts fragments with the same phones once.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "grouping_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.grouping_units
-- metric grouping, statistics per unit (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. The published sums over transcriptions, weighted by their
--   frequency, reduce to shares of fragments. A fragment is right as soon as one cluster mate has its
--   transcription, so merging clusters can raise the score; grouping_pairs counts pairs.
--   (zerospeech2017.grouping counts fragments with the same phones once.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "grouping_units" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "grouping_counts" AS counted_rows
GROUP BY ALL;

-- ## tde2015.grouping
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
CREATE TABLE "grouping" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "grouping_units" UNION ALL BY NAME FROM "grouping_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- ## tde2015.word_runs
-- relation word_runs (specs/term_discovery/tde2015/words.yaml)
-- The distinct word tokens, with the number of the run that each is in. A run is a sequence of words of one
--   file in which every word begins where the previous one ends, within the tolerance (`gap_time` and
--   `gap_fraction`). Labels that `silent_words` lists are no words.
CREATE TABLE "word_runs" AS
WITH tokens AS (
    SELECT DISTINCT file, onset AS onset, "offset" AS "offset", label
    FROM "words"
    WHERE label NOT IN []::VARCHAR[]
),
followed AS (
    SELECT *, lag("offset") OVER (PARTITION BY file ORDER BY onset, "offset", label) AS ended FROM tokens
)
SELECT * EXCLUDE (ended), count_if(ended IS NULL OR NOT abs(ended - onset) <= 1e-08 + 1e-05 * abs(onset))
    OVER (PARTITION BY file ORDER BY onset, "offset", label ROWS UNBOUNDED PRECEDING) AS run
FROM followed;

-- ## tde2015.fold_word_runs
-- relation fold_word_runs (specs/term_discovery/tde2015/words.yaml)
-- The word tokens of each fold, with the number of the run that each is in. A run is a sequence of words
--   without a gap in the whole corpus, also where the fold holds only a part of it.
CREATE TABLE "fold_word_runs" AS
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM "word_runs" AS row_
JOIN "fold_intervals_filled" AS fold_
    ON row_.file = fold_.file
    AND row_.onset >= fold_.onset
    AND row_."offset" <= fold_."offset"
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file;

-- ## tde2015.contained_words
-- relation contained_words (specs/term_discovery/tde2015/words.yaml)
-- The distinct fragments, each with the words that it contains, as tde 0.2.1 determines them. A fragment
--   contains a word by the edge rule of transcriptions, applied to words in place of phones. Only the words
--   of one run count, a sequence of words without a gap: the last run that begins before the fragment or that
--   the fragment contains by the edge rule. Where a fragment crosses a pause, the words before the pause are
--   lost. `hit` is the label of the word when the fragment contains only this word and both edges differ from
--   those of the word by at most `token_tolerance` (30 ms). `outside_words`: the fragment shares no time with
--   its run, or there is no run; the evaluator then ends with an error.
CREATE TABLE "contained_words" AS
WITH intervals AS (
    SELECT DISTINCT "by_fold", file, onset, "offset" FROM "fold_fragments"
),
runs AS (
    SELECT "by_fold", file, run, min(onset) AS onset, max("offset") AS "offset" FROM "fold_word_runs" GROUP BY ALL
),
-- runs that begin inside a fragment are joined by slots of time: a join on times alone would compare all runs of a file
slots AS (
    SELECT greatest(2 * avg("offset" - onset), 1e-6) AS width FROM intervals
),
laid AS (
    SELECT intervals.*, unnest(range(floor(onset / width)::BIGINT, floor("offset" / width)::BIGINT + 1)) AS slot FROM intervals, slots
),
beginning AS (
    SELECT runs.*, floor(onset / width)::BIGINT AS slot FROM runs, slots
),
reached AS (
    SELECT fragment_.*, run_.run, run_.onset AS run_onset, run_."offset" AS run_offset
    FROM intervals AS fragment_
    ASOF JOIN runs AS run_ ON run_.file = fragment_.file AND run_."by_fold" = fragment_."by_fold" AND fragment_.onset > run_.onset
    UNION ALL
    SELECT fragment_.* EXCLUDE (slot), run_.run, run_.onset, run_."offset"
    FROM laid AS fragment_
    JOIN beginning AS run_ ON run_.file = fragment_.file AND run_."by_fold" = fragment_."by_fold" AND fragment_.slot = run_.slot
    WHERE run_.onset >= fragment_.onset AND (least(fragment_."offset", run_."offset") - greatest(fragment_.onset, run_.onset) > 1e-08 AND (least(fragment_."offset", run_."offset") - greatest(fragment_.onset, run_.onset) > 0.03e0
            OR least(fragment_."offset", run_."offset") - greatest(fragment_.onset, run_.onset) > 0.5e0 * (run_."offset" - run_.onset)
            OR least(fragment_."offset", run_."offset") - greatest(fragment_.onset, run_.onset) > 0.5e0 * (fragment_."offset" - fragment_.onset)))
),
last_reached AS (
    SELECT * FROM reached
    QUALIFY row_number() OVER (PARTITION BY "by_fold", file, onset, "offset" ORDER BY run_onset DESC) = 1
),
words AS (
    SELECT fragment_.*, word_.onset AS word_onset, word_."offset" AS word_offset, label
    FROM last_reached AS fragment_
    JOIN "fold_word_runs" AS word_ ON word_.file = fragment_.file AND word_."by_fold" = fragment_."by_fold" AND word_.run = fragment_.run AND (least(fragment_."offset", word_."offset") - greatest(fragment_.onset, word_.onset) > 1e-08 AND (least(fragment_."offset", word_."offset") - greatest(fragment_.onset, word_.onset) > 0.03e0
            OR least(fragment_."offset", word_."offset") - greatest(fragment_.onset, word_.onset) > 0.5e0 * (word_."offset" - word_.onset)
            OR least(fragment_."offset", word_."offset") - greatest(fragment_.onset, word_.onset) > 0.5e0 * (fragment_."offset" - fragment_.onset)))
),
contained AS (
    SELECT "by_fold", file, onset, "offset", string_agg(label, chr(31) ORDER BY word_onset, word_offset) AS words,
        CASE WHEN count(*) = 1 AND abs(min(word_onset) - onset) <= 0.03e0
            AND abs(min(word_offset) - "offset") <= 0.03e0 THEN min(label) END AS hit
    FROM words
    GROUP BY "by_fold", file, onset, "offset"
)
SELECT "by_fold", file, onset, "offset", coalesce(words, '') AS words, hit,
    run IS NULL OR least(run_offset, "offset") - greatest(run_onset, onset) <= 0 AS outside_words
FROM intervals
LEFT JOIN last_reached USING ("by_fold", file, onset, "offset")
LEFT JOIN contained USING ("by_fold", file, onset, "offset");

-- ## tde2015.type_counts
-- relation type_counts (specs/term_discovery/tde2015/type.yaml)
-- The distinct strings of words that fragments contain (found), and the distinct words (gold). A fragment
--   that contains two words is a type of two words, and a fragment without a word is the empty type; neither
--   can be a hit.
CREATE TABLE "type_counts" AS
SELECT "by_fold", type, bool_or(found) AS found, bool_or(gold) AS gold, bool_or(hit) AS hit, bool_or(outside_words) AS outside_words
FROM (
    SELECT "by_fold", words AS type, true AS found, false AS gold, hit IS NOT NULL AS hit, outside_words FROM "contained_words"
    UNION ALL
    SELECT "by_fold", label, false, true, false, false FROM "fold_word_runs"
)
GROUP BY ALL;

-- ## tde2015.type_scopes
-- metric type, slices (specs/term_discovery/tde2015/type.yaml)
-- Type precision, recall and F: distinct strings of word labels that fragments contain against distinct word
--   labels. A label is right when a fragment is right for a word with this label, as in token.
--   (zerospeech2015.type compares strings of phones.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "type_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.type_units
-- metric type, statistics per unit (specs/term_discovery/tde2015/type.yaml)
-- Type precision, recall and F: distinct strings of word labels that fragments contain against distinct word
--   labels. A label is right when a fragment is right for a word with this label, as in token.
--   (zerospeech2015.type compares strings of phones.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "type_units" AS
SELECT "by_fold",
    count_if(found) AS "found",
    count_if(gold) AS "gold",
    count_if(hit) AS "hits",
    count_if(outside_words) AS "outside_words"
FROM "type_counts" AS counted_rows
GROUP BY ALL;

-- ## tde2015.type
-- metric type, scores (specs/term_discovery/tde2015/type.yaml)
-- Type precision, recall and F: distinct strings of word labels that fragments contain against distinct word
--   labels. A label is right when a fragment is right for a word with this label, as in token.
--   (zerospeech2015.type compares strings of phones.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "type" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("outside_words"), 0) AS "outside_words"
    FROM (FROM "type_units" UNION ALL BY NAME FROM "type_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    if(outside_words = 0, ratio(hits, found), NULL) AS "precision",
    if(outside_words = 0, ratio(hits, gold), NULL) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."outside_words" = 0 THEN 'outside_words = 0' END), '') AS note
FROM sums;

-- ## tde2015.token_counts
-- relation token_counts (specs/term_discovery/tde2015/token.yaml)
-- The distinct fragments (`found`, with `hit` for a fragment that is a word) and the word tokens. Token
--   precision is hits / fragments. Recall is hits / words; two fragments can hit one word, so that recall can
--   exceed 1.
CREATE TABLE "token_counts" AS
SELECT "by_fold", file, true AS found, hit IS NOT NULL AS hit, outside_words FROM "contained_words"
UNION ALL
SELECT "by_fold", file, false, false, false FROM "fold_word_runs";

-- ## tde2015.token_scopes
-- metric token, slices (specs/term_discovery/tde2015/token.yaml)
-- Token precision, recall and F: distinct fragments against word tokens. A fragment is right when it contains
--   exactly one word and both edges are at most token_tolerance from those of the word. Several fragments may
--   be right for one word, so recall may exceed 1. (zerospeech2015.token compares phones, and counts each
--   word once.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "token_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.token_units
-- metric token, statistics per unit (specs/term_discovery/tde2015/token.yaml)
-- Token precision, recall and F: distinct fragments against word tokens. A fragment is right when it contains
--   exactly one word and both edges are at most token_tolerance from those of the word. Several fragments may
--   be right for one word, so recall may exceed 1. (zerospeech2015.token compares phones, and counts each
--   word once.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "token_units" AS
SELECT "by_fold", "file",
    count_if(found) AS "found",
    count_if(NOT found) AS "gold",
    count_if(hit) AS "hits",
    count_if(outside_words) AS "outside_words"
FROM "token_counts" AS counted_rows
GROUP BY ALL;

-- ## tde2015.token
-- metric token, scores (specs/term_discovery/tde2015/token.yaml)
-- Token precision, recall and F: distinct fragments against word tokens. A fragment is right when it contains
--   exactly one word and both edges are at most token_tolerance from those of the word. Several fragments may
--   be right for one word, so recall may exceed 1. (zerospeech2015.token compares phones, and counts each
--   word once.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "token" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("outside_words"), 0) AS "outside_words"
    FROM (FROM "token_units" UNION ALL BY NAME FROM "token_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    if(outside_words = 0, ratio(hits, found), NULL) AS "precision",
    if(outside_words = 0, ratio(hits, gold), NULL) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."outside_words" = 0 THEN 'outside_words = 0' END), '') AS note
FROM sums;

-- ## tde2015.fold_words
-- relation fold_words (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The distinct word tokens of each fold, with times as they are compared (parameter `times`). Labels that the
--   parameter `silent_words` lists are no words.
CREATE TABLE "fold_words" AS
WITH tokens AS (
    SELECT DISTINCT file, onset AS onset, "offset" AS "offset", label
    FROM "words"
    WHERE label NOT IN []::VARCHAR[]
)
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM tokens AS row_
JOIN "fold_intervals_filled" AS fold_
    ON row_.file = fold_.file
    AND row_.onset >= fold_.onset
    AND row_."offset" <= fold_."offset"
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file;

-- ## tde2015.edge_counts
-- relation edge_counts (specs/term_discovery/tde2015/boundary.yaml)
-- The distinct edges (file, time) of fragments (found) and of words (gold). `near`: the other side has an
--   edge less than `boundary_tolerance` (30 ms) away. Edges are not matched one-to-one: one edge of a
--   fragment can be near two edges of words, and all three are then `near`.
CREATE TABLE "edge_counts" AS
WITH found AS (
    SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "fold_fragments"
),
gold AS (
    SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "fold_words"
)
SELECT point_.*, true AS found,
    coalesce(point_.time - before_.time < 0.03e0, false)
        OR coalesce(after_.time - point_.time < 0.03e0, false) AS near
FROM found AS point_
ASOF LEFT JOIN gold AS before_ ON before_.file = point_.file AND before_."by_fold" = point_."by_fold" AND point_.time >= before_.time
ASOF LEFT JOIN gold AS after_ ON after_.file = point_.file AND after_."by_fold" = point_."by_fold" AND point_.time < after_.time
UNION ALL
SELECT point_.*, false AS found,
    coalesce(point_.time - before_.time < 0.03e0, false)
        OR coalesce(after_.time - point_.time < 0.03e0, false) AS near
FROM gold AS point_
ASOF LEFT JOIN found AS before_ ON before_.file = point_.file AND before_."by_fold" = point_."by_fold" AND point_.time >= before_.time
ASOF LEFT JOIN found AS after_ ON after_.file = point_.file AND after_."by_fold" = point_."by_fold" AND point_.time < after_.time;

-- ## tde2015.boundary_scopes
-- metric boundary, slices (specs/term_discovery/tde2015/boundary.yaml)
-- Boundary precision, recall and F: the distinct edges of fragments against the distinct edges of words. An
--   edge is right when an edge of the other side is less than boundary_tolerance away; one edge may make
--   several right. (zerospeech2015.boundary moves edges to phone boundaries first, and compares those.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "boundary_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.boundary_units
-- metric boundary, statistics per unit (specs/term_discovery/tde2015/boundary.yaml)
-- Boundary precision, recall and F: the distinct edges of fragments against the distinct edges of words. An
--   edge is right when an edge of the other side is less than boundary_tolerance away; one edge may make
--   several right. (zerospeech2015.boundary moves edges to phone boundaries first, and compares those.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "boundary_units" AS
SELECT "by_fold", "file",
    count_if(found) AS "found",
    count_if(NOT found) AS "gold",
    count_if(found AND near) AS "found_hits",
    count_if(NOT found AND near) AS "gold_hits"
FROM "edge_counts" AS counted_rows
GROUP BY ALL;

-- ## tde2015.boundary
-- metric boundary, scores (specs/term_discovery/tde2015/boundary.yaml)
-- Boundary precision, recall and F: the distinct edges of fragments against the distinct edges of words. An
--   edge is right when an edge of the other side is less than boundary_tolerance away; one edge may make
--   several right. (zerospeech2015.boundary moves edges to phone boundaries first, and compares those.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "boundary" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "boundary_units" UNION ALL BY NAME FROM "boundary_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- ## tde2015.found_sizes
-- relation found_sizes (specs/term_discovery/tde2015/sizes.yaml)
-- The sizes of what was found in each fold: clusters with members there, distinct fragments, distinct
--   transcriptions and pairs of P_disc. Each row has the sizes of one set.
CREATE TABLE "found_sizes" AS
SELECT "by_fold", count(DISTINCT cluster) AS clusters FROM "fold_fragments" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) AS fragments, count(DISTINCT text) AS types FROM "disc_fragments" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", sum(pairs) AS pairs FROM "disc_pairs" GROUP BY ALL;

-- ## tde2015.sizes_scopes
-- metric sizes, slices (specs/term_discovery/tde2015/sizes.yaml)
-- Sizes of the submission: numbers of clusters, fragments, pairs and transcriptions.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "sizes_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.sizes_units
-- metric sizes, statistics per unit (specs/term_discovery/tde2015/sizes.yaml)
-- Sizes of the submission: numbers of clusters, fragments, pairs and transcriptions.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "sizes_units" AS
SELECT "by_fold",
    sum("clusters") AS "clusters",
    sum("fragments") AS "fragments",
    sum("pairs") AS "pairs",
    sum("types") AS "types"
FROM "found_sizes" AS counted_rows
GROUP BY ALL;

-- ## tde2015.sizes
-- metric sizes, scores (specs/term_discovery/tde2015/sizes.yaml)
-- Sizes of the submission: numbers of clusters, fragments, pairs and transcriptions.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "sizes" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("clusters"), 0) AS "clusters",
        coalesce(sum("fragments"), 0) AS "fragments",
        coalesce(sum("pairs"), 0) AS "pairs",
        coalesce(sum("types"), 0) AS "types"
    FROM (FROM "sizes_units" UNION ALL BY NAME FROM "sizes_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    "clusters" AS "clusters",
    "fragments" AS "fragments",
    "pairs" AS "pairs",
    "types" AS "types",
    nullif(concat_ws(', ', CASE WHEN sums."clusters" = 0 THEN 'clusters = 0' END, CASE WHEN sums."fragments" = 0 THEN 'fragments = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END, CASE WHEN sums."types" = 0 THEN 'types = 0' END), '') AS note
FROM sums;

-- ## tde2015.the_scores
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "ned")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'value', 'value': if(finite("value"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL, "value", NULL)::DOUBLE, 'none_left': 1.0e0},
            {'place': 1, 'component': 'pairs', 'value': if(finite("value"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL, "pairs", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "ned" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "coverage")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'value', 'value': if(finite("value"::DOUBLE) IS NOT NULL, "value", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "coverage" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "matching")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "matching" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 3 AS position, 0 AS variant, breakdown, place, 'grouping' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "grouping")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "grouping" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 4 AS position, 0 AS variant, breakdown, place, 'type' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "type")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "type" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 5 AS position, 0 AS variant, breakdown, place, 'token' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "token")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "token" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 6 AS position, 0 AS variant, breakdown, place, 'boundary' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "boundary")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "boundary" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
UNION ALL
SELECT 7 AS position, 0 AS variant, breakdown, place, 'sizes' AS metric, component,
    slice, coalesce(exact_mean(value), any_value(none_left)) AS value,
    list_stddev_pop(list(value ORDER BY "by_fold")) AS std, count(value) AS folds,
    CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
         WHEN count(value) = 0 THEN 'undefined in every fold'
         WHEN count(value) < any_value(fold_count)
         THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
    END AS note
FROM (
    SELECT * REPLACE (finite(value) AS value),
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "sizes")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'clusters', 'value': if(finite("clusters"::DOUBLE) IS NOT NULL AND finite("fragments"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AND finite("types"::DOUBLE) IS NOT NULL, "clusters", NULL)::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'fragments', 'value': if(finite("clusters"::DOUBLE) IS NOT NULL AND finite("fragments"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AND finite("types"::DOUBLE) IS NOT NULL, "fragments", NULL)::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'pairs', 'value': if(finite("clusters"::DOUBLE) IS NOT NULL AND finite("fragments"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AND finite("types"::DOUBLE) IS NOT NULL, "pairs", NULL)::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 3, 'component': 'types', 'value': if(finite("clusters"::DOUBLE) IS NOT NULL AND finite("fragments"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AND finite("types"::DOUBLE) IS NOT NULL, "types", NULL)::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "sizes" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

-- ## zerospeech2015.Suite_zerospeech2015
-- Suite zerospeech2015: The metrics of the ZeroSpeech Challenge 2015 by their published definitions. Times
--   are compared as whole microseconds. Scores are means over ten folds, for all pairs and, when talkers are
--   known, for pairs of one talker.
-- Scores: ned, coverage, matching, matching_pairs, grouping, grouping_pairs, type, token, boundary, sizes
-- Inputs: phones, words, fragments, utterances, folds, talkers
-- Relations, in the order in which they are made: phone_codes, speech_phones, fold_intervals, file_talkers,
--   fold_fragments, fold_phones, phone_strings, disc_fragments, pair_groups, group_types,
--   fragment_signatures, shared_signatures, near_pairs, surplus_pairs, disc_pairs, longest_partners,
--   phone_runs, recurring_spans, all_spans, covered_phones, touching_subspans, found_spans, subspan_starts,
--   repeated_subspans, equal_subspans, both_spans, matching_spans, disc_subspans, span_classes, disc_spans,
--   multiple_alignments, near_subspans, all_types, matching_types, matching_counts, grouping_fragments,
--   grouping_types, grouping_counts, scored_fragments, fold_words, word_tokens, gold_fragments,
--   phone_boundaries, found_boundaries, gold_boundaries, set_sizes, member_verdicts, cluster_purity,
--   matching_verdicts, grouping_verdicts
-- Then, for each metric: its statistics per unit, their sums, and the components over the sums.

-- ## zerospeech2015.microseconds
-- Time in whole microseconds, from seconds. Halves are rounded to even. Whole numbers are compared exactly.
CREATE OR REPLACE MACRO microseconds(seconds) AS (
    round_even(seconds * 1e6, 0)::BIGINT
);

-- ## zerospeech2015.more_than_part
-- Whether an amount is more than a fraction (part) of a whole, both in whole microseconds. The comparison is exact when the fraction has at most six decimals. 51 is more than 0.5 of 100, 50 is not.
CREATE OR REPLACE MACRO more_than_part(amount, part, whole) AS (
    amount * 1000000 > round_even(part * 1e6, 0)::BIGINT * whole
);

-- ## zerospeech2015.phones
-- input phones (specs/term_discovery/zerospeech2015/tables.yaml): One row per phone token of the corpus,
--   from a forced alignment. Phones of one file do not overlap by more than 1 µs. A line given twice counts
--   once.
CREATE TABLE IF NOT EXISTS "phones" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- ## zerospeech2015.folds
-- input folds (specs/term_discovery/tables.yaml): One row per interval of a fold. Each fold is scored
--   alone, and scores are averaged over folds. In a file of intervals a blank line ends a fold.
CREATE TABLE IF NOT EXISTS "folds" (line BIGINT, "fold" BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## zerospeech2015.talkers
-- input talkers (specs/term_discovery/tables.yaml): One row per recording, with its talker.
CREATE TABLE IF NOT EXISTS "talkers" (line BIGINT, "file" VARCHAR, "talker" VARCHAR);

-- ## zerospeech2015.speech_phones
-- relation speech_phones (specs/term_discovery/shared/corpus.yaml)
-- The phone tokens that are speech, numbered from 0 within their file, each with its utterance, which is
--   named by its onset. Labels that the parameter `silence` lists (SIL, SPN) are not speech and act as a
--   pause. An utterance is a longest sequence of phones without silence in which every phone begins at most
--   `pause` (1 ms) after the previous one ends. If the input `utterances` is given, a phone is in the
--   utterance that contains it by the parameter `inside`; NULL where there is none.
CREATE TABLE "speech_phones" AS
WITH tokens AS (
    SELECT file, microseconds(onset) AS onset, microseconds("offset") AS "offset", label, code,
        label IN ['SIL', 'SPN']::VARCHAR[] AS silent
    FROM "phones"
    JOIN "phone_codes" USING (label)
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

-- ## zerospeech2015.fold_intervals
-- relation fold_intervals, fold_set = folds, inside = midpoint, n_folds = 10, pause = 0.001, silence =
--   [SIL,SPN], times = microseconds, by fold (specs/term_discovery/shared/corpus.yaml)
-- The intervals of each fold: those of the input that `fold_set` names, if it is given. Otherwise the
--   utterances, ordered by file and onset, are divided into `n_folds` runs with equal numbers of utterances.
--   When the number is not divisible, the first folds have one more: 11 utterances in 3 folds are 4, 4 and 3.
CREATE TABLE "fold_intervals" AS
SELECT "fold" AS "by_fold", *
FROM (
SELECT *, ntile(greatest(10::BIGINT, 1)) OVER (ORDER BY file, onset) - 1 AS fold
FROM (
    SELECT file, min(onset) AS onset, max("offset") AS "offset"
    FROM "speech_phones"
    GROUP BY file, utterance
)
);

-- ## zerospeech2015.fold_fragments
-- relation fold_fragments, C_disc (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The clusters as sets of fragments (C_disc) in each fold: one row for each distinct fragment of a cluster.
--   `times_listed` is the number of lines on which the cluster has the fragment. With clip = utterance the
--   fragments are the clipped ones (clipped_fragments); a fragment in no utterance has no row.
CREATE TABLE "fold_fragments" AS
WITH members AS (
    SELECT cluster, file, microseconds(onset) AS onset, microseconds("offset") AS "offset", count(*) AS times_listed
    FROM "fragments"
    GROUP BY ALL
)
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM members AS row_
JOIN "fold_intervals_filled" AS fold_
    ON row_.file = fold_.file
    AND row_.onset + row_."offset" >= 2 * fold_.onset
    AND row_.onset + row_."offset" < 2 * fold_."offset"
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file;

-- ## zerospeech2015.fold_phones
-- relation fold_phones (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The phonemes of each fold. `phone` numbers them from 1 within fold and file; `number` is the number within
--   the file of the whole corpus. A jump of `number` shows a hole in the fold. With inside = whole, phonemes
--   that an interval of the fold cuts are included too, because tde 0.2.1 transcribes fragments with them.
--   They have no utterance, so that no span of F_all contains them, and an utterance ends where an interval
--   of the fold ends.
CREATE TABLE "fold_phones" AS
SELECT *, row_number() OVER (PARTITION BY "by_fold", file ORDER BY number) AS phone
FROM (
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM "speech_phones" AS row_
JOIN "fold_intervals_filled" AS fold_
    ON row_.file = fold_.file
    AND row_.onset + row_."offset" >= 2 * fold_.onset
    AND row_.onset + row_."offset" < 2 * fold_."offset"
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file
);

-- ## zerospeech2015.disc_fragments, like tde2015.disc_fragments except:
@@ -28,6 +28,6 @@
-            if((least("offset", first_offset) - greatest(onset, first_onset) > 1e-08 AND (least("offset", first_offset) - greatest(onset, first_onset) > 0.03e0
-                OR least("offset", first_offset) - greatest(onset, first_onset) > 0.5e0 * (first_offset - first_onset)
-                OR least("offset", first_offset) - greatest(onset, first_onset) > 0.5e0 * ("offset" - onset))), first_phone, first_phone + 1) AS first_phone,
-            if(first_phone = last_phone OR (least("offset", last_offset) - greatest(onset, last_onset) > 1e-08 AND (least("offset", last_offset) - greatest(onset, last_onset) > 0.03e0
-                OR least("offset", last_offset) - greatest(onset, last_onset) > 0.5e0 * (last_offset - last_onset)
-                OR least("offset", last_offset) - greatest(onset, last_onset) > 0.5e0 * ("offset" - onset))), last_phone, last_phone - 1) AS last_phone)
+            if((least("offset", first_offset) - greatest(onset, first_onset) > microseconds(0.0e0) AND (least("offset", first_offset) - greatest(onset, first_onset) > microseconds(0.03e0)
+                OR more_than_part(least("offset", first_offset) - greatest(onset, first_onset), 0.5e0, first_offset - first_onset)
+                OR more_than_part(least("offset", first_offset) - greatest(onset, first_onset), 1.0e0, "offset" - onset))), first_phone, first_phone + 1) AS first_phone,
+            if(first_phone = last_phone OR (least("offset", last_offset) - greatest(onset, last_onset) > microseconds(0.0e0) AND (least("offset", last_offset) - greatest(onset, last_onset) > microseconds(0.03e0)
+                OR more_than_part(least("offset", last_offset) - greatest(onset, last_onset), 0.5e0, last_offset - last_onset)
+                OR more_than_part(least("offset", last_offset) - greatest(onset, last_onset), 1.0e0, "offset" - onset))), last_phone, last_phone - 1) AS last_phone)

-- ## zerospeech2015.near_pairs
-- relation near_pairs (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The pairs of members of a group that share time, they or the phones of their transcriptions. `overlap`:
--   they share so much time that they are no pair of P_disc (more than `overlap_fraction`, half, of the
--   shorter). Only for these few pairs does the time of the fragments matter, and two of their sub-spans can
--   overlap or be the same span. They are therefore listed one by one. All other pairs are counted in closed
--   form.
CREATE TABLE "near_pairs" AS
SELECT * RENAME (first_phone_a AS first_a, first_phone_b AS first_b, last_phone_a AS last_a, last_phone_b AS last_b),
    (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(0.0e0) AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(86400.0e0)
            OR more_than_part(least(offset_a, offset_b) - greatest(onset_a, onset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) AS overlap
FROM (
    WITH slots AS (
        SELECT greatest(2 * avg(reach_to - reach_from), microseconds(1e-6)) AS width FROM "pair_groups"
    ),
    laid AS (
        SELECT *, unnest(range(floor(reach_from / width)::BIGINT, floor(reach_to / width)::BIGINT + 1)) AS slot FROM "pair_groups", slots
    )
    SELECT "by_fold", cluster, pair_talker, a.file AS file_a, b.file AS file_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b, a."text" AS text_a, b."text" AS text_b, a."first_phone" AS first_phone_a, b."first_phone" AS first_phone_b, a."last_phone" AS last_phone_a, b."last_phone" AS last_phone_b
    FROM laid AS a
    JOIN laid AS b USING ("by_fold", cluster, pair_talker, file, slot)
    WHERE ((a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
        AND a.reach_from < b.reach_to AND b.reach_from < a.reach_to
        AND slot = floor(greatest(a.reach_from, b.reach_from) / a.width)::BIGINT
);

-- ## zerospeech2015.ned_scopes
-- metric ned, slices (specs/term_discovery/zerospeech2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. (zerospeech2017.ned counts a
--   pair once per cluster, and also overlapping fragments.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "ned_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.ned_units
-- metric ned, statistics per unit (specs/term_discovery/zerospeech2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. (zerospeech2017.ned counts a
--   pair once per cluster, and also overlapping fragments.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "ned_units" AS
SELECT "by_fold",
    exact_sum((if(length = 0, 1, distance / length)) * (pairs)) AS "total",
    sum(pairs) FILTER (WHERE (if(length = 0, 1, distance / length)) IS NOT NULL) AS "pairs"
FROM "disc_pairs" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.ned
-- metric ned, scores (specs/term_discovery/zerospeech2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. (zerospeech2017.ned counts a
--   pair once per cluster, and also overlapping fragments.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "ned" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("total"), 0) AS "total",
        coalesce(sum("pairs"), 0) AS "pairs"
    FROM (FROM "ned_units" UNION ALL BY NAME FROM "ned_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(total, pairs) AS "value",
    pairs AS "pairs",
    nullif(concat_ws(', ', CASE WHEN sums."total" = 0 THEN 'total = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END), '') AS note
FROM sums;

-- ## zerospeech2015.longest_partners
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
CREATE TABLE "longest_partners" AS
WITH members AS (
    SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM "pair_groups"
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

-- ## zerospeech2015.all_spans, like tde2015.all_spans except:
@@ -12 +12 @@
-        SELECT greatest(2 * avg("offset" - onset), 1e-6) AS width FROM "recurring_spans"
+        SELECT greatest(2 * avg("offset" - onset), microseconds(1e-6)) AS width FROM "recurring_spans"
@@ -19,2 +19,2 @@
-    JOIN laid AS b USING ("by_fold", pair_talker, text, slot)
-    WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
+    JOIN laid AS b USING ("by_fold", pair_talker, text, file, slot)
+    WHERE ((a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
@@ -27,2 +27,2 @@
-    WHERE (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 1e-08 AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.03e0
-            OR least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.5e0 * (least(offset_a - onset_a, offset_b - onset_b))))
+    WHERE (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(0.0e0) AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(86400.0e0)
+            OR more_than_part(least(offset_a, offset_b) - greatest(onset_a, onset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))

-- ## zerospeech2015.covered_phones
-- relation covered_phones, cover(P_disc), cover(P_all)
--   (specs/term_discovery/zerospeech2015/coverage.yaml)
-- The phonemes of cover(P_disc) (found) and of cover(P_all) (gold): those in the transcription of a fragment
--   that is in a pair of P_disc, and those in a span that is in a pair of P_all. By definition each span is
--   expanded to its phones, and equal phones are merged. Here spans of a file that have phones in common are
--   merged first, so that each phone is listed once for each set, however many spans contain it. With the
--   spans 1–4, 2–5 and 7–8, the phones 1 to 5 and 7 to 8 are listed.
CREATE TABLE "covered_phones" AS
WITH spans AS (
    SELECT "by_fold", file, 'found' AS set_, first_phone, last_phone FROM "longest_partners"
    WHERE partner_size IS NOT NULL AND first_phone <= last_phone
    UNION ALL
    SELECT "by_fold", unnest([file_a, file_b]), 'found', unnest([first_a, first_b]), unnest([last_a, last_b]) FROM "near_pairs"
    WHERE NOT overlap
    UNION ALL
    SELECT "by_fold", file, 'gold', phone, phone + size - 1 FROM "all_spans"
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
JOIN "fold_phones" USING ("by_fold", file, number)
GROUP BY ALL;

-- ## zerospeech2015.coverage_scopes
-- metric coverage, slices (specs/term_discovery/zerospeech2015/coverage.yaml)
-- Coverage: duration of the phones in found pairs, divided by the duration of the phones in gold pairs. Found
--   pairs (P_disc) are two distinct fragments of one cluster that do not overlap. Gold pairs (P_all) are two
--   spans of min_phones to max_phones phones of the corpus with equal transcriptions that do not overlap.
--   Coverage may exceed 1, because found pairs need not have equal transcriptions. zerospeech2017.coverage
--   divides by all phones of the corpus, and counts phones; tde2015.coverage measures time without phones.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "coverage_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.coverage_units
-- metric coverage, statistics per unit (specs/term_discovery/zerospeech2015/coverage.yaml)
-- Coverage: duration of the phones in found pairs, divided by the duration of the phones in gold pairs. Found
--   pairs (P_disc) are two distinct fragments of one cluster that do not overlap. Gold pairs (P_all) are two
--   spans of min_phones to max_phones phones of the corpus with equal transcriptions that do not overlap.
--   Coverage may exceed 1, because found pairs need not have equal transcriptions. zerospeech2017.coverage
--   divides by all phones of the corpus, and counts phones; tde2015.coverage measures time without phones.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "coverage_units" AS
SELECT "by_fold", "file",
    coalesce(sum("offset" - onset) FILTER (WHERE in_found), 0) AS "numerator",
    coalesce(sum("offset" - onset) FILTER (WHERE in_gold), 0) AS "denominator"
FROM "covered_phones" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.coverage
-- metric coverage, scores (specs/term_discovery/zerospeech2015/coverage.yaml)
-- Coverage: duration of the phones in found pairs, divided by the duration of the phones in gold pairs. Found
--   pairs (P_disc) are two distinct fragments of one cluster that do not overlap. Gold pairs (P_all) are two
--   spans of min_phones to max_phones phones of the corpus with equal transcriptions that do not overlap.
--   Coverage may exceed 1, because found pairs need not have equal transcriptions. zerospeech2017.coverage
--   divides by all phones of the corpus, and counts phones; tde2015.coverage measures time without phones.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "coverage" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("numerator"), 0) AS "numerator",
        coalesce(sum("denominator"), 0) AS "denominator"
    FROM (FROM "coverage_units" UNION ALL BY NAME FROM "coverage_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(numerator, denominator) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."numerator" = 0 THEN 'numerator = 0' END, CASE WHEN sums."denominator" = 0 THEN 'denominator = 0' END), '') AS note
FROM sums;

-- ## zerospeech2015.touching_subspans, like tde2015.touching_subspans except:
@@ -14 +14 @@
-            SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
+            SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT) + 1)) AS size

-- ## zerospeech2015.found_spans, like tde2015.found_spans except:
@@ -22 +22 @@
-SELECT "by_fold", file, phone, unnest(range(3::BIGINT, least(greatest(longest, longest_touching), 20::BIGINT - 1) + 1)) AS size
+SELECT "by_fold", file, phone, unnest(range(3::BIGINT, least(greatest(longest, longest_touching), 20::BIGINT) + 1)) AS size

-- ## zerospeech2015.subspan_starts
-- relation subspan_starts (specs/term_discovery/zerospeech2015/matching.yaml)
-- The phones at which a sub-span of a member can begin, with the first `min_phones` codes there. Starts with
--   fewer than `min_phones` phones left in their utterance are left out, because F_all has no span there.
CREATE TABLE "subspan_starts" AS
SELECT start_."by_fold", start_.cluster, start_.pair_talker, start_.file, start_.phone, reach_from, reach_to,
    before, span_size, left(codes, 3::BIGINT) AS first_phones
FROM (SELECT *, first_phone + before AS phone FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM "longest_partners")) AS start_
JOIN "phone_runs" AS run_
    ON run_.file = start_.file AND run_.phone = start_.phone AND run_."by_fold" = start_."by_fold"
    AND remaining >= 3::BIGINT;

-- ## zerospeech2015.repeated_subspans
-- relation repeated_subspans (specs/term_discovery/zerospeech2015/matching.yaml)
-- The sub-spans of members, inside one utterance, whose first `min_phones` phones also begin another sub-span
--   of the group. `text` is the transcription. equal_subspans searches sub-spans with equal transcriptions.
--   Sub-spans with equal transcriptions have equal first phones, so that all others can be dropped before the
--   many longer sub-spans are listed.
CREATE TABLE "repeated_subspans" AS
WITH repeated AS (
    SELECT "by_fold", "cluster", "pair_talker", "first_phones" FROM "subspan_starts" GROUP BY ALL HAVING count(*) > 1
)
SELECT * EXCLUDE (span_size, codes), span_size - size - before AS after, left(codes, size::INTEGER) AS text
FROM (
    SELECT start_.* EXCLUDE (first_phones), codes, unnest(range(3::BIGINT, least(span_size - before, remaining, 20::BIGINT) + 1)) AS size
    FROM (FROM "subspan_starts" SEMI JOIN repeated USING ("by_fold", "cluster", "pair_talker", "first_phones")) AS start_
    JOIN "phone_runs" AS run_
        ON run_.file = start_.file AND run_.phone = start_.phone AND run_."by_fold" = start_."by_fold"
);

-- ## zerospeech2015.equal_subspans
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
CREATE TABLE "equal_subspans" AS
WITH classes AS (
    SELECT "by_fold", cluster, pair_talker, text, before, after, min(file) AS first_file, max(file) AS last_file,
        min(reach_to) AS earliest_end, max(reach_from) AS latest_begin
    FROM "repeated_subspans"
    GROUP BY ALL
)
SELECT "by_fold", file, phone, size
FROM "repeated_subspans" AS span_
SEMI JOIN classes AS class_
    ON span_.cluster = class_.cluster AND span_.pair_talker = class_.pair_talker AND span_.text = class_.text AND span_."by_fold" = class_."by_fold"
        AND (span_.before <= class_.before AND span_.after <= class_.after OR span_.before >= class_.before AND span_.after >= class_.after)
        AND (first_file <> file OR last_file <> file OR earliest_end <= reach_from OR latest_begin >= reach_to);

-- ## zerospeech2015.both_spans
-- relation both_spans, flat(P_disc* ∩ P_all) (specs/term_discovery/zerospeech2015/matching.yaml)
-- The spans that are in a pair of P_disc* ∩ P_all, flat(P_disc* ∩ P_all): an aligned sub-span has the same
--   transcription, both lie inside an utterance, and the two do not overlap. By definition, the pairs of both
--   sets are listed and intersected (pairs/pairs_star.sql with pairs/pairs_all.sql). Here the spans of
--   members that share no time come from equal_subspans, without pairs. The pairs of members that share time
--   (touching_subspans) are listed; those with different transcriptions and those that overlap are dropped.
--   Example with min_phones = 2: abab at 0.0–0.4 s and abab at 0.2–0.6 s share half of their time, not more,
--   and are a pair of P_disc. Their aligned sub-spans ab at 0.0 s and ab at 0.2 s are a pair of both sets.
--   tests/conformance/test_zerospeech2015_pairs.py compares the two.
CREATE TABLE "both_spans" AS
WITH begun AS MATERIALIZED (
    SELECT pair_.*, left(codes, size::INTEGER) AS text, onset AS onset_a
    FROM "touching_subspans" AS pair_
    JOIN "phone_runs" AS run_ ON run_.file = file_a AND run_.phone = phone_a AND run_."by_fold" = pair_."by_fold"
    WHERE remaining >= size
),
equal AS MATERIALIZED (
    SELECT pair_.*, onset AS onset_b
    FROM begun AS pair_
    JOIN "phone_runs" AS run_ ON run_.file = file_b AND run_.phone = phone_b AND run_."by_fold" = pair_."by_fold"
    WHERE remaining >= size AND left(codes, size::INTEGER) = text
),
ended AS MATERIALIZED (
    SELECT pair_.*, "offset" AS offset_a
    FROM equal AS pair_
    JOIN "phone_runs" AS run_ ON run_.file = file_a AND run_.phone = phone_a + size - 1 AND run_."by_fold" = pair_."by_fold"
),
timed AS MATERIALIZED (
    SELECT pair_.*, "offset" AS offset_b
    FROM ended AS pair_
    JOIN "phone_runs" AS run_ ON run_.file = file_b AND run_.phone = phone_b + size - 1 AND run_."by_fold" = pair_."by_fold"
),
touching AS MATERIALIZED (
    SELECT DISTINCT "by_fold", unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size
    FROM timed
    WHERE NOT (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(0.0e0) AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(86400.0e0)
            OR more_than_part(least(offset_a, offset_b) - greatest(onset_a, onset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))
),
apart AS MATERIALIZED (
    SELECT DISTINCT "by_fold", file, phone, size FROM "equal_subspans"
)
SELECT "by_fold", file, phone, size
FROM apart
FULL JOIN touching USING ("by_fold", file, phone, size);

-- ## zerospeech2015.matching_spans
-- relation matching_spans, flat(P_disc*), flat(P_all)
--   (specs/term_discovery/zerospeech2015/matching.yaml)
-- The distinct spans of flat(P_disc*) (found), flat(P_all) (gold) and flat(P_disc* ∩ P_all) (both). Published
--   matching precision is both / found and recall is both / gold, because the frequencies of the
--   transcriptions cancel.
CREATE TABLE "matching_spans" AS
SELECT "by_fold", file, phone, size, coalesce(in_found, false) AS in_found, coalesce(in_gold, false) AS in_gold, coalesce(in_both, false) AS in_both
FROM (SELECT "by_fold", file, phone, size, true AS in_found FROM "found_spans")
FULL JOIN (SELECT "by_fold", file, phone, size, true AS in_gold FROM "all_spans") USING ("by_fold", file, phone, size)
FULL JOIN (SELECT "by_fold", file, phone, size, true AS in_both FROM "both_spans") USING ("by_fold", file, phone, size);

-- ## zerospeech2015.disc_subspans, like tde2015.disc_subspans except:
@@ -14 +14 @@
-    FROM (SELECT *, unnest(range(3::BIGINT, least(span_size, 20::BIGINT - 1) + 1)) AS size FROM "longest_partners")
+    FROM (SELECT *, unnest(range(3::BIGINT, least(span_size, 20::BIGINT) + 1)) AS size FROM "longest_partners")

-- ## zerospeech2015.near_subspans, like tde2015.near_subspans except:
@@ -20 +20 @@
-                SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
+                SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT) + 1)) AS size
@@ -46,2 +46,2 @@
-        AND NOT (least(a."offset", b."offset") - greatest(a.onset, b.onset) > 1e-08 AND (least(a."offset", b."offset") - greatest(a.onset, b.onset) > 0.03e0
-            OR least(a."offset", b."offset") - greatest(a.onset, b.onset) > 0.5e0 * (least(a."offset" - a.onset, b."offset" - b.onset))))
+        AND NOT (least(a."offset", b."offset") - greatest(a.onset, b.onset) > microseconds(0.0e0) AND (least(a."offset", b."offset") - greatest(a.onset, b.onset) > microseconds(86400.0e0)
+            OR more_than_part(least(a."offset", b."offset") - greatest(a.onset, b.onset), 0.5e0, least(a."offset" - a.onset, b."offset" - b.onset))))

-- ## zerospeech2015.matching_types, like tde2015.matching_types except:
@@ -57,2 +57,2 @@
-        (least(offset_a, "offset") - greatest(onset_a, onset) > 1e-08 AND (least(offset_a, "offset") - greatest(onset_a, onset) > 0.03e0
-            OR least(offset_a, "offset") - greatest(onset_a, onset) > 0.5e0 * (least(offset_a - onset_a, "offset" - onset)))) AS overlapping
+        (least(offset_a, "offset") - greatest(onset_a, onset) > microseconds(0.0e0) AND (least(offset_a, "offset") - greatest(onset_a, onset) > microseconds(86400.0e0)
+            OR more_than_part(least(offset_a, "offset") - greatest(onset_a, onset), 0.5e0, least(offset_a - onset_a, "offset" - onset)))) AS overlapping

-- ## zerospeech2015.matching_counts
-- relation matching_counts, match_counts = fragments
--   (specs/term_discovery/zerospeech2015/matching.yaml)
-- The numbers from which matching precision and recall are computed: found and gold spans, and how many of
--   each are correct. With match_counts = fragments, the published form, a span is correct when it is in some
--   pair of both sets. With match_counts = pairs, the spans of a transcription t count as correct in the
--   proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "matching_counts" AS
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS found, count(*) FILTER (WHERE in_gold) AS gold,
    count(*) FILTER (WHERE in_both) AS found_hits, found_hits AS gold_hits
FROM "matching_spans"
GROUP BY ALL;

-- ## zerospeech2015.matching, like tde2015.matching except:
@@ -14,2 +14,2 @@
-        json_object('talkers', 'total') AS scope,
-        json_object('talkers', 'total') AS slice,
+        json_object('talkers', 'all') AS scope,
+        json_object('talkers', 'all') AS slice,

-- ## zerospeech2015.matching_counts_2
-- relation matching_counts, match_counts = pairs (specs/term_discovery/zerospeech2015/matching.yaml)
-- The numbers from which matching precision and recall are computed: found and gold spans, and how many of
--   each are correct. With match_counts = fragments, the published form, a span is correct when it is in some
--   pair of both sets. With match_counts = pairs, the spans of a transcription t count as correct in the
--   proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "matching_counts_2" AS
SELECT "by_fold", found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM "matching_types";

-- ## zerospeech2015.matching_pairs_scopes
-- metric matching_pairs, slices (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- Matching precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_disc*, precision) or of gold pairs (P_all, recall) with this transcription whose pair is both found
--   and gold, averaged over transcriptions with their frequency among the spans as weight. The sets are those
--   of the published form, matching, which counts a span as right if one of its pairs is.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "matching_pairs_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.matching_pairs_units
-- metric matching_pairs, statistics per unit (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- Matching precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_disc*, precision) or of gold pairs (P_all, recall) with this transcription whose pair is both found
--   and gold, averaged over transcriptions with their frequency among the spans as weight. The sets are those
--   of the published form, matching, which counts a span as right if one of its pairs is.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "matching_pairs_units" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "matching_counts_2" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.matching_pairs
-- metric matching_pairs, scores (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- Matching precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_disc*, precision) or of gold pairs (P_all, recall) with this transcription whose pair is both found
--   and gold, averaged over transcriptions with their frequency among the spans as weight. The sets are those
--   of the published form, matching, which counts a span as right if one of its pairs is.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "matching_pairs" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "matching_pairs_units" UNION ALL BY NAME FROM "matching_pairs_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- ## zerospeech2015.grouping_fragments, like tde2015.grouping_fragments except:
@@ -51 +50,0 @@
-        QUALIFY sum(times_listed) OVER (PARTITION BY "by_fold", cluster, pair_talker) > 1
@@ -52,0 +52 @@
+    WHERE text <> ''
@@ -56 +56 @@
-        SELECT greatest(2 * avg("offset" - onset), 1e-6) AS width FROM alike
+        SELECT greatest(2 * avg("offset" - onset), microseconds(1e-6)) AS width FROM alike
@@ -63,2 +63,2 @@
-    JOIN laid AS b USING ("by_fold", pair_talker, text, slot)
-    WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
+    JOIN laid AS b USING ("by_fold", pair_talker, text, file, slot)
+    WHERE ((a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
@@ -79 +79 @@
-        -overlap::BIGINT, unnest([0, -overlap::BIGINT]), -unlike::BIGINT, 0
+        0, 0, -unlike::BIGINT, 0
@@ -86,2 +86,2 @@
-    WHERE NOT NOT ((least(offset_a, offset_b) - greatest(onset_a, onset_b) > 1e-08 AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.03e0
-            OR least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.5e0 * (least(offset_a - onset_a, offset_b - onset_b)))) OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b))
+    WHERE NOT NOT ((least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(0.0e0) AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > microseconds(86400.0e0)
+            OR more_than_part(least(offset_a, offset_b) - greatest(onset_a, onset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b))
@@ -90 +90 @@
-    sum(both_)::BIGINT AS "both"
+    if(text = '', 0, sum(both_))::BIGINT AS "both"

-- ## zerospeech2015.grouping_types, like tde2015.grouping_types except:
@@ -7 +7 @@
-    sum(earlier)::BIGINT AS found_ends, sum(gold)::BIGINT // 2 AS gold_ends, sum("both")::BIGINT // 2 AS both_ends
+    sum(found)::BIGINT AS found_ends, sum(gold)::BIGINT AS gold_ends, sum("both")::BIGINT AS both_ends

-- ## zerospeech2015.grouping_counts
-- relation grouping_counts, match_counts = fragments (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The numbers from which grouping precision and recall are computed: found and gold fragments, and how many
--   of each are correct. With match_counts = fragments, the published form, a fragment is correct when it is
--   in some pair of P_clus ∩ P_goldclus. With match_counts = pairs, the fragments with a transcription t
--   count as correct in the proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "grouping_counts" AS
SELECT "by_fold", count_if(found > 0) AS found, count_if(gold > 0) AS gold,
    count_if("both" > 0) AS found_hits, found_hits AS gold_hits
FROM "grouping_fragments"
GROUP BY ALL;

-- ## zerospeech2015.grouping, like tde2015.grouping except:
@@ -14,2 +14,2 @@
-        json_object('talkers', 'total') AS scope,
-        json_object('talkers', 'total') AS slice,
+        json_object('talkers', 'all') AS scope,
+        json_object('talkers', 'all') AS slice,

-- ## zerospeech2015.grouping_counts_2
-- relation grouping_counts, match_counts = pairs (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The numbers from which grouping precision and recall are computed: found and gold fragments, and how many
--   of each are correct. With match_counts = fragments, the published form, a fragment is correct when it is
--   in some pair of P_clus ∩ P_goldclus. With match_counts = pairs, the fragments with a transcription t
--   count as correct in the proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "grouping_counts_2" AS
SELECT "by_fold", found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM "grouping_types";

-- ## zerospeech2015.grouping_pairs_scopes
-- metric grouping_pairs, slices (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_clus, precision) or of gold pairs (P_goldclus, recall) with this transcription whose pair is both
--   found and gold, averaged over transcriptions with their frequency among the fragments as weight. The sets
--   are those of the published form, grouping, which counts a fragment as right if one of its pairs is.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "grouping_pairs_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.grouping_pairs_units
-- metric grouping_pairs, statistics per unit (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_clus, precision) or of gold pairs (P_goldclus, recall) with this transcription whose pair is both
--   found and gold, averaged over transcriptions with their frequency among the fragments as weight. The sets
--   are those of the published form, grouping, which counts a fragment as right if one of its pairs is.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "grouping_pairs_units" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "grouping_counts_2" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.grouping_pairs
-- metric grouping_pairs, scores (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F over pairs: for each transcription, the share of the ends of found pairs
--   (P_clus, precision) or of gold pairs (P_goldclus, recall) with this transcription whose pair is both
--   found and gold, averaged over transcriptions with their frequency among the fragments as weight. The sets
--   are those of the published form, grouping, which counts a fragment as right if one of its pairs is.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "grouping_pairs" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "grouping_pairs_units" UNION ALL BY NAME FROM "grouping_pairs_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- ## zerospeech2015.scored_fragments
-- relation scored_fragments, F_disc (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The distinct fragments (F_disc) that type, token and boundary count. With talkers = within, only fragments
--   that are in a pair of one talker. `stray` is '' for a fragment with a transcription, and otherwise its
--   times, so that fragments without a transcription are different elements of the set and match no word.
CREATE TABLE "scored_fragments" AS
SELECT "by_fold", file, onset, "offset", text, coalesce(first_phone, -1) AS first_phone,
    coalesce(last_phone, -1) AS last_phone, if(text = '', concat(onset, '-', "offset"), '') AS stray
FROM "disc_fragments";

-- ## zerospeech2015.fold_words
-- relation fold_words (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The distinct word tokens of each fold, with times as they are compared (parameter `times`). Labels that the
--   parameter `silent_words` lists are no words.
CREATE TABLE "fold_words" AS
WITH tokens AS (
    SELECT DISTINCT file, microseconds(onset) AS onset, microseconds("offset") AS "offset", label
    FROM "words"
    WHERE label NOT IN ['SIL']::VARCHAR[]
)
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM tokens AS row_
JOIN "fold_intervals_filled" AS fold_
    ON row_.file = fold_.file
    AND row_.onset + row_."offset" >= 2 * fold_.onset
    AND row_.onset + row_."offset" < 2 * fold_."offset"
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file;

-- ## zerospeech2015.word_tokens
-- relation word_tokens, F_goldLex (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The distinct word tokens as fragments (F_goldLex), each with its span of phones and its transcription T, by
--   the edge rule of fragments (see disc_fragments); T is '' where no phone is kept.
CREATE TABLE "word_tokens" AS
WITH intervals AS (
    SELECT DISTINCT "by_fold", "file", "onset", "offset" FROM "fold_words"
)
FROM (
    WITH overlapped AS (
        SELECT interval_.*,
            first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
            last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
        FROM intervals AS interval_
        ASOF LEFT JOIN "fold_phones" AS first_
            ON interval_.file = first_.file AND interval_."by_fold" = first_."by_fold"
            AND interval_.onset < first_."offset"
        ASOF LEFT JOIN "fold_phones" AS last_
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
            JOIN "phone_strings" AS string_
                ON long_.file = string_.file AND long_."by_fold" = string_."by_fold"
                AND long_.piece = string_.phone
            GROUP BY ALL
        ) AS tail_ USING ("by_fold", "file", "onset", "offset", "first_phone", "last_phone")
        JOIN "phone_strings" AS string_
            ON span_.file = string_.file AND span_."by_fold" = string_."by_fold"
            AND span_.first_phone = string_.phone
        WHERE first_phone <= last_phone
    )
    SELECT interval_.*, coalesce(text, '') AS text, first_.number AS first_phone, last_.number AS last_phone,
        least(interval_.onset, first_.onset) AS reach_from, greatest(interval_."offset", last_."offset") AS reach_to
    FROM intervals AS interval_
    LEFT JOIN transcribed USING ("by_fold", "file", "onset", "offset")
    LEFT JOIN "fold_phones" AS first_
        ON first_.file = interval_.file AND interval_."by_fold" = first_."by_fold"
        AND first_.phone = transcribed.first_phone
    LEFT JOIN "fold_phones" AS last_
        ON last_.file = interval_.file AND interval_."by_fold" = last_."by_fold"
        AND last_.phone = transcribed.last_phone
);

-- ## zerospeech2015.gold_fragments
-- relation gold_fragments, F_goldLex (specs/term_discovery/zerospeech2015/corpus.yaml)
-- One row per word token whose transcription has at least one phone.
CREATE TABLE "gold_fragments" AS
SELECT "by_fold", file, text, first_phone, last_phone, '' AS stray FROM "word_tokens" WHERE text <> '';

-- ## zerospeech2015.type_scopes
-- metric type, slices (specs/term_discovery/zerospeech2015/type.yaml)
-- Type precision, recall and F: the distinct transcriptions of fragments against the distinct transcriptions
--   of word tokens. Both sides are strings of phones; zerospeech2017.type takes the spellings of words as
--   gold, and tde2015.type compares spellings on both sides.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "type_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.type_units
-- metric type, statistics per unit (specs/term_discovery/zerospeech2015/type.yaml)
-- Type precision, recall and F: the distinct transcriptions of fragments against the distinct transcriptions
--   of word tokens. Both sides are strings of phones; zerospeech2017.type takes the spellings of words as
--   gold, and tde2015.type compares spellings on both sides.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "type_units" AS
SELECT "by_fold", "text",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_found AND in_gold) AS "both"
FROM (
    SELECT coalesce(found_."by_fold", gold_."by_fold") AS "by_fold", coalesce(found_."text", gold_."text") AS "text",
        found_.in_found IS NOT NULL AS in_found, gold_.in_gold IS NOT NULL AS in_gold
    FROM (SELECT DISTINCT "by_fold", "text", true AS in_found FROM "scored_fragments") AS found_
    FULL JOIN (SELECT DISTINCT "by_fold", "text", true AS in_gold FROM "gold_fragments") AS gold_
        ON found_."by_fold" IS NOT DISTINCT FROM gold_."by_fold" AND found_."text" = gold_."text"
) AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.type
-- metric type, scores (specs/term_discovery/zerospeech2015/type.yaml)
-- Type precision, recall and F: the distinct transcriptions of fragments against the distinct transcriptions
--   of word tokens. Both sides are strings of phones; zerospeech2017.type takes the spellings of words as
--   gold, and tde2015.type compares spellings on both sides.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "type" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("both"), 0) AS "both"
    FROM (FROM "type_units" UNION ALL BY NAME FROM "type_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio("both", found) AS "precision",
    ratio("both", gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."both" = 0 THEN 'both = 0' END), '') AS note
FROM sums;

-- ## zerospeech2015.token_scopes
-- metric token, slices (specs/term_discovery/zerospeech2015/token.yaml)
-- Token precision, recall and F: the distinct spans of phones of fragments against those of word tokens. A
--   fragment is right when a word token has its file, first phone and last phone. (zerospeech2017.token
--   compares transcriptions, tde2015.token times.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "token_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.token_units
-- metric token, statistics per unit (specs/term_discovery/zerospeech2015/token.yaml)
-- Token precision, recall and F: the distinct spans of phones of fragments against those of word tokens. A
--   fragment is right when a word token has its file, first phone and last phone. (zerospeech2017.token
--   compares transcriptions, tde2015.token times.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "token_units" AS
SELECT "by_fold", "file", "first_phone", "last_phone", "stray",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_found AND in_gold) AS "both"
FROM (
    SELECT coalesce(found_."by_fold", gold_."by_fold") AS "by_fold", coalesce(found_."file", gold_."file") AS "file", coalesce(found_."first_phone", gold_."first_phone") AS "first_phone", coalesce(found_."last_phone", gold_."last_phone") AS "last_phone", coalesce(found_."stray", gold_."stray") AS "stray",
        found_.in_found IS NOT NULL AS in_found, gold_.in_gold IS NOT NULL AS in_gold
    FROM (SELECT DISTINCT "by_fold", "file", "first_phone", "last_phone", "stray", true AS in_found FROM "scored_fragments") AS found_
    FULL JOIN (SELECT DISTINCT "by_fold", "file", "first_phone", "last_phone", "stray", true AS in_gold FROM "gold_fragments") AS gold_
        ON found_."by_fold" IS NOT DISTINCT FROM gold_."by_fold" AND found_."file" = gold_."file" AND found_."first_phone" = gold_."first_phone" AND found_."last_phone" = gold_."last_phone" AND found_."stray" = gold_."stray"
) AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.token
-- metric token, scores (specs/term_discovery/zerospeech2015/token.yaml)
-- Token precision, recall and F: the distinct spans of phones of fragments against those of word tokens. A
--   fragment is right when a word token has its file, first phone and last phone. (zerospeech2017.token
--   compares transcriptions, tde2015.token times.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "token" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("both"), 0) AS "both"
    FROM (FROM "token_units" UNION ALL BY NAME FROM "token_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio("both", found) AS "precision",
    ratio("both", gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."both" = 0 THEN 'both = 0' END), '') AS note
FROM sums;

-- ## zerospeech2015.phone_boundaries
-- relation phone_boundaries (specs/term_discovery/zerospeech2015/boundary.yaml)
-- The phone boundaries of each file: the distinct onsets and offsets of its phonemes, with the `boundary`
--   that each time belongs to. Times that follow each other by at most `pause` (1 ms) are one boundary, named
--   by the earliest: 0.100, 0.101 and 0.102 s are the boundary 0.100 s.
CREATE TABLE "phone_boundaries" AS
WITH times AS (
    SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "fold_phones"
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

-- ## zerospeech2015.found_boundaries
-- relation found_boundaries, B_disc (specs/term_discovery/zerospeech2015/boundary.yaml)
-- The boundaries of fragments (B_disc): each distinct edge as the nearest phone boundary less than
--   `boundary_tolerance` (30 ms) away. An edge without such a boundary has boundary −1 and its time in
--   `edge`, so that it is an element of the set that is never in B_gold. Taken literally, the published −1
--   would make all such edges one element.
CREATE TABLE "found_boundaries" AS
SELECT "by_fold", file, coalesce(boundary, -1) AS boundary, if(boundary IS NULL, time, -1) AS edge
FROM (
    WITH edges AS (
        SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "scored_fragments"
    ),
    points AS (
        SELECT DISTINCT "by_fold", file, boundary FROM "phone_boundaries"
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

-- ## zerospeech2015.gold_boundaries
-- relation gold_boundaries, B_gold (specs/term_discovery/zerospeech2015/boundary.yaml)
-- The boundaries of words (B_gold): each distinct edge of a word as the nearest phone boundary less than
--   `boundary_tolerance` (30 ms) away. Edges without such a boundary are left out.
CREATE TABLE "gold_boundaries" AS
SELECT "by_fold", file, boundary, -1 AS edge
FROM (
    WITH edges AS (
        SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "fold_words"
    ),
    points AS (
        SELECT DISTINCT "by_fold", file, boundary FROM "phone_boundaries"
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

-- ## zerospeech2015.boundary_scopes
-- metric boundary, slices (specs/term_discovery/zerospeech2015/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. An edge counts as the
--   nearest phone boundary when that is less than boundary_tolerance away, otherwise as an error of its own.
--   Onsets and offsets are not told apart, and several edges at one boundary count once.
--   (zerospeech2017.boundary tells onsets from offsets; tde2015.boundary compares times.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "boundary_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.boundary_units
-- metric boundary, statistics per unit (specs/term_discovery/zerospeech2015/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. An edge counts as the
--   nearest phone boundary when that is less than boundary_tolerance away, otherwise as an error of its own.
--   Onsets and offsets are not told apart, and several edges at one boundary count once.
--   (zerospeech2017.boundary tells onsets from offsets; tde2015.boundary compares times.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "boundary_units" AS
SELECT "by_fold", "file", "boundary", "edge",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_found AND in_gold) AS "both"
FROM (
    SELECT coalesce(found_."by_fold", gold_."by_fold") AS "by_fold", coalesce(found_."file", gold_."file") AS "file", coalesce(found_."boundary", gold_."boundary") AS "boundary", coalesce(found_."edge", gold_."edge") AS "edge",
        found_.in_found IS NOT NULL AS in_found, gold_.in_gold IS NOT NULL AS in_gold
    FROM (SELECT DISTINCT "by_fold", "file", "boundary", "edge", true AS in_found FROM "found_boundaries") AS found_
    FULL JOIN (SELECT DISTINCT "by_fold", "file", "boundary", "edge", true AS in_gold FROM "gold_boundaries") AS gold_
        ON found_."by_fold" IS NOT DISTINCT FROM gold_."by_fold" AND found_."file" = gold_."file" AND found_."boundary" = gold_."boundary" AND found_."edge" = gold_."edge"
) AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.boundary
-- metric boundary, scores (specs/term_discovery/zerospeech2015/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. An edge counts as the
--   nearest phone boundary when that is less than boundary_tolerance away, otherwise as an error of its own.
--   Onsets and offsets are not told apart, and several edges at one boundary count once.
--   (zerospeech2017.boundary tells onsets from offsets; tde2015.boundary compares times.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "boundary" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'all') AS scope,
        json_object('talkers', 'all') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("both"), 0) AS "both"
    FROM (FROM "boundary_units" UNION ALL BY NAME FROM "boundary_scopes")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio("both", found) AS "precision",
    ratio("both", gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."both" = 0 THEN 'both = 0' END), '') AS note
FROM sums;

-- ## zerospeech2015.set_sizes
-- relation set_sizes (specs/term_discovery/zerospeech2015/sizes.yaml)
-- The sizes of all sets that the metrics compare. Each row has the sizes of one set or of two sets that are
--   compared, and the metric `sizes` adds the rows up.
CREATE TABLE "set_sizes" AS
WITH paired AS (
    SELECT "by_fold", file, onset, "offset" FROM "longest_partners" WHERE partner_size IS NOT NULL
    UNION
    SELECT "by_fold", unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]) FROM "near_pairs" WHERE NOT overlap
)
SELECT "by_fold", count(DISTINCT cluster) AS clusters FROM "fold_fragments" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) AS fragments, count(*) FILTER (WHERE text = '') AS fragments_empty FROM "disc_fragments" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) AS fragments_scored FROM "scored_fragments" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", sum(pairs) AS pairs FROM "disc_pairs" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) AS pairs_flat FROM paired GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count_if(found > 0) AS clus_flat, count_if(gold > 0) AS goldclus_flat, count_if("both" > 0) AS clus_goldclus_flat FROM "grouping_fragments" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS star_flat, count(*) FILTER (WHERE in_gold) AS all_flat, count(*) FILTER (WHERE in_both) AS star_all_flat FROM "matching_spans" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", sum(found_ends) // 2 AS clus_pairs, sum(gold_ends) // 2 AS goldclus_pairs, sum(both_ends) // 2 AS clus_goldclus_pairs FROM "grouping_types" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", sum(ends) // 2 AS all_pairs FROM "all_types" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS type_disc, count(*) FILTER (WHERE in_gold) AS type_gold,
    count(*) FILTER (WHERE in_found AND in_gold) AS type_both
FROM (
    SELECT "by_fold", text, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
    FROM (SELECT "by_fold", text, true AS found FROM "scored_fragments" UNION ALL SELECT "by_fold", text, false FROM "gold_fragments")
    GROUP BY ALL
)
GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS token_disc, count(*) FILTER (WHERE in_gold) AS token_gold,
    count(*) FILTER (WHERE in_found AND in_gold) AS token_both
FROM (
    SELECT "by_fold", file, first_phone, last_phone, stray, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
    FROM (SELECT "by_fold", file, first_phone, last_phone, stray, true AS found FROM "scored_fragments" UNION ALL SELECT "by_fold", file, first_phone, last_phone, stray, false FROM "gold_fragments")
    GROUP BY ALL
)
GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) FILTER (WHERE in_found) AS boundary_disc, count(*) FILTER (WHERE in_gold) AS boundary_gold,
    count(*) FILTER (WHERE in_found AND in_gold) AS boundary_both
FROM (
    SELECT "by_fold", file, boundary, edge, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
    FROM (SELECT "by_fold", file, boundary, edge, true AS found FROM "found_boundaries" UNION ALL SELECT "by_fold", file, boundary, edge, false FROM "gold_boundaries")
    GROUP BY ALL
)
GROUP BY ALL;

-- ## zerospeech2015.sizes_scopes
-- metric sizes, slices (specs/term_discovery/zerospeech2015/sizes.yaml)
-- Sizes of the sets that the metrics of the suite compare: numbers of clusters, fragments, pairs, fragments
--   or spans in these pairs (`…_flat`), transcriptions, tokens and boundaries. `…_disc` and `…_gold` are the
--   found and the gold set, `…_both` what they have in common.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "sizes_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.sizes_units
-- metric sizes, statistics per unit (specs/term_discovery/zerospeech2015/sizes.yaml)
-- Sizes of the sets that the metrics of the suite compare: numbers of clusters, fragments, pairs, fragments
--   or spans in these pairs (`…_flat`), transcriptions, tokens and boundaries. `…_disc` and `…_gold` are the
--   found and the gold set, `…_both` what they have in common.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "sizes_units" AS
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
FROM "set_sizes" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.sizes
-- metric sizes, scores (specs/term_discovery/zerospeech2015/sizes.yaml)
-- Sizes of the sets that the metrics of the suite compare: numbers of clusters, fragments, pairs, fragments
--   or spans in these pairs (`…_flat`), transcriptions, tokens and boundaries. `…_disc` and `…_gold` are the
--   found and the gold set, `…_both` what they have in common.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "sizes" AS
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
    FROM (FROM "sizes_units" UNION ALL BY NAME FROM "sizes_scopes")
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

-- ## zerospeech2015.member_verdicts
-- relation member_verdicts (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: one row for each member of a cluster, with its transcription and the verdicts of the metrics on
--   it; times in seconds. With talkers = within the verdicts are NULL for a member that is in no pair of one
--   talker, because it is not scored.
CREATE TABLE "member_verdicts" AS
WITH labelled AS (
    SELECT "by_fold", text, string_agg(label, ' ' ORDER BY place) AS transcription
    FROM (
        SELECT *, unnest(range(1, length(text) + 1)) AS place
        FROM (SELECT DISTINCT "by_fold", text FROM "disc_fragments")
    ) AS type_
    JOIN "phone_codes" AS code_ ON substring(text, place, 1) = code_.code
    GROUP BY ALL
),
spans AS (
    SELECT "by_fold", file, onset, "offset", count(*) AS spans_found, count(*) FILTER (WHERE in_both) AS spans_matched
    FROM (SELECT DISTINCT "by_fold", file, onset, "offset", phone, size FROM "disc_subspans")
    JOIN "matching_spans" USING ("by_fold", file, phone, size)
    WHERE in_found
    GROUP BY ALL
),
edges AS (
    WITH edges AS (
        SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "scored_fragments"
    ),
    points AS (
        SELECT DISTINCT "by_fold", file, boundary FROM "phone_boundaries"
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
    SELECT DISTINCT "by_fold", file, time FROM edges JOIN "gold_boundaries" USING ("by_fold", file, boundary)
),
verdicts AS (
    SELECT "by_fold", file, onset, "offset", text,
        coalesce(found > 0, false) AS has_mate, coalesce(gold > 0, false) AS has_partner, coalesce("both" > 0, false) AS grouping_hit,
        coalesce(spans_found, 0) AS spans_found, coalesce(spans_matched, 0) AS spans_matched,
        ("by_fold", text) IN (SELECT ("by_fold", text) FROM "gold_fragments") AS type_hit,
        ("by_fold", file, first_phone, last_phone) IN (SELECT ("by_fold", file, first_phone, last_phone) FROM "gold_fragments") AS token_hit,
        ("by_fold", file, onset) IN (FROM hit_edges) AS onset_hit,
        ("by_fold", file, "offset") IN (FROM hit_edges) AS offset_hit
    FROM "scored_fragments"
    LEFT JOIN "grouping_fragments" USING ("by_fold", file, onset, "offset", text)
    LEFT JOIN spans USING ("by_fold", file, onset, "offset")
)
SELECT "by_fold", cluster, file, onset / 1e6 AS onset, "offset" / 1e6 AS "offset", coalesce(transcription, '') AS transcription,
    length(text) AS length, has_mate, has_partner, grouping_hit, spans_found, spans_matched, type_hit, token_hit, onset_hit, offset_hit
FROM "fold_fragments"
LEFT JOIN verdicts USING ("by_fold", file, onset, "offset")
LEFT JOIN labelled USING ("by_fold", text);

-- ## zerospeech2015.cluster_purity
-- relation cluster_purity (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: one row for each cluster, with the number of its members, the number of their distinct
--   transcriptions and its purity, the fraction of its members that have its most frequent transcription.
CREATE TABLE "cluster_purity" AS
SELECT "by_fold", cluster, count(*) AS members, count(DISTINCT text) AS types, max(same) / count(*) AS purity
FROM (
    SELECT "by_fold", cluster, text, count(*) OVER (PARTITION BY "by_fold", cluster, text) AS same
    FROM "fold_fragments"
    JOIN "disc_fragments" USING ("by_fold", file, onset, "offset")
)
GROUP BY ALL;

-- ## zerospeech2015.matching_verdicts
-- relation matching_verdicts (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: one row for each transcription of sub-spans, in phone labels, with the number of spans and of
--   ends of pairs that it labels in P_disc* (found), P_all (gold) and both.
CREATE TABLE "matching_verdicts" AS
WITH labelled AS (
    SELECT "by_fold", text, string_agg(label, ' ' ORDER BY place) AS transcription
    FROM (
        SELECT *, unnest(range(1, length(text) + 1)) AS place
        FROM (SELECT DISTINCT "by_fold", text FROM "matching_types")
    ) AS type_
    JOIN "phone_codes" AS code_ ON substring(text, place, 1) = code_.code
    GROUP BY ALL
),
of_both AS (
    SELECT "by_fold", text, count(*) AS both_spans
    FROM "matching_spans"
    JOIN "disc_spans" USING ("by_fold", file, phone, size)
    WHERE in_both
    GROUP BY ALL
)
SELECT "by_fold", coalesce(transcription, '') AS transcription, length(text) AS length, found_spans, gold_spans,
    coalesce(both_spans, 0) AS both_spans, found_ends, gold_ends, both_ends
FROM "matching_types"
LEFT JOIN labelled USING ("by_fold", text)
LEFT JOIN of_both USING ("by_fold", text);

-- ## zerospeech2015.grouping_verdicts
-- relation grouping_verdicts (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: one row for each transcription of fragments, in phone labels, with the number of fragments and of
--   ends of pairs that it labels in P_clus (found), P_goldclus (gold) and both.
CREATE TABLE "grouping_verdicts" AS
WITH labelled AS (
    SELECT "by_fold", text, string_agg(label, ' ' ORDER BY place) AS transcription
    FROM (
        SELECT *, unnest(range(1, length(text) + 1)) AS place
        FROM (SELECT DISTINCT "by_fold", text FROM "grouping_types")
    ) AS type_
    JOIN "phone_codes" AS code_ ON substring(text, place, 1) = code_.code
    GROUP BY ALL
),
of_both AS (
    SELECT "by_fold", text, count(*) AS both_spans FROM "grouping_fragments" WHERE "both" > 0 GROUP BY ALL
)
SELECT "by_fold", coalesce(transcription, '') AS transcription, length(text) AS length, found_spans, gold_spans,
    coalesce(both_spans, 0) AS both_spans, found_ends, gold_ends, both_ends
FROM "grouping_types"
LEFT JOIN labelled USING ("by_fold", text)
LEFT JOIN of_both USING ("by_fold", text);

-- ## zerospeech2015.the_scores
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "ned")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'pairs', 'value': "pairs"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "ned" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "coverage")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "coverage" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "matching")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "matching" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "matching_pairs")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "matching_pairs" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "grouping")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "grouping" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "grouping_pairs")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "grouping_pairs" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "type")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "type" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "token")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "token" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "boundary")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "boundary" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "sizes")) AS fold_count
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
        FROM (FROM "sizes" UNION ALL BY NAME SELECT json_object('talkers', 'all') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

-- ## zerospeech2017.Suite_zerospeech2017
-- Suite zerospeech2017: The metrics of the ZeroSpeech Challenge 2017, with the values that its evaluator
--   tdev2 2.0.2 reports. The whole corpus is scored once, unless folds are given.
-- Scores: ned, coverage, grouping, type, token, boundary, sizes
-- Inputs: phones, words, fragments, utterances, folds, talkers
-- Relations, in the order in which they are made: phone_codes, file_talkers, fold_fragments, fold_phones,
--   phone_tokens, fragment_spans, phone_strings, fragment_texts, cluster_members, cluster_types,
--   cluster_pairs, phone_coverage, distinct_spans, span_partners, member_partners, clustered_spans,
--   span_sets, fragment_keys, grouping_tokens, fold_words, word_tokens, fragment_words, type_outcomes,
--   token_outcomes, boundary_outcomes, submission_sizes, transcriptions, fragment_verdicts, cluster_scores
-- Then, for each metric: its statistics per unit, their sums, and the components over the sums.

-- ## zerospeech2017.remark
-- Note of the table scores on a component with the value x: why x is undefined, or that x is infinite. A defined, finite x has a note only if the kind says in how many units it is defined ("defined in 3 of 4 …").
CREATE OR REPLACE MACRO remark(x, note) AS (
    CASE
    WHEN x IS NULL THEN concat('undefined', ': ' || note)
    WHEN isnan(x) THEN 'undefined: not a number'
    WHEN isinf(x) THEN if(x > 0, 'infinite', 'minus infinite')
    WHEN note LIKE 'defined in%' THEN note
    END
);

-- ## zerospeech2017.phones
-- input phones (specs/term_discovery/tables.yaml): One row per phone token of the corpus, from a forced
--   alignment. A line given twice counts once.
CREATE TABLE IF NOT EXISTS "phones" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- ## zerospeech2017.fold_fragments
-- relation fold_fragments (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The fragments as submitted, one row for each line of the submission, with the talker of the file. With
--   folds, the fragments of each fold: those whose midpoint lies in an interval of the fold. With talkers =
--   within every cluster is split by talker: the members of cluster 7 that are of talker A form the cluster
--   `7 (A)`. Left out are members whose talker is unknown and members without another member of their talker
--   in the cluster, because they are in no pair of one talker.
CREATE TABLE "fold_fragments" AS
SELECT row_.*, talker
FROM "fragments" AS row_
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file;

-- ## zerospeech2017.fold_phones
-- relation fold_phones (specs/term_discovery/zerospeech2017/corpus.yaml)
-- The phone tokens of the corpus, each with the talker of its file. With folds, the phone tokens of each
--   fold: those whose midpoint lies in an interval of the fold.
CREATE TABLE "fold_phones" AS
SELECT row_.*, talker
FROM "phones" AS row_
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file;

-- ## zerospeech2017.phone_tokens
-- relation phone_tokens (specs/term_discovery/zerospeech2017/corpus.yaml)
-- The phone tokens of the corpus or fold, numbered from 1 within their file by onset and offset. `silent`
--   marks the labels that the parameter `silence` lists; coverage leaves them out.
CREATE TABLE "phone_tokens" AS
SELECT file, onset, "offset", label, code, label IN ['SIL', 'SPN']::VARCHAR[] AS silent,
    row_number() OVER (PARTITION BY file ORDER BY onset, "offset") AS phone
FROM "fold_phones"
JOIN "phone_codes" USING (label);

-- ## zerospeech2017.fragment_spans
-- relation fragment_spans, F_disc (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The distinct fragments (F_disc) as spans of phones, from `first_phone` to `last_phone`, by the edge rule of
--   tdev2; NULL where the rule keeps no phone. A fragment contains all phones with which it shares time. Only
--   the first and the last of them are tested. A phone of 2 × `edge_time` (60 ms) or more is kept when at
--   least `edge_time` (30 ms) of it is covered, a shorter phone when at least `edge_fraction` (50 %) of it is
--   covered. Of a phone of 80 ms, 30 ms are enough; of a phone of 40 ms, 20 ms. A fragment within one phone
--   is tested once. tdev2 computes in binary64 and rounds durations to milliseconds before it compares them.
--   A duration is 30 ms or more after rounding when it is more than 29.5 ms; this is the half millisecond in
--   the conditions.
CREATE TABLE "fragment_spans" AS
WITH intervals AS (
    SELECT DISTINCT file, onset, "offset" FROM "fold_fragments"
),
overlapped AS (
    SELECT interval_.*,
        first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
        last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
    FROM intervals AS interval_
    ASOF LEFT JOIN "phone_tokens" AS first_
        ON interval_.file = first_.file
        AND interval_.onset < first_."offset"
    ASOF LEFT JOIN "phone_tokens" AS last_
        ON interval_.file = last_.file
        AND interval_."offset" > last_.onset
),
trimmed AS (
    SELECT * REPLACE (
        if(CASE WHEN first_offset - first_onset > 2 * 0.03e0 - 0.0005e0
     THEN least("offset", first_offset) - greatest(onset, first_onset) > 0.03e0 - 0.0005e0
     ELSE (least("offset", first_offset) - greatest(onset, first_onset))
        / (first_offset - first_onset) >= 0.5e0
END, first_phone, first_phone + 1) AS first_phone,
        -- where first and last are one phone, the first test decides
        if(first_phone = last_phone OR CASE WHEN last_offset - last_onset > 2 * 0.03e0 - 0.0005e0
     THEN least("offset", last_offset) - greatest(onset, last_onset) > 0.03e0 - 0.0005e0
     ELSE (least("offset", last_offset) - greatest(onset, last_onset))
        / (last_offset - last_onset) >= 0.5e0
END, last_phone, last_phone - 1) AS last_phone)
    FROM overlapped
    WHERE first_phone <= last_phone
)
SELECT intervals.*, first_phone, last_phone
FROM intervals
LEFT JOIN (FROM trimmed WHERE first_phone <= last_phone) USING (file, onset, "offset");

-- ## zerospeech2017.phone_strings
-- relation phone_strings (specs/term_discovery/zerospeech2017/corpus.yaml)
-- For each phone token its onset and a string of up to 16 codes: its code and the codes of the 15 phones
--   after it in the file. The transcription of a span of n phones, n ≤ 16, is the first n characters of the
--   string at its first phone. No characters have to be aggregated for each fragment.
CREATE TABLE "phone_strings" AS
WITH one AS (SELECT file, phone, onset, code AS codes FROM "phone_tokens"),
two AS (
    SELECT * REPLACE (codes || coalesce(lead(codes, 1) OVER in_file, '') AS codes)
    FROM one
    WINDOW in_file AS (PARTITION BY file ORDER BY phone)
),
four AS (
    SELECT * REPLACE (codes || coalesce(lead(codes, 2) OVER in_file, '') AS codes)
    FROM two
    WINDOW in_file AS (PARTITION BY file ORDER BY phone)
),
eight AS (
    SELECT * REPLACE (codes || coalesce(lead(codes, 4) OVER in_file, '') AS codes)
    FROM four
    WINDOW in_file AS (PARTITION BY file ORDER BY phone)
)
SELECT * REPLACE (codes || coalesce(lead(codes, 8) OVER in_file, '') AS codes)
FROM eight
WINDOW in_file AS (PARTITION BY file ORDER BY phone);

-- ## zerospeech2017.fragment_texts
-- relation fragment_texts, F_disc, T (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The distinct fragments that have a transcription T: their span of phones, T as a string of codes, the onset
--   of the first and the offset of the last phone. A fragment without a phone that the edge rule keeps has no
--   row.
CREATE TABLE "fragment_texts" AS
WITH transcribed AS (
    SELECT span_."file", span_."onset", span_."offset", span_."first_phone", span_."last_phone", string_.onset AS first_onset,
        left(string_.codes, (last_phone - first_phone + 1)::INTEGER) || coalesce(tail_.codes, '') AS text
    FROM "fragment_spans" AS span_
    LEFT JOIN (
        SELECT long_."file", long_."onset", long_."offset", long_."first_phone", long_."last_phone",
            string_agg(left(string_.codes, (last_phone - piece + 1)::INTEGER), '' ORDER BY piece) AS codes
        FROM (
            SELECT *, unnest(range(first_phone + 16, last_phone + 1, 16)) AS piece
            FROM "fragment_spans"
            WHERE last_phone - first_phone >= 16
        ) AS long_
        JOIN "phone_strings" AS string_
            ON long_.file = string_.file
            AND long_.piece = string_.phone
        GROUP BY ALL
    ) AS tail_ USING ("file", "onset", "offset", "first_phone", "last_phone")
    JOIN "phone_strings" AS string_
        ON span_.file = string_.file
        AND span_.first_phone = string_.phone
    WHERE first_phone <= last_phone
)
SELECT transcribed.*, last_."offset" AS last_offset
FROM transcribed
JOIN "phone_tokens" AS last_
    ON last_.file = transcribed.file
    AND last_.phone = transcribed.last_phone;

-- ## zerospeech2017.cluster_members
-- relation cluster_members, C_disc (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The clusters (C_disc), one row for each member of a cluster, with its span of phones and its transcription.
--   A fragment that a cluster lists twice has two rows, because tdev2 counts pairs of lines. Members without
--   a transcription have no row.
CREATE TABLE "cluster_members" AS
SELECT cluster, file, onset, "offset", first_phone, last_phone, text
FROM "fold_fragments"
JOIN "fragment_texts" USING (file, onset, "offset");

-- ## zerospeech2017.cluster_types
-- relation cluster_types (specs/term_discovery/zerospeech2017/ned.yaml)
-- The distinct transcriptions of each cluster, with the number of members that have each. Labels that the
--   parameter `unaligned` lists (SIL) are removed first, as tdev2 does before it computes edit distances.
CREATE TABLE "cluster_types" AS
WITH left_out AS (
    SELECT coalesce(string_agg(code, ''), '') AS codes FROM "phone_codes" WHERE label IN ['SIL']::VARCHAR[]
)
SELECT cluster, translate(text, codes, '') AS text, count(*) AS members
FROM "cluster_members", left_out
GROUP BY ALL;

-- ## zerospeech2017.cluster_pairs
-- relation cluster_pairs, P_disc (specs/term_discovery/zerospeech2017/ned.yaml)
-- The number of pairs of members of a cluster (P_disc) at each edit distance and length of the longer
--   transcription. By definition, n members are n·(n − 1)/2 pairs, and each is compared. Here each two
--   distinct transcriptions t and u are compared once and stand for n_t·n_u pairs. The n_t·(n_t − 1)/2 pairs
--   of members with the same transcription are at distance 0. The members `ab`, `ab` and `ac` are two pairs
--   at distance 1 and one pair at distance 0. The work grows with the members of a cluster and with the
--   square of its distinct transcriptions.
-- "cluster_pairs_rows" is what the Python function pairwise_edit_distance makes of the rows of
--   SELECT cluster, text, members AS weight
--   FROM "cluster_types"
--   ORDER BY cluster
CREATE TABLE "cluster_pairs" AS
SELECT cluster, distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT cluster, distance, length, weight AS pairs
    FROM "cluster_pairs_rows"
    UNION ALL
    SELECT cluster, 0, length(text), members * (members - 1) // 2
    FROM "cluster_types"
    WHERE members > 1
)
GROUP BY ALL;

-- ## zerospeech2017.ned_units
-- metric ned, statistics per unit (specs/term_discovery/zerospeech2017/ned.yaml)
-- Normalised edit distance (NED): the mean, over all pairs of members of all clusters, of the edit distance
--   of the two transcriptions divided by the number of phones of the longer one. 0 means that all members of
--   every cluster have the same transcription, 1 is the largest value. A pair counts once per cluster, and
--   overlapping members are pairs; zerospeech2015.ned counts distinct pairs that do not overlap.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "ned_units" AS
SELECT "cluster",
    exact_sum((if(length = 0, 1, distance / length)) * (pairs)) AS "total",
    sum(pairs) FILTER (WHERE (if(length = 0, 1, distance / length)) IS NOT NULL) AS "pairs"
FROM "cluster_pairs" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.ned
-- metric ned, scores (specs/term_discovery/zerospeech2017/ned.yaml)
-- Normalised edit distance (NED): the mean, over all pairs of members of all clusters, of the edit distance
--   of the two transcriptions divided by the number of phones of the longer one. 0 means that all members of
--   every cluster have the same transcription, 1 is the largest value. A pair counts once per cluster, and
--   overlapping members are pairs; zerospeech2015.ned counts distinct pairs that do not overlap.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "ned" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("total"), 0) AS "total",
        coalesce(sum("pairs"), 0) AS "pairs"
    FROM "ned_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(total, pairs) AS "value",
    pairs AS "pairs",
    nullif(concat_ws(', ', CASE WHEN sums."total" = 0 THEN 'total = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END), '') AS note
FROM sums;

-- ## zerospeech2017.phone_coverage
-- relation phone_coverage, cover(P_disc) (specs/term_discovery/zerospeech2017/coverage.yaml)
-- The phone tokens. `covered`: the phone is in the transcription of some fragment. By definition a phone is
--   covered when some span of a fragment has first_phone ≤ phone ≤ last_phone. Here no spans are compared
--   with phones: the maximum of last_phone over all spans that begin at the phone or before it must reach the
--   phone. With the spans 1–3 and 2–2 the maximum is 3 from phone 1 on, so that phones 1 to 3 are covered and
--   phone 4 is not.
CREATE TABLE "phone_coverage" AS
WITH reach AS (
    SELECT file, first_phone AS phone, max(last_phone) AS last_phone
    FROM "fragment_texts"
    GROUP BY ALL
)
SELECT file, onset, "offset", label, silent,
    coalesce(max(last_phone) OVER (PARTITION BY file ORDER BY phone) >= phone, false) AS covered
FROM "phone_tokens"
LEFT JOIN reach USING (file, phone);

-- ## zerospeech2017.coverage_units
-- metric coverage, statistics per unit (specs/term_discovery/zerospeech2017/coverage.yaml)
-- Coverage: number of phone tokens in the transcription of some fragment, divided by the number of phone
--   tokens of the corpus, both without silence. Members of clusters of one count too.
--   (zerospeech2015.coverage and tde2015.coverage divide durations, by those of recurring speech only.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "coverage_units" AS
SELECT "file",
    count(*) FILTER (WHERE covered) AS "numerator",
    count(*) AS "denominator"
FROM "phone_coverage" AS counted_rows
WHERE NOT silent
GROUP BY ALL;

-- ## zerospeech2017.coverage
-- metric coverage, scores (specs/term_discovery/zerospeech2017/coverage.yaml)
-- Coverage: number of phone tokens in the transcription of some fragment, divided by the number of phone
--   tokens of the corpus, both without silence. Members of clusters of one count too.
--   (zerospeech2015.coverage and tde2015.coverage divide durations, by those of recurring speech only.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
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

-- ## zerospeech2017.distinct_spans
-- relation distinct_spans (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of phones that fragments have, with their transcription. Several fragments can have one
--   span: `onset` is the latest of their onsets, `offset` the earliest of their offsets. With these, "some
--   fragment of span A ends before some fragment of span B begins" is A.offset ≤ B.onset.
CREATE TABLE "distinct_spans" AS
SELECT file, first_phone, last_phone, text, first_onset, last_offset, max(onset) AS onset, min("offset") AS "offset"
FROM "fragment_texts"
GROUP BY ALL;

-- ## zerospeech2017.span_partners
-- relation span_partners (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of fragments. `in_gold`: a fragment anywhere in the submission has the same
--   transcription and shares no time with a fragment of this span, so that the span is in flat(P_goldclus).
--   With talkers = within only fragments of the same talker count.
CREATE TABLE "span_partners" AS
SELECT file, first_phone, last_phone, text, has_partner AS in_gold
FROM (
    SELECT fragment_.*, files > 1 OR earliest_offset <= onset OR latest_onset >= "offset" AS has_partner
    FROM "distinct_spans" AS fragment_
    JOIN (
        SELECT text, file, min("offset") AS earliest_offset, max(onset) AS latest_onset,
            count(*) OVER (PARTITION BY text) AS files
        FROM "distinct_spans"
        GROUP BY text, file
    ) USING (text, file)
);

-- ## zerospeech2017.member_partners
-- relation member_partners (specs/term_discovery/zerospeech2017/grouping.yaml)
-- One row for each member of a cluster. `has_partner`: another member of the cluster has the same
--   transcription and shares no time with it, so that the two are a pair of P_clus ∩ P_goldclus.
CREATE TABLE "member_partners" AS
SELECT cluster, file, first_phone, last_phone, has_partner
FROM (
    SELECT fragment_.*, files > 1 OR earliest_offset <= onset OR latest_onset >= "offset" AS has_partner
    FROM "cluster_members" AS fragment_
    JOIN (
        SELECT cluster, text, file, min("offset") AS earliest_offset, max(onset) AS latest_onset,
            count(*) OVER (PARTITION BY cluster, text) AS files
        FROM "cluster_members"
        GROUP BY cluster, text, file
    ) USING (cluster, text, file)
);

-- ## zerospeech2017.clustered_spans
-- relation clustered_spans (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of members of clusters. `in_found`: a fragment with the span is in a cluster of two or
--   more members, so that the span is in flat(P_clus). `in_both`: such a fragment has a partner of equal
--   transcription in its cluster, so that the span is in flat(P_clus ∩ P_goldclus).
CREATE TABLE "clustered_spans" AS
WITH sizes AS (
    SELECT cluster, count(*) > 1 AS has_mate FROM "member_partners" GROUP BY ALL
)
SELECT file, first_phone, last_phone, bool_or(has_mate) AS in_found, bool_or(has_partner) AS in_both
FROM "member_partners"
JOIN sizes USING (cluster)
GROUP BY ALL;

-- ## zerospeech2017.span_sets
-- relation span_sets (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of members of clusters, with the sets of pairs in which each occurs: P_clus (found),
--   P_goldclus (gold) and their intersection (both).
CREATE TABLE "span_sets" AS
SELECT file, first_phone, last_phone, text, in_found, in_gold, in_both
FROM "span_partners"
JOIN "clustered_spans" USING (file, first_phone, last_phone);

-- ## zerospeech2017.fragment_keys
-- relation fragment_keys (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The token that each span of a fragment counts as in grouping. `token_file` and `token_phone` name the span
--   that represents the token. With same_token = span every span is a token. With same_token = times spans
--   whose phones have the same labels and the same times are one token, even in different files; the first
--   span by file and phone represents it. That is what tdev2 does, because its tokens do not contain the
--   file. The phones `a b` at 0.0 to 0.1 and 0.1 to 0.2 s in the files x and y are one token with times and
--   two with span.
CREATE TABLE "fragment_keys" AS
WITH suspects AS (
    SELECT text, first_onset, last_offset FROM "distinct_spans" GROUP BY ALL HAVING count(*) > 1
),
timed AS (
    SELECT span_.file, first_phone, last_phone, text,
        string_agg(concat(phone_.onset, ' ', phone_."offset"), ',' ORDER BY phone_.phone) AS times
    FROM (
        SELECT *, unnest(range(first_phone, last_phone + 1)) AS phone
        FROM "distinct_spans"
        SEMI JOIN suspects USING (text, first_onset, last_offset)
    ) AS span_
    JOIN "phone_tokens" AS phone_
        ON span_.file = phone_.file
        AND span_.phone = phone_.phone
    GROUP BY ALL
),
same AS (
    SELECT file, first_phone, last_phone,
        first_value(file) OVER alike AS token_file, first_value(first_phone) OVER alike AS token_phone
    FROM timed
    WINDOW alike AS (PARTITION BY text, times ORDER BY file, first_phone)
)
SELECT file, first_phone, last_phone,
    coalesce(token_file, file) AS token_file, coalesce(token_phone, first_phone) AS token_phone
FROM "distinct_spans"
LEFT JOIN same USING (file, first_phone, last_phone);

-- ## zerospeech2017.grouping_tokens
-- relation grouping_tokens, flat(P_clus), flat(P_goldclus)
--   (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct tokens of fragments, with the sets of pairs in which each occurs: P_clus (found), P_goldclus
--   (gold) and their intersection (both). A token occurs in a set when one of its spans does. Grouping
--   precision is both / found, recall is both / gold.
CREATE TABLE "grouping_tokens" AS
SELECT text, token_file, token_phone,
    bool_or(in_found) AS in_found, bool_or(in_gold) AS in_gold, bool_or(in_both) AS in_both
FROM "span_sets"
JOIN "fragment_keys" USING (file, first_phone, last_phone)
GROUP BY ALL;

-- ## zerospeech2017.grouping_units
-- metric grouping, statistics per unit (specs/term_discovery/zerospeech2017/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. Fragments with the same phones at the same times count once, as
--   one token. (zerospeech2015.grouping counts every fragment; zerospeech2015.grouping_pairs counts pairs.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "grouping_units" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_both) AS "hits"
FROM "grouping_tokens" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.grouping
-- metric grouping, scores (specs/term_discovery/zerospeech2017/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. Fragments with the same phones at the same times count once, as
--   one token. (zerospeech2015.grouping counts every fragment; zerospeech2015.grouping_pairs counts pairs.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "grouping" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "grouping_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- ## zerospeech2017.fold_words
-- relation fold_words (specs/term_discovery/zerospeech2017/corpus.yaml)
-- The word tokens of the corpus, each with the talker of its file. With folds, the word tokens of each fold:
--   those whose midpoint lies in an interval of the fold.
CREATE TABLE "fold_words" AS
SELECT row_.*, talker
FROM "words" AS row_
LEFT JOIN "file_talkers" AS talker_ ON talker_.file = row_.file;

-- ## zerospeech2017.word_tokens
-- relation word_tokens, F_goldLex (specs/term_discovery/zerospeech2017/corpus.yaml)
-- The word tokens (F_goldLex), numbered from 1 within their file, each with its transcription: the codes of
--   all phones with which it shares time. tdev2 drops no phone at the edges of a word. `reach` is the latest
--   offset of the words up to this one. Words may overlap, so that offsets can fall from one word to the
--   next; `reach` does not, and fragment_words searches in it.
CREATE TABLE "word_tokens" AS
WITH tokens AS (
    SELECT file, onset, "offset", label,
        row_number() OVER (PARTITION BY file ORDER BY onset, "offset", label) AS word,
        max("offset") OVER (PARTITION BY file ORDER BY onset, "offset", label) AS reach
    FROM "fold_words"
    WHERE label NOT IN ['SIL']::VARCHAR[]
),
overlapped AS (
    SELECT interval_.*,
        first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
        last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
    FROM tokens AS interval_
    ASOF LEFT JOIN "phone_tokens" AS first_
        ON interval_.file = first_.file
        AND interval_.onset < first_."offset"
    ASOF LEFT JOIN "phone_tokens" AS last_
        ON interval_.file = last_.file
        AND interval_."offset" > last_.onset
),
transcribed AS (
    SELECT span_."file", span_."word", string_.onset AS first_onset,
        left(string_.codes, (last_phone - first_phone + 1)::INTEGER) || coalesce(tail_.codes, '') AS text
    FROM overlapped AS span_
    LEFT JOIN (
        SELECT long_."file", long_."word",
            string_agg(left(string_.codes, (last_phone - piece + 1)::INTEGER), '' ORDER BY piece) AS codes
        FROM (
            SELECT *, unnest(range(first_phone + 16, last_phone + 1, 16)) AS piece
            FROM overlapped
            WHERE last_phone - first_phone >= 16
        ) AS long_
        JOIN "phone_strings" AS string_
            ON long_.file = string_.file
            AND long_.piece = string_.phone
        GROUP BY ALL
    ) AS tail_ USING ("file", "word")
    JOIN "phone_strings" AS string_
        ON span_.file = string_.file
        AND span_.first_phone = string_.phone
    WHERE first_phone <= last_phone
)
SELECT tokens.*, transcribed.text
FROM tokens
LEFT JOIN transcribed USING (file, word);

-- ## zerospeech2017.fragment_words
-- relation fragment_words (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The distinct fragments that have a transcription, each with its word. Of every word that shares time with
--   the fragment, a fraction is covered; the word with the largest fraction counts, the earliest of equals.
--   `hit`: fragment and word have the same transcription. `credited`: the fragment is the first hit of its
--   word by time; further hits of the word count as false alarms. Words may overlap or contain each other, so
--   that the words that share time with a fragment are searched in a range of word numbers. The range begins
--   with the first word whose `reach`, the latest offset so far, is after the onset of the fragment. It ends
--   with the last word that begins before the offset of the fragment.
CREATE TABLE "fragment_words" AS
-- words can have `reach` or `onset` in common: the lowest number begins the range, the highest ends it
WITH reaching AS (
    SELECT file, reach, min(word) AS word FROM "word_tokens" GROUP BY ALL
),
beginning AS (
    SELECT file, onset, max(word) AS word FROM "word_tokens" GROUP BY ALL
),
candidates AS (
    SELECT fragment_."file", fragment_."onset", fragment_."offset", unnest(range(first_.word, last_.word + 1)) AS word
    FROM "fragment_texts" AS fragment_
    ASOF JOIN reaching AS first_
        ON fragment_.file = first_.file
        AND fragment_.onset < first_.reach
    ASOF JOIN beginning AS last_
        ON fragment_.file = last_.file
        AND fragment_."offset" > last_.onset
),
chosen AS (
    SELECT candidate_."file", candidate_."onset", candidate_."offset",
        arg_max(candidate_.word, (
            (least(candidate_."offset", word_."offset") - greatest(candidate_.onset, word_.onset))
                / (word_."offset" - word_.onset),
            -candidate_.word)) AS word
    FROM candidates AS candidate_
    JOIN "word_tokens" AS word_
        ON candidate_.file = word_.file
        AND candidate_.word = word_.word
    WHERE candidate_.onset < word_."offset" AND candidate_."offset" > word_.onset
    GROUP BY ALL
),
matched AS (
    SELECT fragment_.*, word_.word, word_.onset AS word_onset, word_."offset" AS word_offset,
        word_.label AS word_label, coalesce(fragment_.text = word_.text, false) AS hit
    FROM "fragment_texts" AS fragment_
    LEFT JOIN chosen USING ("file", "onset", "offset")
    LEFT JOIN "word_tokens" AS word_
        ON fragment_.file = word_.file
        AND chosen.word = word_.word
)
SELECT *, hit AND row_number() OVER (PARTITION BY file, word, hit ORDER BY onset, "offset") = 1 AS credited
FROM matched;

-- ## zerospeech2017.type_outcomes
-- relation type_outcomes (specs/term_discovery/zerospeech2017/type.yaml)
-- The distinct transcriptions of fragments (`in_found`) and the distinct words (`in_gold`). `hit`: some
--   fragment has the transcription, and so has its word (fragment_words). As in tdev2, precision counts
--   transcriptions and recall counts spellings. Two words with one pronunciation are one possible hit but two
--   words, so that recall can stay below 1.
CREATE TABLE "type_outcomes" AS
SELECT text AS type, true AS in_found, false AS in_gold, bool_or(hit) AS hit
FROM "fragment_words"
GROUP BY ALL
UNION ALL
SELECT DISTINCT label AS type, false AS in_found, true AS in_gold, false AS hit
FROM "word_tokens";

-- ## zerospeech2017.type_units
-- metric type, statistics per unit (specs/term_discovery/zerospeech2017/type.yaml)
-- Type precision, recall and F: distinct transcriptions of fragments against distinct labels of words. A
--   transcription is right when a fragment that has it also has the transcription of the word of which it
--   covers the largest fraction. Precision counts strings of phones and recall divides by spellings, as in
--   tdev2. (zerospeech2015.type takes transcriptions on both sides.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "type_units" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "type_outcomes" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.type
-- metric type, scores (specs/term_discovery/zerospeech2017/type.yaml)
-- Type precision, recall and F: distinct transcriptions of fragments against distinct labels of words. A
--   transcription is right when a fragment that has it also has the transcription of the word of which it
--   covers the largest fraction. Precision counts strings of phones and recall divides by spellings, as in
--   tdev2. (zerospeech2015.type takes transcriptions on both sides.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "type" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "type_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- ## zerospeech2017.token_outcomes
-- relation token_outcomes (specs/term_discovery/zerospeech2017/token.yaml)
-- The distinct fragments and the word tokens as hits, false alarms and misses. A word and the fragment that
--   is credited for it (fragment_words) are one hit. Every other fragment is a false alarm, shown with the
--   word that it overlaps most. Every other word is a miss.
CREATE TABLE "token_outcomes" AS
SELECT file, fragment_.onset, fragment_."offset",
    coalesce(fragment_.length, length(word_.text)) AS length,
    coalesce(word_.onset, fragment_.word_onset) AS word_onset,
    coalesce(word_."offset", fragment_.word_offset) AS word_offset,
    coalesce(word_.label, fragment_.word_label) AS word_label,
    CASE WHEN word_.word IS NULL THEN 'false alarm' WHEN fragment_.onset IS NULL THEN 'miss' ELSE 'hit' END AS outcome
FROM (
    SELECT *, length(text) AS length, if(credited, word, NULL) AS hit_word FROM "fragment_words"
) AS fragment_
FULL JOIN (SELECT *, word AS hit_word FROM "word_tokens") AS word_
    USING (file, hit_word);

-- ## zerospeech2017.token_units
-- metric token, statistics per unit (specs/term_discovery/zerospeech2017/token.yaml)
-- Token precision, recall and F: fragments against word tokens. A fragment is held against the word of which
--   it covers the largest fraction, and is right when their transcriptions are equal; each word counts as
--   found once. (zerospeech2015.token compares the phones themselves, not their labels.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "token_units" AS
SELECT "file",
    count(*) FILTER (WHERE outcome <> 'miss') AS "found",
    count(*) FILTER (WHERE outcome <> 'false alarm') AS "gold",
    count(*) FILTER (WHERE outcome = 'hit') AS "hits"
FROM "token_outcomes" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.token
-- metric token, scores (specs/term_discovery/zerospeech2017/token.yaml)
-- Token precision, recall and F: fragments against word tokens. A fragment is held against the word of which
--   it covers the largest fraction, and is right when their transcriptions are equal; each word counts as
--   found once. (zerospeech2015.token compares the phones themselves, not their labels.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "token" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "token_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- ## zerospeech2017.boundary_outcomes
-- relation boundary_outcomes, B_disc, B_gold (specs/term_discovery/zerospeech2017/boundary.yaml)
-- The distinct boundaries (file, time) of fragments, B_disc, and of words, B_gold. The boundaries of a
--   fragment are the onset of its first and the offset of its last phone. `hit`: the point is an onset on
--   both sides or an offset on both sides. A fragment that ends where a word begins is no hit there, unless a
--   word also ends there.
CREATE TABLE "boundary_outcomes" AS
SELECT file, time,
    bool_or(side = 'found') AS in_found,
    bool_or(side = 'gold') AS in_gold,
    bool_or(side = 'found' AND kind = 'onset') AND bool_or(side = 'gold' AND kind = 'onset')
        OR bool_or(side = 'found' AND kind = 'offset') AND bool_or(side = 'gold' AND kind = 'offset') AS hit
FROM (
    SELECT file, first_onset AS time, 'found' AS side, 'onset' AS kind FROM "fragment_texts"
    UNION ALL
    SELECT file, last_offset, 'found', 'offset' FROM "fragment_texts"
    UNION ALL
    SELECT file, onset, 'gold', 'onset' FROM "word_tokens"
    UNION ALL
    SELECT file, "offset", 'gold', 'offset' FROM "word_tokens"
)
GROUP BY ALL;

-- ## zerospeech2017.boundary_units
-- metric boundary, statistics per unit (specs/term_discovery/zerospeech2017/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. The edges of a
--   fragment are those of its first and last phone, and an onset is right only at a word onset, an offset
--   only at a word offset. (zerospeech2015.boundary does not tell onsets from offsets and uses the nearest
--   phone boundary.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "boundary_units" AS
SELECT "file",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "boundary_outcomes" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.boundary
-- metric boundary, scores (specs/term_discovery/zerospeech2017/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. The edges of a
--   fragment are those of its first and last phone, and an onset is right only at a word onset, an offset
--   only at a word offset. (zerospeech2015.boundary does not tell onsets from offsets and uses the nearest
--   phone boundary.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "boundary" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "boundary_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- ## zerospeech2017.submission_sizes
-- relation submission_sizes (specs/term_discovery/zerospeech2017/sizes.yaml)
-- The sizes of the sets that are scored: clusters, their members, distinct fragments, pairs, transcriptions
--   and words. Each row has the sizes of one set, and the metric `sizes` adds the rows up.
CREATE TABLE "submission_sizes" AS
SELECT count(DISTINCT cluster) AS clusters, count(*) AS members FROM "fold_fragments" GROUP BY ALL
UNION ALL BY NAME
SELECT count(*) AS fragments, count(*) FILTER (WHERE first_phone IS NULL) AS fragments_empty
FROM "fragment_spans"
GROUP BY ALL
UNION ALL BY NAME
SELECT sum(pairs) AS pairs FROM "cluster_pairs" GROUP BY ALL
UNION ALL BY NAME
SELECT count(DISTINCT text) AS types FROM "fragment_texts" GROUP BY ALL
UNION ALL BY NAME
SELECT count(*) AS words, count(DISTINCT label) AS word_types FROM "word_tokens" GROUP BY ALL;

-- ## zerospeech2017.sizes_units
-- metric sizes, statistics per unit (specs/term_discovery/zerospeech2017/sizes.yaml)
-- Sizes of the submission and of the corpus: numbers of clusters, members, fragments, pairs, transcriptions
--   and words.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "sizes_units" AS
SELECT
    sum("clusters") AS "clusters",
    sum("members") AS "members",
    sum("fragments") AS "fragments",
    sum("fragments_empty") AS "fragments_empty",
    sum("pairs") AS "pairs",
    sum("types") AS "types",
    sum("words") AS "words",
    sum("word_types") AS "word_types"
FROM "submission_sizes" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.sizes
-- metric sizes, scores (specs/term_discovery/zerospeech2017/sizes.yaml)
-- Sizes of the submission and of the corpus: numbers of clusters, members, fragments, pairs, transcriptions
--   and words.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "sizes" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("clusters"), 0) AS "clusters",
        coalesce(sum("members"), 0) AS "members",
        coalesce(sum("fragments"), 0) AS "fragments",
        coalesce(sum("fragments_empty"), 0) AS "fragments_empty",
        coalesce(sum("pairs"), 0) AS "pairs",
        coalesce(sum("types"), 0) AS "types",
        coalesce(sum("words"), 0) AS "words",
        coalesce(sum("word_types"), 0) AS "word_types"
    FROM "sizes_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    "clusters" AS "clusters",
    "members" AS "members",
    "fragments" AS "fragments",
    "fragments_empty" AS "fragments_empty",
    "pairs" AS "pairs",
    "types" AS "types",
    "words" AS "words",
    "word_types" AS "word_types",
    nullif(concat_ws(', ', CASE WHEN sums."clusters" = 0 THEN 'clusters = 0' END, CASE WHEN sums."members" = 0 THEN 'members = 0' END, CASE WHEN sums."fragments" = 0 THEN 'fragments = 0' END, CASE WHEN sums."fragments_empty" = 0 THEN 'fragments_empty = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END, CASE WHEN sums."types" = 0 THEN 'types = 0' END, CASE WHEN sums."words" = 0 THEN 'words = 0' END, CASE WHEN sums."word_types" = 0 THEN 'word_types = 0' END), '') AS note
FROM sums;

-- ## zerospeech2017.transcriptions
-- relation transcriptions (specs/term_discovery/zerospeech2017/evidence.yaml)
-- The distinct transcriptions of fragments, in codes (one character per phone) and in phone labels separated
--   by blanks. Evidence shows the labels.
CREATE TABLE "transcriptions" AS
SELECT text, string_agg(label, ' ' ORDER BY place) AS transcription
FROM (
    SELECT *, unnest(range(1, length(text) + 1)) AS place
    FROM (SELECT DISTINCT text FROM "fragment_texts")
) AS type_
JOIN "phone_codes" AS code_ ON substring(text, place, 1) = code_.code
GROUP BY ALL;

-- ## zerospeech2017.fragment_verdicts
-- relation fragment_verdicts (specs/term_discovery/zerospeech2017/evidence.yaml)
-- Evidence: one row for each line of the submission, with the transcription of the fragment, the word that it
--   overlaps most and the verdicts of token, type and boundary. The verdicts are NULL where the fragment has
--   no transcription.
CREATE TABLE "fragment_verdicts" AS
WITH gold AS (
    SELECT DISTINCT file, onset AS time, 'onset' AS kind FROM "word_tokens"
    UNION ALL
    SELECT DISTINCT file, "offset", 'offset' FROM "word_tokens"
),
type_hits AS (
    SELECT text, bool_or(hit) AS type_hit FROM "fragment_words" GROUP BY ALL
),
verdicts AS (
    SELECT fragment_.file, fragment_.onset, fragment_."offset", transcription, length(text) AS length,
        word_label, word_onset, word_offset, credited AS token_hit, type_hit,
        first_.time IS NOT NULL AS onset_hit, last_.time IS NOT NULL AS offset_hit
    FROM "fragment_words" AS fragment_
    JOIN "transcriptions" USING (text)
    JOIN type_hits USING (text)
    LEFT JOIN (SELECT *, time AS first_onset FROM gold WHERE kind = 'onset') AS first_
        USING (file, first_onset)
    LEFT JOIN (SELECT *, time AS last_offset FROM gold WHERE kind = 'offset') AS last_
        USING (file, last_offset)
)
SELECT cluster, file, onset, "offset", transcription, length, word_label, word_onset, word_offset,
    token_hit, type_hit, onset_hit, offset_hit
FROM "fold_fragments"
LEFT JOIN verdicts USING (file, onset, "offset");

-- ## zerospeech2017.cluster_scores
-- relation cluster_scores (specs/term_discovery/zerospeech2017/evidence.yaml)
-- Evidence: one row for each cluster, with the number of members that have a transcription, the number of
--   distinct transcriptions, the number of pairs of members and their mean normalised edit distance (NED).
--   NED is NULL in a cluster of one member.
CREATE TABLE "cluster_scores" AS
WITH sizes AS (
    SELECT cluster, count(*) AS members, count(DISTINCT text) AS types
    FROM "cluster_members"
    GROUP BY ALL
),
pairs AS (
    SELECT cluster, sum(pairs)::BIGINT AS pairs,
        ratio(exact_sum(pairs * if(length = 0, 1, distance / length)), sum(pairs)) AS ned
    FROM "cluster_pairs"
    GROUP BY ALL
)
SELECT cluster, members, types, coalesce(pairs, 0) AS pairs, ned
FROM sizes
LEFT JOIN pairs USING (cluster);

-- ## zerospeech2017.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
SELECT 0 AS position, 0 AS variant, breakdown, place, 'ned' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
        {'place': 1, 'component': 'pairs', 'value': "pairs"::DOUBLE}
    ], recursive := true)
    FROM "ned"
)
UNION ALL
SELECT 1 AS position, 0 AS variant, breakdown, place, 'coverage' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "coverage"
)
UNION ALL
SELECT 2 AS position, 0 AS variant, breakdown, place, 'grouping' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE},
        {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE},
        {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE}
    ], recursive := true)
    FROM "grouping"
)
UNION ALL
SELECT 3 AS position, 0 AS variant, breakdown, place, 'type' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE},
        {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE},
        {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE}
    ], recursive := true)
    FROM "type"
)
UNION ALL
SELECT 4 AS position, 0 AS variant, breakdown, place, 'token' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE},
        {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE},
        {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE}
    ], recursive := true)
    FROM "token"
)
UNION ALL
SELECT 5 AS position, 0 AS variant, breakdown, place, 'boundary' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE},
        {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE},
        {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE}
    ], recursive := true)
    FROM "boundary"
)
UNION ALL
SELECT 6 AS position, 0 AS variant, breakdown, place, 'sizes' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'clusters', 'value': "clusters"::DOUBLE},
        {'place': 1, 'component': 'members', 'value': "members"::DOUBLE},
        {'place': 2, 'component': 'fragments', 'value': "fragments"::DOUBLE},
        {'place': 3, 'component': 'fragments_empty', 'value': "fragments_empty"::DOUBLE},
        {'place': 4, 'component': 'pairs', 'value': "pairs"::DOUBLE},
        {'place': 5, 'component': 'types', 'value': "types"::DOUBLE},
        {'place': 6, 'component': 'words', 'value': "words"::DOUBLE},
        {'place': 7, 'component': 'word_types', 'value': "word_types"::DOUBLE}
    ], recursive := true)
    FROM "sizes"
)
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

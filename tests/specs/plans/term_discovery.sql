-- ## steps of tde2015
Suite_tde2015, SQL_macros_that_the_steps_use, seconds, more_than_part_of_seconds, shared_time, exact_sum,
ratio, fscore, exact_mean, finite, slice_order, phones, words, fragments, utterances, folds_total,
clipped_fragments, phone_codes, speech_phones, fold_utterances, file_speakers, fold_speakers, fold_intervals,
fold_intervals_filled, fold_fragments, fold_phones, phone_strings, disc_fragments, cluster_members,
cluster_types, fragment_signatures, shared_signatures, near_pairs, surplus_pairs, disc_pairs, measured_pairs,
ned_scopes, ned_units, ned, gold_stretches, fold_stretches, covered_time, coverage_scopes, coverage_units,
coverage, phone_runs, near_disc_subspans, longest_partners, subspan_starts, repeated_subspans, equal_subspans,
both_spans, distinct_members, recounted_members, member_lengths, recounted_subspans, subspan_strings,
recounted_spans, subspan_counts, multiple_alignments, near_subspans, found_spans, recurring_spans, gold_spans,
gold_types, both_types, matching_spans, matching_counts, matching_scopes, matching_units, matching,
grouping_fragments, grouping_types, grouping_counts, grouping_scopes, grouping_units, grouping, word_checks,
corpus_checks, word_runs, fold_word_runs, contained_words, type_counts, type_scopes, type_units, type,
token_counts, token_scopes, token_units, token, fold_words, edge_counts, boundary_scopes, boundary_units,
boundary, found_sizes, sizes_scopes, sizes_units, sizes, the_scores

-- ## steps of zerospeech2015
Suite_zerospeech2015, tde2015.SQL_macros_that_the_steps_use, microseconds, more_than_part,
tde2015.shared_time, tde2015.exact_sum, tde2015.ratio, tde2015.fscore, tde2015.exact_mean, tde2015.finite,
tde2015.slice_order, phones, tde2015.words, tde2015.fragments, tde2015.phone_codes, speech_phones,
fold_utterances, tde2015.file_speakers, fold_speakers, tde2015.fold_intervals, tde2015.fold_intervals_filled,
fold_fragments, fold_phones, tde2015.phone_strings, disc_fragments, tde2015.cluster_members,
tde2015.cluster_types, tde2015.fragment_signatures, tde2015.shared_signatures, near_pairs,
tde2015.surplus_pairs, tde2015.disc_pairs, measured_pairs, ned_scopes, ned_units, ned, longest_partners,
scored_fragments, tde2015.phone_runs, tde2015.recurring_spans, gold_spans, covered_parts, coverage_scopes,
coverage_units, coverage, near_disc_subspans, tde2015.subspan_starts, repeated_subspans, equal_subspans,
both_spans, tde2015.distinct_members, tde2015.recounted_members, tde2015.member_lengths, recounted_subspans,
tde2015.subspan_strings, tde2015.recounted_spans, tde2015.subspan_counts, tde2015.multiple_alignments,
near_subspans, found_spans, tde2015.gold_types, both_types, tde2015.matching_spans, matching_counts,
tde2015.matching_scopes, tde2015.matching_units, matching, matching_counts_2, matching_pairs_scopes,
matching_pairs_units, matching_pairs, grouping_fragments, grouping_types, grouping_counts,
tde2015.grouping_scopes, tde2015.grouping_units, grouping, grouping_counts_2, grouping_pairs_scopes,
grouping_pairs_units, grouping_pairs, word_checks, tde2015.corpus_checks, fold_words, word_tokens,
gold_fragments, type_scopes, type_units, type, token_scopes, token_units, token, phone_boundaries,
found_boundaries, gold_boundaries, boundary_scopes, boundary_units, boundary, set_sizes, sizes_scopes,
sizes_units, sizes, member_verdicts, cluster_purity, matching_types, matching_verdicts, grouping_verdicts,
the_scores

-- ## steps of zerospeech2017
Suite_zerospeech2017, tde2015.SQL_macros_that_the_steps_use, tde2015.exact_sum, tde2015.ratio, tde2015.fscore,
tde2015.finite, remark, tde2015.slice_order, phones, tde2015.words, tde2015.fragments, tde2015.phone_codes,
tde2015.file_speakers, fold_fragments, fold_phones, phone_tokens, fragment_spans, phone_strings,
fragment_texts, cluster_members, cluster_types, cluster_pairs, ned_units, ned, phone_coverage, coverage_units,
coverage, distinct_spans, span_partners, member_partners, clustered_spans, span_sets, span_tokens,
grouping_tokens, grouping_units, grouping, zerospeech2015.word_checks, tde2015.corpus_checks, fold_words,
word_tokens, fragment_words, type_outcomes, type_units, type, token_outcomes, token_units, token,
boundary_outcomes, boundary_units, boundary, submission_sizes, sizes_units, sizes, transcriptions,
fragment_verdicts, cluster_scores, the_scores

-- ## tde2015.Suite_tde2015
-- Suite tde2015: The metrics of the ZeroSpeech Challenge 2015, as its evaluator tde 0.2.1 computes them,
--   including its faults. Scores are means over the given folds.
-- To run it in DuckDB, first fill the tables of the inputs: phones, words, fragments, utterances, folds_total
--   (not read: folds_within); also the tables …_rows_…, which Python functions make
-- Order: each of the 83 steps reads inputs and steps above it. Metrics: measured_pairs → ned; covered_time →
--   coverage; matching_counts → matching; grouping_counts → grouping; type_counts → type; token_counts →
--   token; edge_counts → boundary; found_sizes → sizes

-- ## tde2015.SQL_macros_that_the_steps_use
-- SQL macros that the steps use

-- ## tde2015.seconds
-- Time in seconds, as it is in the input. See `microseconds`.
CREATE OR REPLACE MACRO seconds(x) AS (
    x
);

-- ## tde2015.more_than_part_of_seconds
-- Whether an amount is more than a fraction (part) of a whole, both in seconds. See `more_than_part`.
CREATE OR REPLACE MACRO more_than_part_of_seconds(amount, part, whole) AS (
    amount > part * (whole)
);

-- ## tde2015.shared_time
-- Time that two intervals share. It is negative if there is a gap between them.
CREATE OR REPLACE MACRO shared_time(onset_a, offset_a, onset_b, offset_b) AS (
    least(offset_a, offset_b) - greatest(onset_a, onset_b)
);

-- ## tde2015.exact_sum
-- Sum of DOUBLEs that does not depend on the order of rows, because each value is first rounded to 18 decimals.
CREATE OR REPLACE MACRO exact_sum(x) AS (
    sum((x)::DECIMAL(38, 18))
);

-- ## tde2015.ratio
-- Quotient a / b as a DOUBLE. It is NULL if b is 0; the score is then undefined.
CREATE OR REPLACE MACRO ratio(a, b) AS (
    (a)::DOUBLE / nullif((b)::DOUBLE, 0)
);

-- ## tde2015.fscore
-- F score, the harmonic mean of precision p and recall r. It is NULL if p or r is NULL, and 0 if both are 0.
CREATE OR REPLACE MACRO fscore(p, r) AS (
    CASE
    WHEN p IS NULL OR r IS NULL THEN NULL
    WHEN p + r = 0 THEN 0
    ELSE 2 * p * r / (p + r)
    END
);

-- ## tde2015.exact_mean
-- Mean of DOUBLEs that does not depend on the order of rows. It is NULL if there are no values.
CREATE OR REPLACE MACRO exact_mean(x) AS (
    exact_sum(x)::DOUBLE / nullif(count(x), 0)
);

-- ## tde2015.finite
-- The value x, or NULL if x is infinite or not a number. The results table scores has only finite values.
CREATE OR REPLACE MACRO finite(x) AS (
    if(isfinite(x), x, NULL)
);

-- ## tde2015.slice_order
-- Key by which rows of scores are ordered: for each column of a slice its name and its value. Numbers are ordered as numbers, also those that a file has as text, and come before other texts. A column without a value comes last.
CREATE OR REPLACE MACRO slice_order(slice) AS (
    list_transform(list_zip(json_keys(slice), json_extract_string(slice, '$.*')), lambda pair: {
        'name': pair[1],
        'number': if(regexp_full_match(pair[2], '-?\d+(\.\d+)?([eE][-+]?\d+)?|-Infinity'),
            coalesce(try_cast(pair[2] AS DOUBLE), 'Infinity'), 'Infinity'),
        'text': pair[2]
    })
);

-- ## tde2015.phones
-- input phones (specs/term_discovery/tde2015/tables.yaml): One row per phone token of the corpus, from a
--   forced alignment. A repeated row is counted once. The column file is the name of the recording, here and
--   in all tables of the domain.
CREATE TABLE IF NOT EXISTS "phones" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- ## tde2015.words
-- input words (specs/term_discovery/tables.yaml): One row per word token of the corpus (F_goldLex). A
--   repeated row is counted once.
CREATE TABLE IF NOT EXISTS "words" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- ## tde2015.fragments
-- input fragments (specs/term_discovery/tables.yaml): One row per member of a discovered cluster
--   (C_disc). A fragment is an interval of a recording.
CREATE TABLE IF NOT EXISTS "fragments" (line BIGINT, "cluster" VARCHAR, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## tde2015.utterances
-- input utterances (specs/term_discovery/tables.yaml): One row per utterance of the corpus. Utterances
--   of one recording do not overlap.
CREATE TABLE IF NOT EXISTS "utterances" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## tde2015.folds_total
-- input folds_total (specs/term_discovery/tables.yaml): One row per interval of a fold for pairs of any
--   two speakers (slice speakers=total).
CREATE TABLE IF NOT EXISTS "folds_total" (line BIGINT, "fold" BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## tde2015.clipped_fragments
-- relation clipped_fragments (specs/term_discovery/zerospeech2015/folds.yaml)
-- The lines of the submission, with each fragment cut to one utterance of its recording, as in tde 0.2.1: the
--   utterance that it shares most time with, or the earliest of these. The cut times are NULL if the fragment
--   shares time with no utterance. For example, a fragment from 1.0 to 2.0 s lies across the utterances
--   0.0–1.3 s and 1.4–3.0 s. It is cut to 1.4–2.0 s.
CREATE TABLE "clipped_fragments" AS
WITH numbered AS (
    SELECT cluster, file, seconds(onset) AS onset, seconds("offset") AS "offset", row_number() OVER () AS fragment
    FROM "fragments"
),
stretches AS (
    SELECT file, seconds(onset) AS onset, seconds("offset") AS "offset",
        row_number() OVER (PARTITION BY file ORDER BY onset) AS phone
    FROM "utterances"
),
parts AS (
    SELECT fragment, greatest(part_.onset, stretch_.onset) AS clipped_onset, least(part_."offset", stretch_."offset") AS clipped_offset
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
    ) AS part_
    JOIN stretches AS stretch_
        ON stretch_.file = part_.file AND stretch_.phone = number
    WHERE clipped_offset > clipped_onset
    QUALIFY row_number() OVER (PARTITION BY fragment ORDER BY clipped_offset - clipped_onset DESC, number) = 1
)
SELECT cluster, file, onset, "offset", clipped_onset, clipped_offset
FROM numbered
LEFT JOIN parts USING (fragment);

-- ## tde2015.phone_codes
-- relation phone_codes (specs/term_discovery/shared/corpus.yaml)
-- The code of each phone label: one character that represents it. With codes, a transcription is a string
--   with one character per phone.
-- Codes follow the alphabetical order of the labels. Up to 94 labels get printable ASCII characters, which
--   are compared fastest. Up to 20,000 labels get characters from U+4E00 on, and more labels get characters
--   from U+20000 on.
CREATE TABLE "phone_codes" AS
SELECT label,
    chr((CASE WHEN count(*) OVER () <= 94 THEN 33 WHEN count(*) OVER () <= 20000 THEN 19968 ELSE 131072 END
        + row_number() OVER (ORDER BY label) - 1)::INTEGER) AS code
FROM (SELECT DISTINCT label FROM "phones");

-- ## tde2015.speech_phones
-- relation speech_phones (specs/term_discovery/shared/corpus.yaml)
-- The phone tokens that are not silence, numbered from 0 within their recording, each with its utterance. An
--   utterance is identified by its onset. Phones whose label is in the parameter `silence` (SIL, SPN) are
--   silence.
-- If the input `utterances` is given, the utterance of a phone is the one that contains the phone (parameter
--   `inside`), or NULL if there is none. Otherwise an utterance is a longest sequence of phones without
--   silence in which every phone begins at most `pause` (1 ms) after the end of the previous phone.
CREATE TABLE "speech_phones" AS
WITH tokens AS (
    SELECT file, seconds(onset) AS onset, seconds("offset") AS "offset", label, code,
        label IN []::VARCHAR[] AS silent
    FROM "phones"
    JOIN "phone_codes" USING (label)
),
breaks AS (
    SELECT *, coalesce(lag(silent) OVER in_file OR onset > lag("offset") OVER in_file + seconds(0.001e0), true) AS begins
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
    SELECT file, seconds(onset) AS onset, seconds("offset") AS "offset" FROM "utterances"
) AS utterance_
    ON phone_.file = utterance_.file
    AND phone_."onset" >= utterance_.onset;

-- ## tde2015.fold_utterances
-- relation fold_utterances (specs/term_discovery/shared/corpus.yaml)
-- The intervals of each fold. They come from the input that the parameter `fold_set` names, if it is given.
--   Otherwise the utterances, in the order of recording and onset, are divided into `n_folds` folds. With
--   fold_order = dealt they are dealt out in turn; with fold_order = runs each fold is a sequence. If the
--   number of utterances is not divisible by `n_folds`, the first folds have one utterance more: 11
--   utterances in 3 folds are 4, 4 and 3.
CREATE TABLE "fold_utterances" AS
SELECT fold, file, seconds(onset) AS onset, seconds("offset") AS "offset"
FROM "folds_total";

-- ## tde2015.file_speakers
-- relation file_speakers (specs/term_discovery/shared/corpus.yaml)
-- The speaker of each recording. Speakers come from the input `speakers` if it is given. Otherwise the first
--   group of the regular expression `speaker_pattern` finds the speaker in the name of the recording: ^(s\d)
--   finds s1 in s1_007. A recording whose speaker is unknown has no row.
CREATE TABLE "file_speakers" AS
-- no speaker is known
SELECT NULL::VARCHAR AS file, NULL::VARCHAR AS speaker LIMIT 0;

-- ## tde2015.fold_speakers
-- relation fold_speakers (specs/term_discovery/shared/corpus.yaml)
-- The number of speakers of each fold, for a warning about folds of a single speaker in a corpus of several.
--   The folds of folds_within have a single speaker on purpose, so fold_set = total and within give no
--   warning.
CREATE TABLE "fold_speakers" AS
SELECT fold, fold_speakers,
    false AS single_speaker
FROM (
    SELECT fold, count(DISTINCT coalesce(speaker, '')) AS fold_speakers, bool_and(speaker IS NOT NULL) AS known
    FROM "fold_utterances"
    LEFT JOIN "file_speakers" USING (file)
    GROUP BY fold
), (
    SELECT count(DISTINCT speaker) AS speakers_in_all FROM "fold_utterances" JOIN "file_speakers" USING (file)
);

-- ## tde2015.fold_intervals
-- relation fold_intervals (specs/term_discovery/shared/corpus.yaml)
-- One row per interval of a fold: the rows of fold_utterances. It also reads fold_speakers, so that every run
--   with folds warns about folds of a single speaker.
CREATE TABLE "fold_intervals" AS
SELECT "fold" AS "by_fold", *
FROM (
    SELECT fold, file, onset, "offset" FROM "fold_utterances" SEMI JOIN "fold_speakers" USING (fold)
);

-- ## tde2015.fold_intervals_filled
-- relation fold_intervals, rows in some slice (specs/term_discovery/shared/corpus.yaml)
-- The rows of the relation that are in some slice.
CREATE VIEW "fold_intervals_filled" AS
SELECT * FROM "fold_intervals"
WHERE "by_fold" IS NOT NULL;

-- ## tde2015.fold_fragments
-- relation fold_fragments, C_disc (specs/term_discovery/zerospeech2015/folds.yaml)
-- The clusters of each fold as sets of fragments (C_disc): one row per distinct fragment of a cluster.
--   `times_listed` is the number of lines of the submission on which the cluster has the fragment. With clip
--   = utterance, fragments are cut to utterances (clipped_fragments), and a fragment in no utterance is left
--   out.
CREATE TABLE "fold_fragments" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_intervals_filled"
) AS slice_, LATERAL (
    WITH "fold_intervals_filled" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_intervals_filled" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH members AS (
            SELECT cluster, file, clipped_onset AS onset, clipped_offset AS "offset", count(*) AS times_listed
            FROM "clipped_fragments"
            WHERE clipped_onset IS NOT NULL
            GROUP BY ALL
        )
        SELECT DISTINCT row_.*, speaker
        FROM members AS row_
        JOIN "fold_intervals_filled" AS fold_
            ON row_.file = fold_.file
            AND row_."onset" >= fold_.onset
            AND row_."offset" <= fold_."offset"
        LEFT JOIN "file_speakers" AS speaker_ ON speaker_.file = row_.file
    )
) AS rows_;

-- ## tde2015.fold_phones
-- relation fold_phones (specs/term_discovery/zerospeech2015/folds.yaml)
-- The phone tokens of each fold. `phone` numbers them from 1 within fold and file. `number` is their number
--   in the whole corpus; where it skips a value, the fold lacks a phone.
-- With inside = whole, the phones that an interval of the fold cuts are also in the fold, because tde 0.2.1
--   transcribes fragments with them. They have no utterance, so no span of F_all contains them. An utterance
--   then ends where an interval of the fold ends.
CREATE TABLE "fold_phones" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_intervals_filled"
) AS slice_, LATERAL (
    WITH "fold_intervals_filled" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_intervals_filled" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT *, row_number() OVER (PARTITION BY file ORDER BY number) AS phone
        FROM (
            SELECT phone_.* EXCLUDE (utterance, part), max(part) AS utterance, speaker
            FROM (
                SELECT phone_.*,
                    CASE WHEN utterance IS NOT NULL AND phone_."onset" >= fold_.onset AND phone_."offset" <= fold_."offset"
                        THEN greatest(utterance, fold_.onset) END AS part
                FROM "speech_phones" AS phone_
                JOIN "fold_intervals_filled" AS fold_
                    ON phone_.file = fold_.file
                    AND phone_.onset < fold_."offset" AND phone_."offset" > fold_.onset
            ) AS phone_
            LEFT JOIN "file_speakers" USING (file)
            GROUP BY ALL
        )
    )
) AS rows_;

-- ## tde2015.phone_strings
-- relation phone_strings (specs/term_discovery/zerospeech2015/folds.yaml)
-- One row per fold and phone token of the fold, with a string of up to 16 characters, one per phone: the
--   phone and the 15 phones that follow in the recording. The transcription of a span of up to 16 phones is
--   the left end of the string at its first phone.
CREATE TABLE "phone_strings" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_phones"
) AS slice_, LATERAL (
    WITH "fold_phones" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_phones" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH one AS (SELECT file, phone, onset, code AS codes FROM "fold_phones"),
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
        WINDOW in_file AS (PARTITION BY file ORDER BY phone)
    )
) AS rows_;

-- ## tde2015.disc_fragments
-- relation disc_fragments, F_disc (specs/term_discovery/zerospeech2015/folds.yaml)
-- The distinct fragments (F_disc), whatever their clusters, each with its span of phones and its
--   transcription T by the published edge rule. T is '' if no phone is kept.
-- A fragment contains all phones that share time with it, but the first and the last of them are kept only if
--   more than `edge_cover_time` (30 ms) or more than `edge_cover_fraction` (half) of the phone is covered. Of
--   a phone of 40 ms, 21 ms are enough and 20 ms are not. With `fragment_fraction` below 1 (tde 0.2.1), a
--   phone is also kept if its covered part is more than this fraction of the fragment.
-- `reach_from` and `reach_to` are the earliest onset and the latest offset of the fragment and its phones.
--   Two fragments that share no time between these limits have no phone in common.
CREATE TABLE "disc_fragments" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_phones"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_strings"
    UNION
    SELECT DISTINCT "by_fold" FROM "fold_fragments"
) AS slice_, LATERAL (
    WITH "fold_phones" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_phones" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_strings" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_strings" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH intervals AS (
            SELECT DISTINCT file, onset, "offset" FROM "fold_fragments"
        ),
        overlapped AS (
            SELECT interval_.*,
                first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
                last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
            FROM intervals AS interval_
            ASOF LEFT JOIN "fold_phones" AS first_
                ON interval_.file = first_.file
                AND interval_.onset < first_."offset"
            ASOF LEFT JOIN "fold_phones" AS last_
                ON interval_.file = last_.file
                AND interval_."offset" > last_.onset
        ),
        trimmed AS (
            SELECT * REPLACE (
                if((shared_time(onset, "offset", first_onset, first_offset) > seconds(1e-08) AND (shared_time(onset, "offset", first_onset, first_offset) > seconds(0.03e0)
                    OR more_than_part_of_seconds(shared_time(onset, "offset", first_onset, first_offset), 0.5e0, first_offset - first_onset)
                    OR more_than_part_of_seconds(shared_time(onset, "offset", first_onset, first_offset), 0.5e0, "offset" - onset))), first_phone, first_phone + 1) AS first_phone,
                if(first_phone = last_phone OR (shared_time(onset, "offset", last_onset, last_offset) > seconds(1e-08) AND (shared_time(onset, "offset", last_onset, last_offset) > seconds(0.03e0)
                    OR more_than_part_of_seconds(shared_time(onset, "offset", last_onset, last_offset), 0.5e0, last_offset - last_onset)
                    OR more_than_part_of_seconds(shared_time(onset, "offset", last_onset, last_offset), 0.5e0, "offset" - onset))), last_phone, last_phone - 1) AS last_phone)
            FROM overlapped
            WHERE first_phone <= last_phone
        ),
        transcribed AS (
            SELECT span_."file", span_."onset", span_."offset", span_."first_phone", span_."last_phone", string_.onset AS first_onset,
                left(string_.codes, (last_phone - first_phone + 1)::INTEGER) || coalesce(tail_.codes, '') AS text
            FROM trimmed AS span_
            LEFT JOIN (
                SELECT long_."file", long_."onset", long_."offset", long_."first_phone", long_."last_phone",
                    string_agg(left(string_.codes, (last_phone - piece + 1)::INTEGER), '' ORDER BY piece) AS codes
                FROM (
                    SELECT *, unnest(range(first_phone + 16, last_phone + 1, 16)) AS piece
                    FROM trimmed
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
        SELECT interval_.*, coalesce(text, '') AS text, first_.number AS first_phone, last_.number AS last_phone,
            least(interval_.onset, first_.onset) AS reach_from, greatest(interval_."offset", last_."offset") AS reach_to
        FROM intervals AS interval_
        LEFT JOIN transcribed USING (file, onset, "offset")
        LEFT JOIN "fold_phones" AS first_
            ON first_.file = interval_.file
            AND first_.phone = transcribed.first_phone
        LEFT JOIN "fold_phones" AS last_
            ON last_.file = interval_.file
            AND last_.phone = transcribed.last_phone
    )
) AS rows_;

-- ## tde2015.cluster_members
-- relation cluster_members, P_clus (specs/term_discovery/zerospeech2015/folds.yaml)
-- The members of clusters: one row per cluster and distinct fragment, with its transcription. Two fragments
--   are a pair of P_clus if a cluster has both as members.
-- With speakers = within, each cluster is divided by speaker, `pair_speaker` names the speaker, and members
--   of unknown speakers are left out. Wherever the following relations speak of a cluster, they then mean the
--   members of one speaker.
CREATE TABLE "cluster_members" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "disc_fragments"
) AS slice_, LATERAL (
    WITH "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "disc_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT cluster, '' AS pair_speaker, file, onset, "offset", text,
            times_listed, first_phone, last_phone, reach_from, reach_to
        FROM "fold_fragments"
        JOIN "disc_fragments" USING (file, onset, "offset")
    )
) AS rows_;

-- ## tde2015.cluster_types
-- relation cluster_types (specs/term_discovery/zerospeech2015/found_pairs.yaml)
-- One row per cluster and distinct transcription of its members, with the number of members that have it. The
--   edit distances of pairs depend on nothing else.
CREATE TABLE "cluster_types" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "cluster_members"
) AS slice_, LATERAL (
    WITH "cluster_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "cluster_members" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT cluster, pair_speaker, text, count(*) AS members
        FROM "cluster_members"
        GROUP BY ALL
    )
) AS rows_;

-- ## tde2015.fragment_signatures
-- relation fragment_signatures (specs/term_discovery/zerospeech2015/found_pairs.yaml)
-- The fragments that share a cluster with another fragment, each with the set of its clusters (`classes`) and
--   the number of that set (`signature`). Fragments with equal signatures have the same clusters, so that
--   they can be counted together.
CREATE TABLE "fragment_signatures" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "cluster_members"
) AS slice_, LATERAL (
    WITH "cluster_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "cluster_members" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH numbered AS (
            SELECT *, dense_rank() OVER (ORDER BY cluster, pair_speaker) AS pair_group
            FROM (FROM "cluster_members" QUALIFY count(*) OVER (PARTITION BY cluster, pair_speaker) > 1)
        )
        FROM (
            WITH elements AS (
                SELECT pair_speaker, file, onset, "offset", text, min(pair_group) AS lowest, max(pair_group) AS highest FROM numbered GROUP BY ALL
            ),
            listed AS (
                SELECT pair_speaker, file, onset, "offset", text, list(DISTINCT pair_group ORDER BY pair_group) AS classes
                FROM numbered
                SEMI JOIN (FROM elements WHERE lowest < highest) USING (pair_speaker, file, onset, "offset", text)
                GROUP BY ALL
            ),
            multiple AS (
                SELECT *, -dense_rank() OVER (ORDER BY classes) AS signature FROM listed
            )
            SELECT pair_speaker, file, onset, "offset", text, signature, classes FROM multiple
            UNION ALL
            SELECT pair_speaker, file, onset, "offset", text, lowest, [lowest] FROM elements WHERE lowest = highest
        )
    )
) AS rows_;

-- ## tde2015.shared_signatures
-- relation shared_signatures (specs/term_discovery/zerospeech2015/found_pairs.yaml)
-- The ordered pairs of signatures (fragment_signatures) that have k ≥ 2 clusters in common, with the surplus
--   k − 1. A signature is also paired with itself. A sum over clusters counts a pair of fragments with such
--   signatures k times, but P_clus is a set and contains it once.
-- For example, a fragment in the clusters {1, 2} and a fragment in {1, 2, 3} have two clusters in common:
--   surplus 1. Two fragments in {1, 2, 3} have three: surplus 2.
-- By definition, all signatures are compared. Here an equality join on pairs of clusters finds the signatures
--   with at least two clusters in common. The enumerated form of the pairs is pairs/pairs_clus.sql;
--   tests/conformance/test_zerospeech2015_pairs.py compares the results, disc_pairs and grouping_fragments,
--   with it.
CREATE TABLE "shared_signatures" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fragment_signatures"
) AS slice_, LATERAL (
    WITH "fragment_signatures" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fragment_signatures" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH multiple AS (
            SELECT DISTINCT signature, classes FROM "fragment_signatures" WHERE len(classes) > 1
        ),
        members AS (
            SELECT signature, unnest(classes) AS class FROM multiple
        ),
        class_pairs AS (
            SELECT signature, a.class AS lower, b.class AS upper
            FROM members AS a JOIN members AS b USING (signature)
            WHERE a.class < b.class
        ),
        sharing AS (
            SELECT DISTINCT a.signature AS signature_a, b.signature AS signature_b
            FROM class_pairs AS a JOIN class_pairs AS b USING (lower, upper)
        )
        SELECT signature_a, signature_b, count(*) - 1 AS surplus
        FROM sharing
        JOIN members AS a ON a.signature = signature_a
        JOIN members AS b ON b.signature = signature_b AND b.class = a.class
        GROUP BY ALL
    )
) AS rows_;

-- ## tde2015.near_pairs
-- relation near_pairs (specs/term_discovery/zerospeech2015/found_pairs.yaml)
-- The pairs of members of one cluster that share time, when each member is extended to the edges of its first
--   and last phone. `overlap`: the pair is not in P_disc, because the two members share more than
--   `overlap_fraction` (half) of the shorter one.
-- Only in these pairs can two sub-spans overlap, or be the same span. There are few of them, so they are
--   listed. All other pairs are counted in closed form.
CREATE TABLE "near_pairs" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "cluster_members"
) AS slice_, LATERAL (
    WITH "cluster_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "cluster_members" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT *, (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(0.03e0)
                    OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) AS overlap
        FROM (
            WITH slots AS (
                SELECT greatest(2 * avg(reach_to - reach_from), seconds(1e-6)) AS width FROM "cluster_members"
            ),
            laid AS (
                SELECT *, unnest(range(floor(reach_from / width)::BIGINT, floor(reach_to / width)::BIGINT + 1)) AS slot FROM "cluster_members", slots
            )
            SELECT cluster, pair_speaker, a.file AS file_a, b.file AS file_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b, a."text" AS text_a, b."text" AS text_b, a."first_phone" AS first_phone_a, b."first_phone" AS first_phone_b, a."last_phone" AS last_phone_a, b."last_phone" AS last_phone_b
            FROM laid AS a
            JOIN laid AS b USING (cluster, pair_speaker, slot)
            WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
                AND a.reach_from < b.reach_to AND b.reach_from < a.reach_to
                AND slot = floor(greatest(a.reach_from, b.reach_from) / a.width)::BIGINT
        )
    )
) AS rows_;

-- ## tde2015.surplus_pairs
-- relation surplus_pairs (specs/term_discovery/zerospeech2015/found_pairs.yaml)
-- The surplus of a sum over clusters: how many counts of pairs it has in excess of P_disc. One row per pair
--   of transcriptions.
-- By definition, P_disc is a set: a pair of fragments is one element, however many clusters contain it, and
--   overlapping fragments are not a pair (pairs/pairs_disc.sql). A sum over clusters counts a pair with k
--   clusters in common k times. So k − 1 counts of each such pair are in excess, and one more if the
--   fragments overlap. For example, two fragments in the clusters {1, 2, 3} that overlap are counted 3 times,
--   and 2 + 1 counts are in excess.
-- tests/conformance/test_zerospeech2015_pairs.py compares the result, disc_pairs, with the enumerated form.
CREATE TABLE "surplus_pairs" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fragment_signatures"
    UNION
    SELECT DISTINCT "by_fold" FROM "shared_signatures"
    UNION
    SELECT DISTINCT "by_fold" FROM "near_pairs"
) AS slice_, LATERAL (
    WITH "fragment_signatures" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fragment_signatures" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "shared_signatures" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "shared_signatures" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "near_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH counted AS (
            SELECT signature, text, count(*) AS fragments FROM "fragment_signatures" GROUP BY ALL
        ),
        repeated AS (
            SELECT a.text AS text_a, b.text AS text_b,
                surplus * a.fragments * (b.fragments - (a.signature = b.signature AND a.text = b.text)::BIGINT)
                    // if(a.signature = b.signature AND a.text = b.text, 2, 1) AS excess
            FROM "shared_signatures" AS shared_
            JOIN counted AS a ON a.signature = signature_a
            JOIN counted AS b ON b.signature = signature_b
            WHERE (a.signature, a.text) <= (b.signature, b.text)
        ),
        overlapping AS (
            SELECT DISTINCT file_a, file_b, onset_a, offset_a, onset_b, offset_b, text_a, text_b FROM "near_pairs" WHERE overlap
        )
        SELECT text_a, text_b, sum(excess)::BIGINT AS excess
        FROM (
            SELECT text_a, text_b, excess FROM repeated
            UNION ALL
            SELECT text_a, text_b, 1 FROM overlapping
        )
        WHERE excess > 0
        GROUP BY ALL
    )
) AS rows_;

-- ## tde2015.disc_pairs
-- relation disc_pairs, P_disc (specs/term_discovery/zerospeech2015/found_pairs.yaml)
-- The number of pairs of P_disc at each edit distance and length of the longer transcription.
-- By definition, P_disc is listed and each pair is compared (pairs/pairs_disc.sql). Here every two distinct
--   transcriptions t and u of a cluster are compared once. If n_t members have the transcription t, the
--   result counts for n_t·n_u pairs. The n_t·(n_t − 1)/2 pairs of equal transcriptions are at distance 0.
--   Some pairs are counted more than once; surplus_pairs has their number, which is subtracted. For example,
--   the members `ab`, `ab` and `ac` form two pairs at distance 1 and one pair at distance 0.
-- tests/conformance/test_zerospeech2015_pairs.py compares the number of pairs with the enumerated form.
-- "disc_pairs_rows" is what the Python function pairwise_edit_distance makes of the rows of
--   SELECT * EXCLUDE (place_)
--   FROM (
--       SELECT slice_.*, rows_.*
--       FROM (
--           SELECT DISTINCT "by_fold" FROM "cluster_types"
--           UNION
--           SELECT DISTINCT "by_fold" FROM "surplus_pairs"
--       ) AS slice_, LATERAL (
--           WITH "cluster_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "cluster_types" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
--           "surplus_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "surplus_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
--           FROM (
--               SELECT pair_group, "text", weight, row_number() OVER (ORDER BY pair_group) AS place_ FROM ((SELECT concat('cluster ', "cluster", chr(31), pair_speaker) AS pair_group, "text", members AS weight FROM cluster_types) UNION ALL (SELECT concat('surplus ', pair), unnest(list_value(text_a, text_b)), unnest(list_value(1, (-(excess)))) FROM (SELECT *, row_number() OVER () AS pair FROM surplus_pairs)))
--           )
--       ) AS rows_
--   )
--   ORDER BY "by_fold", place_
CREATE TABLE "disc_pairs" AS
WITH "disc_pairs_rows" AS MATERIALIZED (FROM "disc_pairs_rows")
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "cluster_types"
    UNION
    SELECT DISTINCT "by_fold" FROM "disc_pairs_rows"
) AS slice_, LATERAL (
    WITH "cluster_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "cluster_types" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "disc_pairs_rows" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_pairs_rows" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT distance, length, sum(pairs)::BIGINT AS pairs
        FROM (
            SELECT distance, length, weight AS pairs FROM "disc_pairs_rows"
            UNION ALL
            SELECT 0, length(text), members * (members - 1) // 2 FROM "cluster_types" WHERE members > 1
        )
        GROUP BY ALL
    )
) AS rows_;

-- ## tde2015.measured_pairs
-- relation measured_pairs, P_disc (specs/term_discovery/tde2015/ned.yaml)
-- One row per edit distance and length of the longer transcription, with the number of pairs of P_disc that
--   have them.
CREATE TABLE "measured_pairs" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "disc_pairs"
) AS slice_, LATERAL (
    WITH "disc_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT * FROM "disc_pairs"
    )
) AS rows_;

-- ## tde2015.ned_scopes
-- metric ned, slices (specs/term_discovery/tde2015/ned.yaml)
-- Normalised edit distance (NED): mean, over the found pairs, of the edit distance of the two transcriptions
--   divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct fragments of one
--   cluster that do not overlap. A pair that several clusters contain is counted once. 0 means that the two
--   fragments of every pair have equal transcriptions; 1 is the largest value. NED is undefined when neither
--   fragment of some pair has a transcription, because the evaluator then divides by zero.
-- All values of the columns of a breakdown or of folds, so that a value without rows of the metric also gets
--   scores.
CREATE TABLE "ned_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.ned_units
-- metric ned, statistics per unit (specs/term_discovery/tde2015/ned.yaml)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "ned_units" AS
SELECT "by_fold",
    exact_sum(distance / nullif(length, 0) * pairs) AS "total",
    sum(pairs) AS "pairs",
    sum(pairs) FILTER (WHERE length = 0) AS "empty_pairs"
FROM "measured_pairs" AS counted_rows
GROUP BY ALL;

-- ## tde2015.ned
-- metric ned, scores (specs/term_discovery/tde2015/ned.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "ned" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('speakers', 'total') AS scope,
        json_object('speakers', 'total') AS slice,
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
-- The spans of `min_phones` (3) consecutive phones of an utterance whose transcription occurs at least twice
--   in the corpus. Together they are the gold time of coverage.
-- By definition, the gold time is that of all recurring spans of 3 to 20 phones. Here only spans of 3 phones
--   are listed. Their time is equal, because every part of a recurring span recurs: if abcd occurs twice, so
--   do abc and bcd, and the two cover abcd.
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
-- One row per fold and recurring span (gold_stretches) of the fold, with the speaker of its recording.
CREATE TABLE "fold_stretches" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_intervals_filled"
) AS slice_, LATERAL (
    WITH "fold_intervals_filled" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_intervals_filled" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT DISTINCT row_.*, speaker
        FROM "gold_stretches" AS row_
        JOIN "fold_intervals_filled" AS fold_
            ON row_.file = fold_.file
            AND row_."onset" >= fold_.onset
            AND row_."offset" <= fold_."offset"
        LEFT JOIN "file_speakers" AS speaker_ ON speaker_.file = row_.file
    )
) AS rows_;

-- ## tde2015.covered_time
-- relation covered_time (specs/term_discovery/tde2015/coverage.yaml)
-- The time of fragments (found) and the time of spans that recur in the corpus (gold), as intervals that do
--   not overlap. Intervals that overlap, or whose gap is within the tolerance (`gap_time`, `gap_fraction`),
--   are merged. The gap then counts as covered.
-- The published coverage counts the phones of fragments in pairs of P_disc; tde 0.2.1 counts the time of all
--   fragments.
CREATE TABLE "covered_time" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "fold_stretches"
) AS slice_, LATERAL (
    WITH "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "fold_stretches" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_stretches" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH covering AS (
            SELECT DISTINCT file, onset, "offset", true AS found FROM "fold_fragments"
            UNION ALL
            SELECT file, onset, "offset", false FROM "fold_stretches"
        ),
        reached AS (
            SELECT *, max("offset") OVER before AS reach
            FROM covering
            WINDOW before AS (PARTITION BY found, file ORDER BY onset, "offset" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        ),
        numbered AS (
            SELECT *, count_if(reach IS NULL OR onset > reach AND NOT abs(reach - onset) <= seconds(1e-08) + 1e-05 * abs(onset))
                OVER (PARTITION BY found, file ORDER BY onset, "offset" ROWS UNBOUNDED PRECEDING) AS stretch
            FROM reached
        )
        SELECT found, file, min(onset) AS onset, max("offset") AS "offset"
        FROM numbered
        GROUP BY found, file, stretch
    )
) AS rows_;

-- ## tde2015.coverage_scopes
-- metric coverage, slices (specs/term_discovery/tde2015/coverage.yaml)
-- Coverage: total time of all fragments, divided by the total time of the spans of phones that occur at least
--   twice in the corpus. Time that several fragments or spans cover is counted once. Coverage can exceed 1,
--   and is undefined, not 0, if nothing was found.
CREATE TABLE "coverage_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.coverage_units
-- metric coverage, statistics per unit (specs/term_discovery/tde2015/coverage.yaml)
CREATE TABLE "coverage_units" AS
SELECT "by_fold", "file",
    exact_sum(if(found, "offset" - onset, 0)) AS "found",
    exact_sum(if(found, 0, "offset" - onset)) AS "gold"
FROM "covered_time" AS counted_rows
GROUP BY ALL;

-- ## tde2015.coverage
-- metric coverage, scores (specs/term_discovery/tde2015/coverage.yaml)
CREATE TABLE "coverage" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('speakers', 'total') AS scope,
        json_object('speakers', 'total') AS slice,
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

-- ## tde2015.phone_runs
-- relation phone_runs (specs/term_discovery/zerospeech2015/folds.yaml)
-- The phone tokens of each fold, with the phones that follow. `remaining` is the number of phones from this
--   one to the end of its utterance, as far as the fold lacks none; it is 0 for a phone in no utterance.
--   `codes` is a string of up to 32 codes: the code of the phone and the codes of the 31 phones after it.
-- F_all need not be listed. The span of n phones that begins at a phone is in F_all if min_phones ≤ n ≤
--   max_phones and n ≤ remaining, and its transcription is the first n characters of `codes`. The definition,
--   with one row per span, is pairs/all_fragments.sql. With speakers = within, only recordings of known
--   speakers have rows.
-- With corpus = covered, a phone that no scored fragment covers is in no utterance, so no span of F_all
--   contains it.
CREATE TABLE "phone_runs" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_phones"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_strings"
) AS slice_, LATERAL (
    WITH "fold_phones" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_phones" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_strings" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_strings" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH
        starts AS (
            SELECT *, coalesce(number <> lag(number) OVER in_file + 1 OR utterance IS DISTINCT FROM lag(utterance) OVER in_file, true) AS begins
            FROM "fold_phones"
            WINDOW in_file AS (PARTITION BY file ORDER BY phone)
        ),
        runs AS (
            SELECT *, count_if(begins) OVER (PARTITION BY file ORDER BY phone ROWS UNBOUNDED PRECEDING) AS run FROM starts
        ),
        strings AS (
            SELECT file, phone, codes || coalesce(lead(codes, 16) OVER (PARTITION BY file ORDER BY phone), '') AS codes
            FROM "phone_strings"
        )
        SELECT '' AS pair_speaker, file, number AS phone, phone AS place, onset, "offset", codes,
            if(utterance IS NULL, 0, count(*) OVER (PARTITION BY file, run ORDER BY number DESC ROWS UNBOUNDED PRECEDING)) AS remaining
        FROM runs
        JOIN strings USING (file, phone)
    )
) AS rows_;

-- ## tde2015.near_disc_subspans
-- relation near_disc_subspans (specs/term_discovery/zerospeech2015/matching.yaml)
-- The pairs of sub-spans that are aligned (see the macro `aligned` in subspans.jinja) in a pair of P_disc
--   whose members share time. There are few such pairs (near_pairs), so they are listed, as in
--   pairs/pairs_star.sql.
-- They cannot be counted in closed form, because two sub-spans of members that share time can overlap or be
--   the same span. found_spans and both_spans add them to what they count for members that share no time.
CREATE TABLE "near_disc_subspans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "near_pairs"
) AS slice_, LATERAL (
    WITH "near_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT file_a, first_phone_a + before_a AS phone_a, file_b, first_phone_b + before_b AS phone_b, size
        FROM (
            SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
            FROM (
                SELECT *, unnest(range(0, size_a - size + 1)) AS before_a
                FROM (
                    SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
                    FROM (SELECT *, last_phone_a - first_phone_a + 1 AS size_a, last_phone_b - first_phone_b + 1 AS size_b FROM "near_pairs" WHERE NOT overlap)
                )
            )
        )
        WHERE (file_a <> file_b OR first_phone_a + before_a <> first_phone_b + before_b)
            AND (before_a <= before_b AND size_a - before_a <= size_b - before_b OR before_a >= before_b AND size_a - before_a >= size_b - before_b)
    )
) AS rows_;

-- ## tde2015.longest_partners
-- relation longest_partners (specs/term_discovery/zerospeech2015/found_pairs.yaml)
-- The members of clusters. `partner_size` is the number of phones of the longest other member of the cluster
--   that shares no time with the member, or NULL if there is none. (Two members share time if they do so when
--   each is extended to the edges of its first and last phone.)
-- By definition, every two members of a cluster are compared. Here three maxima replace the comparisons,
--   because a member that shares no time with another is in another recording, ends before the other begins,
--   or begins after the other ends. The longest member in another recording is in the recording with the
--   longest member of the cluster or, for members of that recording, in the recording with the second
--   longest. The longest member before and the longest member after are running maxima in the order of
--   offsets and onsets.
-- For example, a cluster has members of 4 and 3 phones at 0.0–0.4 and 1.0–1.3 s of file u, and a member of 5
--   phones in file v. Their partner sizes are 5, 5 and 4.
-- The enumerated form is pairs/pairs_disc.sql; tests/conformance/test_zerospeech2015_pairs.py compares the
--   fragments that are in at least one pair. With overlap_across_files, times are compared as if all
--   recordings were one.
CREATE TABLE "longest_partners" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "cluster_members"
) AS slice_, LATERAL (
    WITH "cluster_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "cluster_members" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH members AS (
            SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM "cluster_members"
        ),
        ending AS (
            SELECT cluster, pair_speaker, reach_to AS time, max(max(size)) OVER (PARTITION BY cluster, pair_speaker ORDER BY reach_to) AS size
            FROM members
            GROUP BY cluster, pair_speaker, reach_to
        ),
        beginning AS (
            SELECT cluster, pair_speaker, reach_from AS time, max(max(size)) OVER (PARTITION BY cluster, pair_speaker ORDER BY reach_from DESC) AS size
            FROM members
            GROUP BY cluster, pair_speaker, reach_from
        )
        SELECT member_.* EXCLUDE (size, text, times_listed), member_.size AS span_size,
            greatest(
                before_.size, after_.size) AS partner_size
        FROM members AS member_
        ASOF LEFT JOIN ending AS before_ ON before_.cluster = member_.cluster AND before_.pair_speaker = member_.pair_speaker
             AND member_.reach_from >= before_.time
        ASOF LEFT JOIN beginning AS after_ ON after_.cluster = member_.cluster AND after_.pair_speaker = member_.pair_speaker
             AND member_.reach_to <= after_.time
    )
) AS rows_;

-- ## tde2015.subspan_starts
-- relation subspan_starts (specs/term_discovery/zerospeech2015/matching.yaml)
-- The phones of members of clusters at which a sub-span can begin, with the first codes there: as many as the
--   smallest span of both P_disc* and P_all has. Phones with fewer phones left in their utterance are left
--   out, because no span of both sets begins there.
CREATE TABLE "subspan_starts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "longest_partners"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_runs"
) AS slice_, LATERAL (
    WITH "longest_partners" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "longest_partners" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT start_.cluster, start_.pair_speaker, start_.file, start_.phone, reach_from, reach_to,
            before, span_size, left(codes, 3::BIGINT) AS first_phones
        FROM (SELECT *, first_phone + before AS phone FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM "longest_partners")) AS start_
        JOIN "phone_runs" AS run_
            ON run_.file = start_.file AND run_.phone = start_.phone
            AND remaining >= 3::BIGINT
    )
) AS rows_;

-- ## tde2015.repeated_subspans
-- relation repeated_subspans (specs/term_discovery/zerospeech2015/matching.yaml)
-- The sub-spans of members of clusters, each within one utterance, whose first phones also begin another
--   sub-span of the cluster (`first_phones` of subspan_starts). `text` is the transcription.
-- equal_subspans looks for sub-spans with equal transcriptions. Equal transcriptions have equal first phones,
--   so all other sub-spans are dropped before the many longer ones are listed.
CREATE TABLE "repeated_subspans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "subspan_starts"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_runs"
) AS slice_, LATERAL (
    WITH "subspan_starts" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "subspan_starts" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH repeated AS (
            SELECT "cluster", "pair_speaker", "first_phones" FROM "subspan_starts" GROUP BY ALL HAVING count(*) > 1
        )
        SELECT * EXCLUDE (span_size, codes), span_size - size - before AS after, left(codes, size::INTEGER) AS text
        FROM (
            SELECT start_.* EXCLUDE (first_phones), codes, unnest(range(3::BIGINT, least(span_size - before, remaining, 20::BIGINT - 1) + 1)) AS size
            FROM (FROM "subspan_starts" SEMI JOIN repeated USING ("cluster", "pair_speaker", "first_phones")) AS start_
            JOIN "phone_runs" AS run_
                ON run_.file = start_.file AND run_.phone = start_.phone
        )
    )
) AS rows_;

-- ## tde2015.equal_subspans
-- relation equal_subspans (specs/term_discovery/zerospeech2015/matching.yaml)
-- The sub-spans that are aligned (see the macro `aligned` in subspans.jinja) with a sub-span of equal
--   transcription in another member of their cluster, where the two members share no time.
-- By definition, all pairs of aligned sub-spans are listed and their transcriptions compared
--   (pairs/pairs_star.sql, pairs/pairs_all.sql). Here the sub-spans of a cluster are summarised by
--   transcription, `before` and `after`: the first and last file, the earliest end and the latest start of
--   their members. A sub-span has a partner in such a class if the class is aligned with it and has a member
--   in another recording, a member that ends before the member of the sub-span begins, or a member that
--   begins after it ends.
-- For example, cluster 1 has xabc at 0.0–0.4 s and yabc at 1.0–1.4 s of one recording. In both members, the
--   sub-span abc has 1 phone before and 0 after it. The earliest end in this class is 0.4 s and the latest
--   start 1.0 s, so both sub-spans have a partner.
-- tests/conformance/test_zerospeech2015_pairs.py compares the result, both_spans, with the enumerated form.
CREATE TABLE "equal_subspans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "repeated_subspans"
) AS slice_, LATERAL (
    WITH "repeated_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "repeated_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH classes AS (
            SELECT cluster, pair_speaker, text, before, after, min(file) AS first_file, max(file) AS last_file,
                min(reach_to) AS earliest_end, max(reach_from) AS latest_begin
            FROM "repeated_subspans"
            GROUP BY ALL
        )
        SELECT file, phone, size
        FROM "repeated_subspans" AS span_
        SEMI JOIN classes AS class_
            ON span_.cluster = class_.cluster AND span_.pair_speaker = class_.pair_speaker AND span_.text = class_.text
                AND (span_.before <= class_.before AND span_.after <= class_.after OR span_.before >= class_.before AND span_.after >= class_.after)
                AND (earliest_end <= reach_from OR latest_begin >= reach_to)
    )
) AS rows_;

-- ## tde2015.both_spans
-- relation both_spans, flat(P_disc* ∩ P_all) (specs/term_discovery/zerospeech2015/matching.yaml)
-- The spans that are in a pair of P_disc* ∩ P_all, flat(P_disc* ∩ P_all): the span is aligned with another
--   span (see the macro `aligned` in subspans.jinja), the two have equal transcriptions, each lies in one
--   utterance, and the two do not overlap.
-- By definition, both sets of pairs are listed and intersected (pairs/pairs_star.sql, pairs/pairs_all.sql).
--   Here equal_subspans finds the spans of members that share no time, without listing pairs. Pairs of
--   sub-spans of members that share time are listed (near_disc_subspans), without those that overlap or have
--   different transcriptions. With completion = minimal_paths, all pairs of P_disc* are listed, and
--   path_matches has those of both sets.
-- For example, with min_phones = 2, the members abab at 0.0–0.4 s and abab at 0.2–0.6 s share half of their
--   time, not more, so they are a pair of P_disc. Their aligned sub-spans ab at 0.0 s and ab at 0.2 s are a
--   pair of both sets.
-- tests/conformance/test_zerospeech2015_pairs.py compares the two.
CREATE TABLE "both_spans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "phone_runs"
    UNION
    SELECT DISTINCT "by_fold" FROM "near_disc_subspans"
    UNION
    SELECT DISTINCT "by_fold" FROM "equal_subspans"
) AS slice_, LATERAL (
    WITH "phone_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "near_disc_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_disc_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "equal_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "equal_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH begun AS MATERIALIZED (
            SELECT pair_.*, left(codes, size::INTEGER) AS text, onset AS onset_a
            FROM "near_disc_subspans" AS pair_
            JOIN "phone_runs" AS run_ ON run_.file = file_a AND run_.phone = phone_a
            WHERE remaining >= size AND size >= 3::BIGINT
        ),
        equal AS MATERIALIZED (
            SELECT pair_.*, onset AS onset_b
            FROM begun AS pair_
            JOIN "phone_runs" AS run_ ON run_.file = file_b AND run_.phone = phone_b
            WHERE remaining >= size AND left(codes, size::INTEGER) = text
        ),
        ended AS MATERIALIZED (
            SELECT pair_.*, "offset" AS offset_a
            FROM equal AS pair_
            JOIN "phone_runs" AS run_ ON run_.file = file_a AND run_.phone = phone_a + size - 1
        ),
        timed AS MATERIALIZED (
            SELECT pair_.*, "offset" AS offset_b
            FROM ended AS pair_
            JOIN "phone_runs" AS run_ ON run_.file = file_b AND run_.phone = phone_b + size - 1
        ),
        touching AS MATERIALIZED (
            SELECT DISTINCT unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size
            FROM timed
            WHERE NOT (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(0.03e0)
                    OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))
        ),
        apart AS MATERIALIZED (
            SELECT DISTINCT file, phone, size FROM "equal_subspans"
        )
        SELECT file, phone, size
        FROM apart
        FULL JOIN touching USING (file, phone, size)
    )
) AS rows_;

-- ## tde2015.distinct_members
-- relation distinct_members (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The distinct members of clusters, as spans of phones: members with the same phones are counted once,
--   because a sub-span is identified by its phones. Members of fewer phones than any sub-span have no
--   sub-spans and are left out.
-- `codes` has one character per phone of the member, and a blank for each phone that the fold lacks. So the
--   transcription of the sub-span of n phones after the first b phones is substr(codes, b + 1, n) without
--   blanks. For example, a member has the phones 4 to 7, and the fold lacks phone 6. If the others are a, b
--   and c, `codes` is "ab c", and the transcription of the sub-span of the phones 5 to 7 is "bc".
CREATE TABLE "distinct_members" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "cluster_members"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_runs"
) AS slice_, LATERAL (
    WITH "cluster_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "cluster_members" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH members AS (
            SELECT DISTINCT file, first_phone, span_size, cluster, pair_speaker, text
            FROM (SELECT *, last_phone - first_phone + 1 AS span_size FROM "cluster_members")
            WHERE span_size >= 3::BIGINT
        ),
        padded AS (
            SELECT lacking_.file, first_phone, span_size, string_agg(coalesce(left(codes, 1), ' '), '' ORDER BY number) AS codes
            FROM (
                SELECT *, unnest(range(first_phone, first_phone + span_size)) AS number
                FROM (SELECT DISTINCT file, first_phone, span_size FROM members WHERE length(text) < span_size)
            ) AS lacking_
            LEFT JOIN "phone_runs" AS run_
                ON run_.file = lacking_.file AND run_.phone = number
            GROUP BY ALL
        )
        SELECT file, first_phone, span_size, cluster, pair_speaker, coalesce(codes, text) AS codes
        FROM members
        LEFT JOIN padded USING (file, first_phone, span_size)
    )
) AS rows_;

-- ## tde2015.recounted_members
-- relation recounted_members (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The members whose sub-spans can be aligned with another sub-span in more than one way, or can be aligned in
--   a pair of members that overlap. Only their sub-spans need to be listed (recounted_subspans). Those of all
--   other members are counted by the lengths of members alone (macro `partners`).
-- By definition, all sub-spans are listed, and those pairs are counted that are aligned in two pairs of
--   members (I, J) and (K, L): I and K contain the first sub-span, J and L the second. If all four are in one
--   cluster, two members of the cluster share time, so near_pairs has them, and all members of such a cluster
--   are listed here. If I and J are in one cluster and K and L in another, two members of the one cluster
--   share phones with members of the other. So from clusters that share phones in at least two pairs of
--   members, those members are listed.
-- For example, cluster 2 has ab at 2.0 s, ab at 3.0 s and cd at 4.0 s; cluster 3 has the same two ab and bc.
--   The two clusters share phones in two pairs of members, so the four ab are listed. A cluster that shares
--   only cd with cluster 2 has no member here.
CREATE TABLE "recounted_members" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "distinct_members"
    UNION
    SELECT DISTINCT "by_fold" FROM "near_pairs"
) AS slice_, LATERAL (
    WITH "distinct_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "distinct_members" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "near_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH sharing AS (
            SELECT a, b
            FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM "distinct_members") AS a
            JOIN "distinct_members" AS b
                ON b.file = a.file AND b.first_phone = a.first_phone + a.before
            WHERE a.cluster <> b.cluster AND (before > 0 OR a.cluster < b.cluster)
            QUALIFY count(*) OVER (PARTITION BY a.pair_speaker, least(a.cluster, b.cluster), greatest(a.cluster, b.cluster)) > 1
        )
        SELECT cluster, pair_speaker, file, first_phone, span_size FROM "distinct_members" SEMI JOIN "near_pairs" USING (cluster, pair_speaker)
        UNION ALL
        SELECT cluster, pair_speaker, file, first_phone, span_size FROM (SELECT unnest(a) FROM sharing)
        UNION ALL
        SELECT cluster, pair_speaker, file, first_phone, span_size FROM (SELECT unnest(b) FROM sharing)
    )
) AS rows_;

-- ## tde2015.member_lengths
-- relation member_lengths (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The lengths of members that each cluster has, in phones, with the number of distinct members (`spans`) of
--   the length.
-- `first_class` and `first_group` number classes of sub-spans and size groups (recounted_subspans) without a
--   table of them: the class of a sub-span is first_class + before * (max_phones + 1) + size, its size group
--   is first_group + size. These numbers are different for different classes, because size is at most
--   max_phones, and before is at most the length of the longest member.
CREATE TABLE "member_lengths" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "distinct_members"
) AS slice_, LATERAL (
    WITH "distinct_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "distinct_members" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT cluster, pair_speaker, span_size, count(*) AS spans,
            row_number() OVER (ORDER BY cluster, pair_speaker, span_size) * (max(span_size) OVER () + 1) * (20::BIGINT + 1) AS first_class,
            dense_rank() OVER (ORDER BY cluster, pair_speaker) * (20::BIGINT + 1) AS first_group
        FROM "distinct_members"
        GROUP BY cluster, pair_speaker, span_size
    )
) AS rows_;

-- ## tde2015.recounted_subspans
-- relation recounted_subspans (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The sub-spans of `found_min_phones` to `max_phones` phones of recounted_members, each with the numbers of
--   phones of the member `before` and `after` it. A sub-span that is part of two members has two rows.
-- Two sub-spans are aligned if they are at the same place when the shorter transcription is laid along the
--   longer one at some offset. Size, `before` and `after` decide that: two sub-spans of equal size are
--   aligned if one of them has at most as many phones before it and at most as many after it as the other. ab
--   of abcd has 0 before and 2 after it; ef of efg has 0 and 1, so the two are aligned. fg of efg has 1 and
--   0, so ab and fg are not aligned.
CREATE TABLE "recounted_subspans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "longest_partners"
    UNION
    SELECT DISTINCT "by_fold" FROM "recounted_members"
    UNION
    SELECT DISTINCT "by_fold" FROM "member_lengths"
) AS slice_, LATERAL (
    WITH "longest_partners" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "longest_partners" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "recounted_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "recounted_members" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "member_lengths" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "member_lengths" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT cluster, pair_speaker, file, onset, "offset", size,
            first_phone + before AS phone, before, span_size - size - before AS after,
            first_class + before * (20::BIGINT + 1) + size AS class, first_group + size AS size_group
        FROM (
            SELECT *, unnest(range(0, span_size - size + 1)) AS before
            FROM (
                SELECT *, unnest(range(3::BIGINT, least(span_size, 20::BIGINT - 1) + 1)) AS size
                FROM "longest_partners"
                SEMI JOIN "recounted_members" USING (cluster, pair_speaker, file, first_phone, span_size)
                JOIN (SELECT * EXCLUDE (spans) FROM "member_lengths") USING (cluster, pair_speaker, span_size)
            )
        )
    )
) AS rows_;

-- ## tde2015.subspan_strings
-- relation subspan_strings (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The phones at which a sub-span of a member can begin, each with the codes of the longest sub-span that
--   begins there, at most `max_phones`. A blank stands for a phone that the fold lacks (distinct_members).
--   The transcription of a sub-span of n phones is the first n characters, without blanks.
CREATE TABLE "subspan_strings" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "distinct_members"
) AS slice_, LATERAL (
    WITH "distinct_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "distinct_members" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT file, first_phone + before AS phone, arg_max(substr(codes, before + 1, 20::BIGINT), span_size - before) AS codes
        FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM "distinct_members")
        GROUP BY ALL
    )
) AS rows_;

-- ## tde2015.recounted_spans
-- relation recounted_spans (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The distinct sub-spans of recounted_members, each with its transcription, the set of its classes
--   (`classes`, of recounted_subspans) and the number of that set (`signature`). `in_gold`: the span is in
--   F_all, because it lies in one utterance, the fold lacks none of its phones, and it has at least
--   `min_phones` phones.
-- By definition, the partners of every span are listed (pairs/pairs_star.sql). Spans with equal signatures
--   are in the same classes, so they have the same partners, and matching_types counts signatures and
--   transcriptions instead of spans. A span is in two classes if it is part of two members. For example, with
--   abcd (phones 1–4) and bcde (phones 2–5) in one cluster, bcd is in the class "3 phones, 1 before, 0 after"
--   and in the class "3 phones, 0 before, 1 after".
CREATE TABLE "recounted_spans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "recounted_subspans"
    UNION
    SELECT DISTINCT "by_fold" FROM "subspan_strings"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_runs"
) AS slice_, LATERAL (
    WITH "recounted_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "recounted_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "subspan_strings" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "subspan_strings" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH signed AS (
            WITH elements AS (
                SELECT file, phone, size, min(class) AS lowest, max(class) AS highest FROM "recounted_subspans" GROUP BY ALL
            ),
            listed AS (
                SELECT file, phone, size, list(DISTINCT class ORDER BY class) AS classes
                FROM "recounted_subspans"
                SEMI JOIN (FROM elements WHERE lowest < highest) USING (file, phone, size)
                GROUP BY ALL
            ),
            multiple AS (
                SELECT *, -dense_rank() OVER (ORDER BY classes) AS signature FROM listed
            )
            SELECT file, phone, size, signature, classes FROM multiple
            UNION ALL
            SELECT file, phone, size, lowest, [lowest] FROM elements WHERE lowest = highest
        )
        SELECT signed.*, coalesce(run_.remaining >= size, false) AND size >= 3::BIGINT AS in_gold, replace(left(string_.codes, (size)::INTEGER), ' ', '') AS text
        FROM signed
        JOIN "subspan_strings" AS string_
            ON string_.file = signed.file AND string_.phone = signed.phone
        LEFT JOIN "phone_runs" AS run_
            ON run_.file = signed.file AND run_.phone = signed.phone
    )
) AS rows_;

-- ## tde2015.subspan_counts
-- relation subspan_counts (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The clusters, each with a list of numbers of sub-spans: element n is the number of sub-spans of n phones of
--   the members of the cluster, for n from 1 to one more than the number of phones of the longest member. A
--   member of m ≥ n phones has m − n + 1 of them. For example, a cluster has abcd and efg. The list is [7, 5,
--   3, 1, 0].
-- The number of partners of a sub-span follows from this list: see the macro `partners` in subspans.jinja.
CREATE TABLE "subspan_counts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "member_lengths"
) AS slice_, LATERAL (
    WITH "member_lengths" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "member_lengths" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT cluster, pair_speaker,
            [list_sum([n.spans * greatest(n.span_size - size + 1, 0) for n in lengths])::BIGINT for size in range(1, longest + 2)] AS subspans
        FROM (
            SELECT cluster, pair_speaker, list({span_size: span_size, spans: spans}) AS lengths, max(span_size) AS longest
            FROM "member_lengths"
            GROUP BY ALL
        )
    )
) AS rows_;

-- ## tde2015.multiple_alignments
-- relation multiple_alignments (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The ordered pairs of signatures (recounted_spans) whose sub-spans are aligned in more than one way. A
--   signature is also paired with itself. `ways` is the number of pairs of a class of the first and a class
--   of the second signature that are aligned.
-- By definition, P_disc* is a set that contains a pair of sub-spans once (pairs/pairs_star.sql). A sum over
--   classes counts the pair once per way, and matching_types subtracts the surplus. For example, the spans ab
--   at 2.0 s and ab at 3.0 s are members of both cluster 2 and cluster 3. Each has two classes, and the two
--   spans are aligned in both clusters: `ways` is 2.
-- Not all signatures are compared. More than one way is possible only if the two signatures have two size
--   groups (recounted_subspans) in common, or if one of them has two classes of one size group. Equality
--   joins find these candidates, and only their ways are counted.
-- tests/conformance/test_zerospeech2015_pairs.py compares the result, matching_types, with the enumerated
--   form.
CREATE TABLE "multiple_alignments" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "recounted_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "recounted_subspans"
) AS slice_, LATERAL (
    WITH "recounted_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "recounted_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "recounted_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "recounted_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH signatures AS (
            SELECT signature, any_value(classes) AS classes FROM "recounted_spans" GROUP BY ALL
        ),
        members AS (
            SELECT signature, repeated, class, size_group, before, after
            FROM (SELECT signature, len(classes) > 1 AS repeated, unnest(classes) AS class FROM signatures)
            JOIN (SELECT DISTINCT class, size_group, before, after FROM "recounted_subspans") USING (class)
        ),
        group_pairs AS (
            SELECT signature, a.size_group, a.before, a.after, b.size_group AS other_size_group, b.before AS other_before, b.after AS other_after
            FROM (FROM members WHERE repeated) AS a
            JOIN (FROM members WHERE repeated) AS b USING (signature)
            WHERE a.size_group < b.size_group
        ),
        one_group AS (
            SELECT a.signature AS one, b.signature AS other
            FROM (SELECT signature, size_group FROM members WHERE repeated GROUP BY ALL HAVING count(*) > 1) AS a
            JOIN members AS b USING (size_group)
        ),
        candidates AS (
            SELECT a.signature AS signature_a, b.signature AS signature_b
            FROM group_pairs AS a
            JOIN group_pairs AS b USING (size_group, other_size_group)
            WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
                AND (a.other_before <= b.other_before AND a.other_after <= b.other_after OR a.other_before >= b.other_before AND a.other_after >= b.other_after)
            UNION
            SELECT one, other FROM one_group
            UNION
            SELECT other, one FROM one_group
        )
        SELECT signature_a, signature_b, count(*) AS ways
        FROM candidates
        JOIN members AS a ON a.signature = signature_a
        JOIN members AS b ON b.signature = signature_b AND b.size_group = a.size_group
        WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
        GROUP BY ALL
        HAVING count(*) > 1
    )
) AS rows_;

-- ## tde2015.near_subspans
-- relation near_subspans (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The distinct pairs of sub-spans that are aligned (see recounted_subspans) in a pair of near_pairs. `found`:
--   the pair of sub-spans is in P_disc*, because it is aligned in at least one pair of P_disc.
-- matching_types counts aligned sub-spans of all pairs of members, including members that overlap and so are
--   not a pair of P_disc. It must subtract the pairs of sub-spans that are not found.
-- By definition, `found` says whether pairs/pairs_star.sql contains the pair. Here the pair is found if one
--   of its pairs of near_pairs does not overlap. Otherwise, and only then, all members that contain the two
--   sub-spans are searched for two of one cluster that do not overlap and in which the sub-spans are aligned.
-- For example, abcdefg at 0.0–0.7 s and defghij at 0.3–1.0 s share 0.4 of 0.7 s, so they overlap. Their
--   aligned sub-spans abc and def are in P_disc* only if some cluster has members that contain them, aligned,
--   and do not overlap, such as abc at 0.0–0.3 s and def at 0.3–0.6 s.
CREATE TABLE "near_subspans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "near_pairs"
    UNION
    SELECT DISTINCT "by_fold" FROM "recounted_subspans"
) AS slice_, LATERAL (
    WITH "near_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "recounted_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "recounted_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH pairs AS (
            SELECT "overlap", file_a, first_phone_a + before_a AS phone_a, file_b, first_phone_b + before_b AS phone_b, size
            FROM (
                SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
                FROM (
                    SELECT *, unnest(range(0, size_a - size + 1)) AS before_a
                    FROM (
                        SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
                        FROM (SELECT *, last_phone_a - first_phone_a + 1 AS size_a, last_phone_b - first_phone_b + 1 AS size_b FROM "near_pairs")
                    )
                )
            )
            WHERE (file_a <> file_b OR first_phone_a + before_a <> first_phone_b + before_b)
                AND (before_a <= before_b AND size_a - before_a <= size_b - before_b OR before_a >= before_b AND size_a - before_a >= size_b - before_b)
        ),
        near AS (
            SELECT file_a, phone_a, file_b, phone_b, size, bool_or(NOT overlap) AS found
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
            JOIN "recounted_subspans" AS a
                ON a.file = file_a AND a.phone = phone_a AND a.size = near_.size
            JOIN "recounted_subspans" AS b
                ON b.file = file_b AND b.phone = phone_b AND b.size = near_.size
                AND b.cluster = a.cluster AND b.pair_speaker = a.pair_speaker
            WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
                AND NOT (shared_time(a.onset, a."offset", b.onset, b."offset") > seconds(1e-08) AND (shared_time(a.onset, a."offset", b.onset, b."offset") > seconds(0.03e0)
                    OR more_than_part_of_seconds(shared_time(a.onset, a."offset", b.onset, b."offset"), 0.5e0, least(a."offset" - a.onset, b."offset" - b.onset))))
        )
        SELECT near.* REPLACE (found OR otherwise_.size IS NOT NULL AS found)
        FROM near
        LEFT JOIN found_otherwise AS otherwise_ USING (file_a, phone_a, file_b, phone_b, size)
    )
) AS rows_;

-- ## tde2015.found_spans
-- relation found_spans, flat(P_disc*) (specs/term_discovery/zerospeech2015/matching.yaml)
-- The spans that are in a pair of P_disc*, flat(P_disc*).
-- By definition, the pairs are listed and their spans collected (pairs/pairs_star.sql). But if two members of
--   a cluster share no time, a sub-span of n phones of the one is aligned with a sub-span of the other
--   whenever the other has n phones or more, because the shorter transcription is laid along all of the
--   longer one. So a sub-span is in a pair if the longest partner of its member (longest_partners) has at
--   least n phones. And if a span is in a pair, so are the shorter spans that begin at the same phone; the
--   longest one at each phone represents them. Pairs of members that share time are listed
--   (near_disc_subspans). With completion = minimal_paths, all pairs are listed (path_pairs).
-- For example, with found_min_phones = 2, the longest partner of abcd is efg, with 3 phones. The longest
--   spans in pairs are abc, bcd and cd. So ab, abc, bc, bcd and cd are in pairs, and abcd is not.
CREATE TABLE "found_spans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "longest_partners"
    UNION
    SELECT DISTINCT "by_fold" FROM "near_disc_subspans"
) AS slice_, LATERAL (
    WITH "longest_partners" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "longest_partners" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "near_disc_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_disc_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH in_members AS MATERIALIZED (
            SELECT file, first_phone + before AS phone, max(least(span_size - before, partner_size)) AS longest
            FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM (FROM "longest_partners" WHERE partner_size IS NOT NULL))
            GROUP BY ALL
        ),
        touching AS MATERIALIZED (
            SELECT file, phone, max(size) AS longest_touching
            FROM (SELECT unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size FROM "near_disc_subspans")
            GROUP BY ALL
        )
        SELECT file, phone, unnest(range(3::BIGINT, least(greatest(longest, longest_touching), 20::BIGINT - 1) + 1)) AS size
        FROM in_members
        FULL JOIN touching USING (file, phone)
    )
) AS rows_;

-- ## tde2015.recurring_spans
-- relation recurring_spans (specs/term_discovery/zerospeech2015/folds.yaml)
-- The spans of F_all (`min_phones` to `max_phones` consecutive phones of one utterance) whose transcription
--   another span has, too. `spans` is the number of spans with the transcription. No other span is in a pair
--   of P_all.
-- By definition, all spans are listed and grouped by transcription (pairs/all_fragments.sql). Here only the
--   longest span at each phone is listed, and these are sorted by transcription, as in a suffix array. A
--   shorter span that begins at the same phone is a prefix of the longest one. In the sorted order, strings
--   with a common prefix are next to each other. So a span has the transcription of another one if and only
--   if the string before or the string after begins with it.
-- For example, the longest spans are abcd, abd and bcd. The string abd is between abcd and bcd. It shares ab
--   with abcd, and nothing with bcd: at this phone, only the span ab recurs.
-- tests/conformance/test_zerospeech2015_pairs.py compares the result, gold_spans, with the enumerated form.
CREATE TABLE "recurring_spans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "phone_runs"
) AS slice_, LATERAL (
    WITH "phone_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH longest AS (
            SELECT pair_speaker, file, phone, onset, left(codes, least(remaining, 20::BIGINT)::INTEGER) AS string
            FROM "phone_runs"
            WHERE remaining >= 3::BIGINT
        ),
        sorted AS (
            SELECT *, lag(string) OVER by_string AS previous, lead(string) OVER by_string AS next
            FROM longest
            WINDOW by_string AS (PARTITION BY pair_speaker ORDER BY string)
        ),
        spans AS (
            SELECT *, left(string, size::INTEGER) AS text
            FROM (SELECT *, unnest(range(3::BIGINT, length(string) + 1)) AS size FROM sorted WHERE starts_with(previous, left(string, 3::BIGINT)) OR starts_with(next, left(string, 3::BIGINT)))
            WHERE starts_with(previous, text) OR starts_with(next, text)
        )
        SELECT span_.pair_speaker, text, span_.file, span_.phone, size, span_.onset, last_."offset",
            count(*) OVER (PARTITION BY span_.pair_speaker, text) AS spans
        FROM spans AS span_
        JOIN "phone_runs" AS last_
            ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1
    )
) AS rows_;

-- ## tde2015.gold_spans
-- relation gold_spans, flat(P_all) (specs/term_discovery/zerospeech2015/folds.yaml)
-- The spans that are in a pair of P_all, flat(P_all), with the number of pairs that each is in (`partners`).
-- By definition, all pairs of spans with equal transcriptions are listed, without those that overlap
--   (pairs/pairs_all.sql). Here a span is in n − 1 pairs if n spans have its transcription, minus the pairs
--   with spans that overlap it. Only spans of one recording that share time can overlap, so only those are
--   compared.
-- For example, three spans have the transcription `aaaa`, at 0.0–0.4, 0.1–0.5 and 2.0–2.4 s. The first two
--   share 0.3 of 0.4 s, more than half, so they are not a pair. The numbers of partners are 2 − 1, 2 − 1 and
--   2.
CREATE TABLE "gold_spans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "recurring_spans"
) AS slice_, LATERAL (
    WITH "recurring_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "recurring_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH sharing AS (
            WITH slots AS (
                SELECT greatest(2 * avg("offset" - onset), seconds(1e-6)) AS width FROM "recurring_spans"
            ),
            laid AS (
                SELECT *, unnest(range(floor(onset / width)::BIGINT, floor("offset" / width)::BIGINT + 1)) AS slot FROM "recurring_spans", slots
            )
            SELECT pair_speaker, text, a.file AS file_a, b.file AS file_b, a."phone" AS phone_a, b."phone" AS phone_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b
            FROM laid AS a
            JOIN laid AS b USING (pair_speaker, text, slot)
            WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
                AND a.onset < b."offset" AND b.onset < a."offset"
                AND slot = floor(greatest(a.onset, b.onset) / a.width)::BIGINT
        ),
        overlapping AS (
            SELECT pair_speaker, text, unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone
            FROM sharing
            WHERE (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(0.03e0)
                    OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))
        ),
        counted AS (
            SELECT *, count(*) AS clashes FROM overlapping GROUP BY ALL
        )
        SELECT pair_speaker, text, file, phone, size, onset, "offset", spans - 1 - coalesce(clashes, 0) AS partners
        FROM "recurring_spans"
        LEFT JOIN counted USING (pair_speaker, text, file, phone)
        WHERE partners > 0
    )
) AS rows_;

-- ## tde2015.gold_types
-- relation gold_types, P_all (specs/term_discovery/zerospeech2015/folds.yaml)
-- The transcriptions t of the spans in pairs of P_all, with the number of these spans, |match(t, P_all)|, and
--   the number of ends of pairs with transcription t, N(t, P_all). Each pair that a span is in has one end
--   there, so the ends are the sum of `partners` over the spans. The enumerated form is pairs/pairs_all.sql;
--   tests/conformance/test_zerospeech2015_pairs.py compares the two.
CREATE TABLE "gold_types" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "gold_spans"
) AS slice_, LATERAL (
    WITH "gold_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT text, count(*) AS spans, sum(partners)::BIGINT AS ends FROM "gold_spans" GROUP BY ALL
    )
) AS rows_;

-- ## tde2015.both_types
-- relation both_types, match(t, P), N(t, P) (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The transcriptions of the spans in pairs of both P_disc* and P_all, counted as matching_types.sql explains.
--   No other transcription has an end of a pair in both sets, so matching_pairs needs only its number of
--   spans.
CREATE TABLE "both_types" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "both_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_runs"
    UNION
    SELECT DISTINCT "by_fold" FROM "recounted_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "distinct_members"
    UNION
    SELECT DISTINCT "by_fold" FROM "subspan_counts"
    UNION
    SELECT DISTINCT "by_fold" FROM "repeated_subspans"
    UNION
    SELECT DISTINCT "by_fold" FROM "multiple_alignments"
    UNION
    SELECT DISTINCT "by_fold" FROM "near_subspans"
    UNION
    SELECT DISTINCT "by_fold" FROM "found_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "subspan_strings"
    UNION
    SELECT DISTINCT "by_fold" FROM "gold_types"
) AS slice_, LATERAL (
    WITH "both_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "both_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "recounted_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "recounted_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "distinct_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "distinct_members" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "subspan_counts" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "subspan_counts" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "repeated_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "repeated_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "multiple_alignments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "multiple_alignments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "near_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "found_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "found_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "subspan_strings" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "subspan_strings" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "gold_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_types" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH both_texts AS (
            SELECT DISTINCT left(codes, size::INTEGER) AS text FROM "both_spans" JOIN "phone_runs" USING (file, phone)
        )
        FROM (
            WITH types AS MATERIALIZED (
                SELECT signature, text, in_gold, count(*) AS spans FROM "recounted_spans" GROUP BY ALL
            ),
            -- the signatures of several classes; any other signature is the number of its only class
            several AS (
                SELECT signature, any_value(classes) AS classes FROM "recounted_spans" WHERE signature < 0 GROUP BY ALL
            ),
            -- step 1, for the found pairs
            counted AS (
                SELECT replace(left(codes, (size)::INTEGER), ' ', '') AS text, subspans[size] - subspans[size + before + 1] - subspans[size + (span_size - size - before) + 1]
                    + 2 * subspans[size + before + (span_size - size - before) + 1] - 1 AS partners
                FROM (
                    SELECT *, unnest(range(3::BIGINT, least(span_size - before, 20::BIGINT - 1) + 1)) AS size
                    FROM (
                        SELECT * REPLACE (substr(codes, before + 1, 20::BIGINT) AS codes)
                        FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM "distinct_members" JOIN "subspan_counts" USING (cluster, pair_speaker))
                    )
                )
            ),
            -- step 1, for the pairs in both sets
            within_gold AS (
                SELECT cluster, pair_speaker, text, before, after, count(*) AS spans
                FROM (SELECT DISTINCT cluster, pair_speaker, text, before, after, file, phone FROM "repeated_subspans" SEMI JOIN both_texts USING (text))
                GROUP BY ALL
            ),
            -- step 2, with k = `ways`: k - 1 counts of each pair of different spans; within one signature also the counts of a span
            -- as its own partner: k, minus the one per class that the macro `partners` has already subtracted
            repeated AS (
                SELECT a.text, a.in_gold AND b.in_gold AND a.text = b.text AS matching,
                    a.spans * if(itself, (b.spans - 1) * (ways - 1) + ways - coalesce(len(classes), 1), b.spans * (ways - 1)) AS ends
                FROM (
                    SELECT ways, a, b, classes, (a.signature = b.signature AND a.text = b.text AND a.in_gold = b.in_gold) AS itself
                    FROM "multiple_alignments" AS ways_
                    JOIN types AS a ON a.signature = signature_a
                    JOIN types AS b ON b.signature = signature_b
                    LEFT JOIN several ON several.signature = signature_a
                )
            ),
            near_by_a AS MATERIALIZED (
                SELECT * RENAME (text AS text_a, in_gold AS in_gold_a, onset AS onset_a, "offset" AS offset_a)
                FROM (
                    SELECT near_.*, text, in_gold, first_.onset, last_."offset"
                    FROM "near_subspans" AS near_
                    JOIN "recounted_spans" AS span_
                        ON span_.file = near_.file_a AND span_.phone = near_.phone_a AND span_.size = near_.size
                    LEFT JOIN "phone_runs" AS first_
                        ON first_.file = near_.file_a AND first_.phone = near_.phone_a
                    LEFT JOIN "phone_runs" AS last_
                        ON last_.file = near_.file_a AND last_.phone = near_.phone_a + near_.size - 1
                )
            ),
            near AS (
                SELECT found, text_a, text, in_gold_a AND in_gold AND text_a = text AS matching,
                    (shared_time(onset_a, offset_a, onset, "offset") > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset, "offset") > seconds(0.03e0)
                        OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset, "offset"), 0.5e0, least(offset_a - onset_a, "offset" - onset)))) AS overlapping
                FROM (
                    SELECT near_.*, text, in_gold, first_.onset, last_."offset"
                    FROM near_by_a AS near_
                    JOIN "recounted_spans" AS span_
                        ON span_.file = near_.file_b AND span_.phone = near_.phone_b AND span_.size = near_.size
                    LEFT JOIN "phone_runs" AS first_
                        ON first_.file = near_.file_b AND first_.phone = near_.phone_b
                    LEFT JOIN "phone_runs" AS last_
                        ON last_.file = near_.file_b AND last_.phone = near_.phone_b + near_.size - 1
                ) AS near_
            ),
            labelled AS (
                SELECT text, count(*) AS found_spans
                FROM (
                    SELECT replace(left(codes, (size)::INTEGER), ' ', '') AS text
                    FROM "found_spans"
                    JOIN "subspan_strings" USING (file, phone)
                ) SEMI JOIN both_texts USING (text)
                GROUP BY ALL
            ),
            ends AS (
                SELECT text, 'found' AS set_, sum(partners)::BIGINT AS ends FROM counted SEMI JOIN both_texts USING (text) GROUP BY ALL
                UNION ALL
                SELECT text, 'found', -sum(ends)::BIGINT FROM repeated SEMI JOIN both_texts USING (text) GROUP BY ALL
                UNION ALL
                SELECT text, 'found', -1 FROM (SELECT unnest([text_a, text]) AS text FROM near WHERE NOT found) SEMI JOIN both_texts USING (text)
                UNION ALL
                SELECT text, 'both', sum(a.spans * (b.spans - (a.before = b.before AND a.after = b.after)::BIGINT))::BIGINT
                FROM within_gold AS a
                JOIN within_gold AS b USING (cluster, pair_speaker, text)
                WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
                GROUP BY ALL
                UNION ALL
                SELECT text, 'both', -sum(ends)::BIGINT FROM repeated SEMI JOIN both_texts USING (text) WHERE matching GROUP BY ALL
                UNION ALL
                SELECT text, 'both', -2 FROM near SEMI JOIN both_texts USING (text) WHERE matching AND (overlapping OR NOT found)
            )
            SELECT text,
                coalesce(sum(found_spans), 0)::BIGINT AS found_spans, coalesce(sum(gold_spans), 0)::BIGINT AS gold_spans,
                coalesce(sum(found_ends), 0)::BIGINT AS found_ends,
                coalesce(sum(gold_ends), 0)::BIGINT AS gold_ends, coalesce(sum(both_ends), 0)::BIGINT AS both_ends
            FROM (
                FROM labelled
                UNION ALL BY NAME
                SELECT text, spans AS gold_spans, ends AS gold_ends FROM "gold_types" SEMI JOIN both_texts USING (text)
                UNION ALL BY NAME
                SELECT text, if(set_ = 'found', ends, NULL) AS found_ends, if(set_ = 'both', ends, NULL) AS both_ends FROM ends
            )
            GROUP BY ALL
        )
    )
) AS rows_;

-- ## tde2015.matching_spans
-- relation matching_spans, flat(P_disc*), flat(P_all)
--   (specs/term_discovery/zerospeech2015/matching.yaml)
-- The distinct spans of flat(P_disc*) (found), flat(P_all) (gold) and flat(P_disc* ∩ P_all) (both). The
--   frequencies of transcriptions cancel in the published formulas, so matching precision is both / found and
--   recall is both / gold.
CREATE TABLE "matching_spans" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "found_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "gold_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "both_spans"
) AS slice_, LATERAL (
    WITH "found_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "found_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "gold_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "both_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "both_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT file, phone, size, coalesce(in_found, false) AS in_found, coalesce(in_gold, false) AS in_gold, coalesce(in_both, false) AS in_both
        FROM (SELECT file, phone, size, true AS in_found FROM "found_spans")
        FULL JOIN (SELECT file, phone, size, true AS in_gold FROM "gold_spans") USING (file, phone, size)
        FULL JOIN (SELECT file, phone, size, true AS in_both FROM "both_spans") USING (file, phone, size)
    )
) AS rows_;

-- ## tde2015.matching_counts
-- relation matching_counts (specs/term_discovery/zerospeech2015/matching.yaml)
-- The numbers of found and gold spans of matching, and how many of each are correct. With match_counts =
--   fragments, the published form, a span is correct if it is in a pair of P_disc* ∩ P_all. With match_counts
--   = pairs, the share of the spans with transcription t that is correct is the share of the ends of pairs
--   with transcription t that is in both sets. This share is 0 for all transcriptions that are not in
--   both_types.
CREATE TABLE "matching_counts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "both_types"
    UNION
    SELECT DISTINCT "by_fold" FROM "matching_spans"
) AS slice_, LATERAL (
    WITH "both_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "both_types" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "matching_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "matching_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT * REPLACE (0 AS found, 0 AS gold)
        FROM (
            SELECT found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
                gold_spans * ratio(both_ends, gold_ends) AS gold_hits
            FROM "both_types"
        )
        UNION ALL
        SELECT count(*) FILTER (WHERE in_found), count(*) FILTER (WHERE in_gold), 0, 0 FROM "matching_spans" GROUP BY ALL
    )
) AS rows_;

-- ## tde2015.matching_scopes
-- metric matching, slices (specs/term_discovery/zerospeech2015/matching.yaml)
-- Matching precision, recall and F: whether stretches of speech that were found to be similar have the same
--   phones. A found pair (P_disc*) is two sub-spans, at corresponding places, of two fragments of one
--   cluster; `completion` says which places correspond. A gold pair (P_all) is two spans of the corpus with
--   the same transcription. Spans that overlap are not a pair. Precision is the share of the spans in found
--   pairs that are in a pair that is also gold; recall is the share of the spans in gold pairs that are in a
--   pair that is also found. matching_pairs counts pairs instead of spans; so does this metric in tde2015,
--   which sets the parameters of its evaluator.
CREATE TABLE "matching_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.matching_units
-- metric matching, statistics per unit (specs/term_discovery/zerospeech2015/matching.yaml)
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
CREATE TABLE "matching" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('speakers', 'total') AS scope,
        json_object('speakers', 'total') AS slice,
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
-- The fragments, each with its number of partners in P_clus (`found`), in P_goldclus (`gold`) and in P_clus ∩
--   P_goldclus (`both`). `earlier` is the number of partners in P_clus that come before it by recording and
--   time.
-- By definition, the pairs are listed (pairs/pairs_clus.sql, pairs/pairs_goldclus.sql). Here partners are
--   counted:
-- 1. Members of one cluster. In a cluster of n members, a fragment has n − 1 partners. If n_t of them have
--   its transcription t, n_t − 1 of the partners do, too. (`partners`, first part) 2. Clusters in common. Two
--   fragments with k clusters in common are counted k times. k − 1 counts are subtracted. (`repeated`, from
--   shared_signatures) 3. Shared time. Two fragments with equal transcriptions that share time are not gold.
--   The few pairs that share time are listed and subtracted from `both`. (`near`) 4. Gold pairs. A fragment
--   has one partner for each other fragment with transcription t, minus those that share time with it.
--   (`alike`, `sharing`)
-- With overlapping_pairs = dropped (tde 0.2.1), fragments that overlap are not a found pair either. With
--   self_pairs = kept, each fragment is also a found pair with itself, which has two ends and is never gold.
-- For example, cluster 2 has ab at 2.0 s, ab at 3.0 s and cd; cluster 3 has the same two ab and bc. Each ab
--   has 2 + 2 partners, minus 1 because the other ab is counted in both clusters: `found` is 3. `gold` and
--   `both` are 1.
-- tests/conformance/test_zerospeech2015_pairs.py compares these counts with the listed pairs.
CREATE TABLE "grouping_fragments" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fragment_signatures"
    UNION
    SELECT DISTINCT "by_fold" FROM "shared_signatures"
    UNION
    SELECT DISTINCT "by_fold" FROM "near_pairs"
    UNION
    SELECT DISTINCT "by_fold" FROM "cluster_members"
) AS slice_, LATERAL (
    WITH "fragment_signatures" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fragment_signatures" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "shared_signatures" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "shared_signatures" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "near_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "cluster_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "cluster_members" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH members AS (
            SELECT text, file, onset, "offset", unnest(classes) AS class FROM "fragment_signatures"
        ),
        types AS (
            SELECT signature, text, count(*) AS fragments FROM "fragment_signatures" GROUP BY ALL
        ),
        repeated AS (
            SELECT b.signature, b.text,
                sum(surplus * (a.fragments - itself)) AS found, coalesce(sum(surplus * (a.fragments - itself)) FILTER (WHERE a.text = b.text), 0) AS both_
            FROM (
                SELECT surplus, a, b, (a.signature = b.signature AND a.text = b.text)::BIGINT AS itself
                FROM "shared_signatures" AS shared_
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
                JOIN "fragment_signatures" AS fragment_
                    ON signature = if(is_b, signature_b, signature_a)
            )
        ),
        near AS (
            SELECT DISTINCT text_a, file_a, onset_a, offset_a, text_b, file_b, onset_b, offset_b, overlap,
                text_a = text_b AND NOT NOT (overlap OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b)) AS unlike
            FROM "near_pairs"
            WHERE overlap OR text_a = text_b
        ),
        alike AS (
            SELECT DISTINCT pair_speaker, text, file, onset, "offset"
            FROM (
                FROM "cluster_members"
                QUALIFY sum(times_listed) OVER (PARTITION BY cluster, pair_speaker) > 1
            )
        ),
        sharing AS (
            WITH slots AS (
                SELECT greatest(2 * avg("offset" - onset), seconds(1e-6)) AS width FROM alike
            ),
            laid AS (
                SELECT *, unnest(range(floor(onset / width)::BIGINT, floor("offset" / width)::BIGINT + 1)) AS slot FROM alike, slots
            )
            SELECT pair_speaker, text, a.file AS file_a, b.file AS file_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b
            FROM laid AS a
            JOIN laid AS b USING (pair_speaker, text, slot)
            WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
                AND a.onset < b."offset" AND b.onset < a."offset"
                AND slot = floor(greatest(a.onset, b.onset) / a.width)::BIGINT
        ),
        partners AS (
            SELECT text, file, onset, "offset", count(*) OVER (PARTITION BY class) - 1 AS found,
                row_number() OVER (PARTITION BY class ORDER BY file, onset, "offset") - 1 AS earlier,
                count(*) OVER (PARTITION BY class, text) - 1 AS both_, 0 AS gold
            FROM members
            UNION ALL
            SELECT text, file, onset, "offset", -found, 0, -both_, 0 FROM "fragment_signatures" JOIN repeated USING (signature, text)
            UNION ALL
            SELECT text, file, onset, "offset", 0, -surplus * earlier, 0, 0 FROM repeated_before WHERE is_b
            UNION ALL
            SELECT unnest([text_a, text_b]), unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]),
                -overlap::BIGINT, unnest([0, -overlap::BIGINT]), -unlike::BIGINT, 0
            FROM near
            UNION ALL
            SELECT text, file, onset, "offset", 0, 0, 0, count(*) OVER (PARTITION BY pair_speaker, text) - 1 FROM alike
            UNION ALL
            SELECT text, unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]), 0, 0, 0, -1
            FROM sharing
            WHERE NOT NOT ((shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(0.03e0)
                    OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b))
        )
        SELECT text, file, onset, "offset", sum(found)::BIGINT AS found, sum(earlier)::BIGINT AS earlier, sum(gold)::BIGINT AS gold,
            sum(both_)::BIGINT AS "both"
        FROM partners
        GROUP BY text, file, onset, "offset"
    )
) AS rows_;

-- ## tde2015.grouping_types
-- relation grouping_types, match(t, P), N(t, P) (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The transcriptions t of fragments, with the number of fragments with t in pairs of P_clus (found) and of
--   P_goldclus (gold), |match(t, P)|, and the number of ends of pairs with t in P_clus, in P_goldclus and in
--   both, N(t, P). With pair_ends = later (tde 0.2.1), a pair has only the end that is later by recording and
--   time.
CREATE TABLE "grouping_types" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "grouping_fragments"
) AS slice_, LATERAL (
    WITH "grouping_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "grouping_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT text, count_if(found > 0) AS found_spans, count_if(gold > 0) AS gold_spans,
            sum(earlier)::BIGINT AS found_ends, sum(gold)::BIGINT // 2 AS gold_ends, sum("both")::BIGINT // 2 AS both_ends
        FROM "grouping_fragments"
        GROUP BY ALL
    )
) AS rows_;

-- ## tde2015.grouping_counts
-- relation grouping_counts (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The numbers of found and gold fragments of grouping, and how many of each are correct. With match_counts =
--   fragments, the published form, a fragment is correct if it is in a pair of P_clus ∩ P_goldclus. With
--   match_counts = pairs, the share of the fragments with transcription t that is correct is the share of the
--   ends of pairs with transcription t that is in both sets.
CREATE TABLE "grouping_counts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "grouping_types"
) AS slice_, LATERAL (
    WITH "grouping_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "grouping_types" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
            gold_spans * ratio(both_ends, gold_ends) AS gold_hits
        FROM "grouping_types"
    )
) AS rows_;

-- ## tde2015.grouping_scopes
-- metric grouping, slices (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F: whether fragments of one cluster have equal transcriptions. A found pair
--   (P_clus) is two fragments of one cluster. A gold pair (P_goldclus) is two fragments of any clusters that
--   have equal transcriptions and share no time. A fragment is correct if at least one of its pairs is both
--   found and gold. Precision is the share of correct fragments among the fragments in found pairs, recall
--   among the fragments in gold pairs. One other member with the same transcription is enough, so merging
--   clusters can raise the score; grouping_pairs counts pairs instead. As printed, a fragment is also a pair
--   with itself; here only with self_pairs=kept.
CREATE TABLE "grouping_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.grouping_units
-- metric grouping, statistics per unit (specs/term_discovery/zerospeech2015/grouping.yaml)
CREATE TABLE "grouping_units" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "grouping_counts" AS counted_rows
GROUP BY ALL;

-- ## tde2015.grouping, like tde2015.matching except:
@@ -1,2 +1,2 @@
--- metric matching, scores (specs/term_discovery/zerospeech2015/matching.yaml)
-CREATE TABLE "matching" AS
+-- metric grouping, scores (specs/term_discovery/zerospeech2015/grouping.yaml)
+CREATE TABLE "grouping" AS
@@ -12 +12 @@
-    FROM (FROM "matching_units" UNION ALL BY NAME FROM "matching_scopes")
+    FROM (FROM "grouping_units" UNION ALL BY NAME FROM "grouping_scopes")

-- ## tde2015.word_checks
-- relation word_checks (specs/term_discovery/shared/corpus.yaml)
-- The words that are not silence by the parameter `silent_words`: do they begin and end with phones? Do their
--   labels look like silence?
CREATE TABLE "word_checks" AS
WITH edges AS (
    SELECT DISTINCT file, round(1e6 * onset) AS edge, 'onset' AS kind FROM "phones"
    UNION ALL
    SELECT DISTINCT file, round(1e6 * "offset"), 'offset' FROM "phones"
)
SELECT word_.file, word_.label, onset_.edge IS NOT NULL AND offset_.edge IS NOT NULL AS fits,
    regexp_full_match(lower(word_.label), '<(eps|sil|sp|spn|nsn|p|pau|pause|noise|s|/s)>|\[(sil|spn|nsn|pause|noise|laughter)\]|sil|spn|nsn|h#')
        AS pause
FROM (FROM "words" WHERE label NOT IN []::VARCHAR[]) AS word_
LEFT JOIN edges AS onset_
    ON onset_.file = word_.file AND onset_.kind = 'onset' AND onset_.edge = round(1e6 * word_.onset)
LEFT JOIN edges AS offset_
    ON offset_.file = word_.file AND offset_.kind = 'offset' AND offset_.edge = round(1e6 * word_."offset");

-- ## tde2015.corpus_checks
-- relation corpus_checks (specs/term_discovery/shared/corpus.yaml)
-- For each recording with words, numbers that show whether the inputs were swapped, or one file was given for
--   both.
-- A word lies over phones. So in the right inputs, many words contain two or more phones, and no phone
--   contains two words. If the files are swapped, it is the other way round. By definition, each phone is
--   compared with each word. Here each row is compared with one row of the other table, the last that begins
--   at or before it, which is the one that contains it unless rows overlap.
CREATE TABLE "corpus_checks" AS
SELECT file, phones, words, coalesce(over_words.holders, 0) AS phones_over_words, coalesce(over_phones.holders, 0) AS words_over_phones,
    coalesce(equal_rows, 0) AS equal_rows, coalesce(unfit_words, 0) AS unfit_words
FROM (SELECT file, count(*) AS words FROM "words" GROUP BY ALL)
LEFT JOIN (SELECT file, count(*) AS phones FROM "phones" GROUP BY ALL) USING (file)
LEFT JOIN (SELECT file, count(*) AS holders
    FROM (
        SELECT holder_.file, holder_.onset
        FROM "words" AS inner_
        ASOF JOIN (SELECT file, onset, max("offset") AS "offset" FROM "phones" GROUP BY ALL) AS holder_
            ON holder_.file = inner_.file AND holder_.onset <= inner_.onset
        WHERE inner_."offset" <= holder_."offset"
        GROUP BY ALL
        HAVING count(DISTINCT (inner_.onset, inner_."offset")) > 1
    )
    GROUP BY file) AS over_words USING (file)
LEFT JOIN (SELECT file, count(*) AS holders
    FROM (
        SELECT holder_.file, holder_.onset
        FROM "phones" AS inner_
        ASOF JOIN (SELECT file, onset, max("offset") AS "offset" FROM "words" GROUP BY ALL) AS holder_
            ON holder_.file = inner_.file AND holder_.onset <= inner_.onset
        WHERE inner_."offset" <= holder_."offset"
        GROUP BY ALL
        HAVING count(DISTINCT (inner_.onset, inner_."offset")) > 1
    )
    GROUP BY file) AS over_phones USING (file)
LEFT JOIN (
    SELECT file, count(*) AS equal_rows FROM "words" SEMI JOIN "phones" USING (file, onset, "offset", label) GROUP BY ALL
) USING (file)
LEFT JOIN (SELECT file, count_if(NOT fits) AS unfit_words FROM "word_checks" GROUP BY ALL) USING (file);

-- ## tde2015.word_runs
-- relation word_runs (specs/term_discovery/tde2015/words.yaml)
-- The distinct word tokens, each with the number of its run. A run is a sequence of words of one recording in
--   which every word begins where the previous word ends, within the tolerance (`gap_time`, `gap_fraction`).
--   Labels in the parameter `silent_words` are not words. Every word has a row of corpus_checks, which is
--   read for its warnings.
CREATE TABLE "word_runs" AS
WITH tokens AS (
    SELECT DISTINCT file, seconds(onset) AS onset, seconds("offset") AS "offset", label
    FROM "words" SEMI JOIN "corpus_checks" USING (file)
    WHERE label NOT IN []::VARCHAR[]
),
followed AS (
    SELECT *, lag("offset") OVER (PARTITION BY file ORDER BY onset, "offset", label) AS ended FROM tokens
)
SELECT * EXCLUDE (ended), count_if(ended IS NULL OR NOT abs(ended - onset) <= seconds(1e-08) + 1e-05 * abs(onset))
    OVER (PARTITION BY file ORDER BY onset, "offset", label ROWS UNBOUNDED PRECEDING) AS run
FROM followed;

-- ## tde2015.fold_word_runs
-- relation fold_word_runs (specs/term_discovery/tde2015/words.yaml)
-- One row per fold and word token of the fold, with the number of the run of the word in the whole corpus. A
--   run is a sequence of words without a gap. It is one run even if the fold contains only a part of it.
CREATE TABLE "fold_word_runs" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_intervals_filled"
) AS slice_, LATERAL (
    WITH "fold_intervals_filled" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_intervals_filled" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT DISTINCT row_.*, speaker
        FROM "word_runs" AS row_
        JOIN "fold_intervals_filled" AS fold_
            ON row_.file = fold_.file
            AND row_."onset" >= fold_.onset
            AND row_."offset" <= fold_."offset"
        LEFT JOIN "file_speakers" AS speaker_ ON speaker_.file = row_.file
    )
) AS rows_;

-- ## tde2015.contained_words
-- relation contained_words (specs/term_discovery/tde2015/words.yaml)
-- The distinct fragments, each with the words that it contains, as tde 0.2.1 finds them. A fragment contains
--   a word by the edge rule of transcriptions, with the word instead of the phone.
-- A run is a sequence of words without a gap. Only the words of one run count. This is the last run that
--   begins before the fragment, or a later one that begins in the fragment, if the fragment covers enough of
--   it by the edge rule. So if a fragment lies across a pause, the words before the pause are ignored.
-- `hit` is the label of the word if the fragment contains only this word, and both edges are at most
--   `token_tolerance` (30 ms) from those of the word. `outside_words`: the fragment shares no time with its
--   run, or there is no run. The evaluator then ends with an error.
CREATE TABLE "contained_words" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "fold_word_runs"
) AS slice_, LATERAL (
    WITH "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "fold_word_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_word_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH intervals AS (
            SELECT DISTINCT file, onset, "offset" FROM "fold_fragments"
        ),
        runs AS (
            SELECT file, run, min(onset) AS onset, max("offset") AS "offset" FROM "fold_word_runs" GROUP BY ALL
        ),
        -- runs that begin in a fragment: fragments and runs are joined by slots of time, because a join on times would compare
        -- all runs of a file
        slots AS (
            SELECT greatest(2 * avg("offset" - onset), seconds(1e-6)) AS width FROM intervals
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
            ASOF JOIN runs AS run_ ON run_.file = fragment_.file AND fragment_.onset > run_.onset
            UNION ALL
            SELECT fragment_.* EXCLUDE (slot), run_.run, run_.onset, run_."offset"
            FROM laid AS fragment_
            JOIN beginning AS run_ ON run_.file = fragment_.file AND fragment_.slot = run_.slot
            WHERE run_.onset >= fragment_.onset AND (shared_time(fragment_.onset, fragment_."offset", run_.onset, run_."offset") > seconds(1e-08) AND (shared_time(fragment_.onset, fragment_."offset", run_.onset, run_."offset") > seconds(0.03e0)
                    OR more_than_part_of_seconds(shared_time(fragment_.onset, fragment_."offset", run_.onset, run_."offset"), 0.5e0, run_."offset" - run_.onset)
                    OR more_than_part_of_seconds(shared_time(fragment_.onset, fragment_."offset", run_.onset, run_."offset"), 0.5e0, fragment_."offset" - fragment_.onset)))
        ),
        last_reached AS (
            SELECT * FROM reached
            QUALIFY row_number() OVER (PARTITION BY file, onset, "offset" ORDER BY run_onset DESC) = 1
        ),
        words AS (
            SELECT fragment_.*, word_.onset AS word_onset, word_."offset" AS word_offset, label
            FROM last_reached AS fragment_
            JOIN "fold_word_runs" AS word_ ON word_.file = fragment_.file AND word_.run = fragment_.run AND (shared_time(fragment_.onset, fragment_."offset", word_.onset, word_."offset") > seconds(1e-08) AND (shared_time(fragment_.onset, fragment_."offset", word_.onset, word_."offset") > seconds(0.03e0)
                    OR more_than_part_of_seconds(shared_time(fragment_.onset, fragment_."offset", word_.onset, word_."offset"), 0.5e0, word_."offset" - word_.onset)
                    OR more_than_part_of_seconds(shared_time(fragment_.onset, fragment_."offset", word_.onset, word_."offset"), 0.5e0, fragment_."offset" - fragment_.onset)))
        ),
        contained AS (
            SELECT file, onset, "offset", string_agg(label, chr(31) ORDER BY word_onset, word_offset) AS words,
                CASE WHEN count(*) = 1 AND abs(min(word_onset) - onset) <= seconds(0.03e0)
                    AND abs(min(word_offset) - "offset") <= seconds(0.03e0) THEN min(label) END AS hit
            FROM words
            GROUP BY file, onset, "offset"
        )
        SELECT file, onset, "offset", coalesce(words, '') AS words, hit,
            run IS NULL OR shared_time(run_onset, run_offset, onset, "offset") <= 0 AS outside_words
        FROM intervals
        LEFT JOIN last_reached USING (file, onset, "offset")
        LEFT JOIN contained USING (file, onset, "offset")
    )
) AS rows_;

-- ## tde2015.type_counts
-- relation type_counts (specs/term_discovery/tde2015/type.yaml)
-- The distinct sequences of word labels that fragments contain (`found`) and the distinct word labels
--   (`gold`). The sequence of a fragment that contains two words has two labels, and that of a fragment
--   without a word is empty. Neither can be a hit.
CREATE TABLE "type_counts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "contained_words"
    UNION
    SELECT DISTINCT "by_fold" FROM "fold_word_runs"
) AS slice_, LATERAL (
    WITH "contained_words" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "contained_words" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "fold_word_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_word_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT type, bool_or(found) AS found, bool_or(gold) AS gold, bool_or(hit) AS hit, bool_or(outside_words) AS outside_words
        FROM (
            SELECT words AS type, true AS found, false AS gold, hit IS NOT NULL AS hit, outside_words FROM "contained_words"
            UNION ALL
            SELECT label, false, true, false, false FROM "fold_word_runs"
        )
        GROUP BY ALL
    )
) AS rows_;

-- ## tde2015.type_scopes
-- metric type, slices (specs/term_discovery/tde2015/type.yaml)
-- Type precision, recall and F: the distinct sequences of word labels that fragments contain, compared with
--   the distinct word labels. A label is a hit when a fragment is a hit of token for a word with this label.
--   Precision and recall are undefined when some fragment shares no time with the words of the fold.
CREATE TABLE "type_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.type_units
-- metric type, statistics per unit (specs/term_discovery/tde2015/type.yaml)
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
CREATE TABLE "type" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('speakers', 'total') AS scope,
        json_object('speakers', 'total') AS slice,
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
-- One row per distinct fragment and one row per word token. Token precision is hits / fragments, recall is
--   hits / words. Two fragments can hit one word (contained_words), so recall can exceed 1.
CREATE TABLE "token_counts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "contained_words"
    UNION
    SELECT DISTINCT "by_fold" FROM "fold_word_runs"
) AS slice_, LATERAL (
    WITH "contained_words" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "contained_words" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "fold_word_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_word_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT file, true AS found, hit IS NOT NULL AS hit, outside_words FROM "contained_words"
        UNION ALL
        SELECT file, false, false, false FROM "fold_word_runs"
    )
) AS rows_;

-- ## tde2015.token_scopes
-- metric token, slices (specs/term_discovery/tde2015/token.yaml)
-- Token precision, recall and F: distinct fragments compared with word tokens. A fragment is a hit when it
--   contains exactly one word and both its edges are at most token_tolerance from those of the word. Several
--   fragments can hit one word, so recall can exceed 1. Precision and recall are undefined when some fragment
--   shares no time with the words of the fold.
CREATE TABLE "token_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.token_units
-- metric token, statistics per unit (specs/term_discovery/tde2015/token.yaml)
CREATE TABLE "token_units" AS
SELECT "by_fold", "file",
    count_if(found) AS "found",
    count_if(NOT found) AS "gold",
    count_if(hit) AS "hits",
    count_if(outside_words) AS "outside_words"
FROM "token_counts" AS counted_rows
GROUP BY ALL;

-- ## tde2015.token, like tde2015.type except:
@@ -1,2 +1,2 @@
--- metric type, scores (specs/term_discovery/tde2015/type.yaml)
-CREATE TABLE "type" AS
+-- metric token, scores (specs/term_discovery/tde2015/token.yaml)
+CREATE TABLE "token" AS
@@ -12 +12 @@
-    FROM (FROM "type_units" UNION ALL BY NAME FROM "type_scopes")
+    FROM (FROM "token_units" UNION ALL BY NAME FROM "token_scopes")

-- ## tde2015.fold_words
-- relation fold_words (specs/term_discovery/zerospeech2015/folds.yaml)
-- The distinct word tokens of each fold. Labels in the parameter `silent_words` are not words. Every word has
--   a row of corpus_checks, which is read for its warnings.
CREATE TABLE "fold_words" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_intervals_filled"
) AS slice_, LATERAL (
    WITH "fold_intervals_filled" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_intervals_filled" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH tokens AS (
            SELECT DISTINCT file, seconds(onset) AS onset, seconds("offset") AS "offset", label
            FROM "words" SEMI JOIN "corpus_checks" USING (file)
            WHERE label NOT IN []::VARCHAR[]
        )
        SELECT DISTINCT row_.*, speaker
        FROM tokens AS row_
        JOIN "fold_intervals_filled" AS fold_
            ON row_.file = fold_.file
            AND row_."onset" >= fold_.onset
            AND row_."offset" <= fold_."offset"
        LEFT JOIN "file_speakers" AS speaker_ ON speaker_.file = row_.file
    )
) AS rows_;

-- ## tde2015.edge_counts
-- relation edge_counts (specs/term_discovery/tde2015/boundary.yaml)
-- The distinct edges (file, time) of fragments (found) and of words (not found). `near`: an edge of the other
--   side is less than `boundary_tolerance` (30 ms) away. Edges are not matched one to one. If one edge of a
--   fragment is near two edges of words, all three are near.
CREATE TABLE "edge_counts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "fold_words"
) AS slice_, LATERAL (
    WITH "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "fold_words" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_words" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH found AS (
            SELECT DISTINCT file, unnest([onset, "offset"]) AS time FROM "fold_fragments"
        ),
        gold AS (
            SELECT DISTINCT file, unnest([onset, "offset"]) AS time FROM "fold_words"
        )
        SELECT point_.*, true AS found,
            coalesce(point_.time - before_.time < seconds(0.03e0), false)
                OR coalesce(after_.time - point_.time < seconds(0.03e0), false) AS near
        FROM found AS point_
        ASOF LEFT JOIN gold AS before_ ON before_.file = point_.file AND point_.time >= before_.time
        ASOF LEFT JOIN gold AS after_ ON after_.file = point_.file AND point_.time < after_.time
        UNION ALL
        SELECT point_.*, false AS found,
            coalesce(point_.time - before_.time < seconds(0.03e0), false)
                OR coalesce(after_.time - point_.time < seconds(0.03e0), false) AS near
        FROM gold AS point_
        ASOF LEFT JOIN found AS before_ ON before_.file = point_.file AND point_.time >= before_.time
        ASOF LEFT JOIN found AS after_ ON after_.file = point_.file AND point_.time < after_.time
    )
) AS rows_;

-- ## tde2015.boundary_scopes
-- metric boundary, slices (specs/term_discovery/tde2015/boundary.yaml)
-- Boundary precision, recall and F: the distinct edges of fragments compared with the distinct edges of
--   words. An edge is a hit when an edge of the other side is less than boundary_tolerance away. One edge can
--   be near several edges, and all of them are hits.
CREATE TABLE "boundary_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.boundary_units
-- metric boundary, statistics per unit (specs/term_discovery/tde2015/boundary.yaml)
CREATE TABLE "boundary_units" AS
SELECT "by_fold", "file",
    count_if(found) AS "found",
    count_if(NOT found) AS "gold",
    count_if(found AND near) AS "found_hits",
    count_if(NOT found AND near) AS "gold_hits"
FROM "edge_counts" AS counted_rows
GROUP BY ALL;

-- ## tde2015.boundary, like tde2015.matching except:
@@ -1,2 +1,2 @@
--- metric matching, scores (specs/term_discovery/zerospeech2015/matching.yaml)
-CREATE TABLE "matching" AS
+-- metric boundary, scores (specs/term_discovery/tde2015/boundary.yaml)
+CREATE TABLE "boundary" AS
@@ -12 +12 @@
-    FROM (FROM "matching_units" UNION ALL BY NAME FROM "matching_scopes")
+    FROM (FROM "boundary_units" UNION ALL BY NAME FROM "boundary_scopes")

-- ## tde2015.found_sizes
-- relation found_sizes (specs/term_discovery/tde2015/sizes.yaml)
-- The numbers of clusters with members in the fold, of distinct fragments, of distinct transcriptions and of
--   pairs of P_disc. Each row has the sizes of one set, and the metric `sizes` adds up the rows.
CREATE TABLE "found_sizes" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "disc_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "disc_pairs"
) AS slice_, LATERAL (
    WITH "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "disc_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "disc_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT count(DISTINCT cluster) AS clusters FROM "fold_fragments"
        UNION ALL BY NAME
        SELECT count(*) AS fragments, count(DISTINCT text) AS types FROM "disc_fragments"
        UNION ALL BY NAME
        SELECT sum(pairs) AS pairs FROM "disc_pairs"
    )
) AS rows_;

-- ## tde2015.sizes_scopes
-- metric sizes, slices (specs/term_discovery/tde2015/sizes.yaml)
-- Sizes of what was found: numbers of clusters, fragments, pairs and transcriptions.
CREATE TABLE "sizes_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## tde2015.sizes_units
-- metric sizes, statistics per unit (specs/term_discovery/tde2015/sizes.yaml)
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
CREATE TABLE "sizes" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('speakers', 'total') AS scope,
        json_object('speakers', 'total') AS slice,
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
    FROM (
        WITH fold_rows AS MATERIALIZED (
            SELECT 0 AS position, 0 AS variant, 'ned' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, finite("value"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AS kept,
                unnest([
                    {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'none_left': 1.0e0},
                    {'place': 1, 'component': 'pairs', 'value': "pairs"::DOUBLE, 'none_left': 0.0e0}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "ned" UNION ALL BY NAME SELECT json_object('speakers', 'total') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 1 AS position, 0 AS variant, 'coverage' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, finite("value"::DOUBLE) IS NOT NULL AS kept,
                unnest([
                    {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'none_left': 0.0e0}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "coverage" UNION ALL BY NAME SELECT json_object('speakers', 'total') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 2 AS position, 0 AS variant, 'matching' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': 0.0e0}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "matching" UNION ALL BY NAME SELECT json_object('speakers', 'total') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 3 AS position, 0 AS variant, 'grouping' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': 0.0e0}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "grouping" UNION ALL BY NAME SELECT json_object('speakers', 'total') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 4 AS position, 0 AS variant, 'type' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': 0.0e0}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "type" UNION ALL BY NAME SELECT json_object('speakers', 'total') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 5 AS position, 0 AS variant, 'token' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': 0.0e0}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "token" UNION ALL BY NAME SELECT json_object('speakers', 'total') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 6 AS position, 0 AS variant, 'boundary' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': 0.0e0},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': 0.0e0}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "boundary" UNION ALL BY NAME SELECT json_object('speakers', 'total') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 7 AS position, 0 AS variant, 'sizes' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, finite("clusters"::DOUBLE) IS NOT NULL AND finite("fragments"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AND finite("types"::DOUBLE) IS NOT NULL AS kept,
                unnest([
                    {'place': 0, 'component': 'clusters', 'value': "clusters"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 1, 'component': 'fragments', 'value': "fragments"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 2, 'component': 'pairs', 'value': "pairs"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 3, 'component': 'types', 'value': "types"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "sizes" UNION ALL BY NAME SELECT json_object('speakers', 'total') AS slice, 0 AS breakdown)
        ),
        fold_counts AS (
            SELECT position, variant, count(DISTINCT {'fold': fold}) FILTER (listed) AS fold_count FROM fold_rows GROUP BY ALL
        )
        SELECT position, variant, breakdown, place, metric, component, slice,
            coalesce(exact_mean(value), any_value(none_left)) AS value,
            list_stddev_pop(list(value ORDER BY fold)) AS std, count(value) AS folds,
            CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
                 WHEN count(value) = 0 THEN 'undefined in every fold'
                 WHEN count(value) < any_value(fold_count)
                 THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
            END AS note
        FROM (SELECT * REPLACE (if(kept, finite(value), NULL) AS value) FROM fold_rows) JOIN fold_counts USING (position, variant)
        GROUP BY position, variant, metric, slice, breakdown, place, component
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## zerospeech2015.Suite_zerospeech2015
-- Suite zerospeech2015: The metrics of the ZeroSpeech Challenge 2015 by their published definitions, with one
--   exception: found pairs are divided into sub-spans as the evaluator does it (completion=minimal_paths does
--   it as published). Scores are means over ten folds, for all pairs and, if speakers are known, for pairs of
--   one speaker. Times are compared as whole microseconds.
-- To run it in DuckDB, first fill the tables of the inputs: phones, words, fragments (not read: utterances,
--   folds, speakers); also the tables …_rows_…, which Python functions make
-- Order: each of the 93 steps reads inputs and steps above it. Metrics: measured_pairs → ned; covered_parts →
--   coverage; matching_counts → matching, matching_pairs; grouping_counts → grouping, grouping_pairs;
--   gold_fragments + scored_fragments → type, token; found_boundaries + gold_boundaries → boundary; set_sizes
--   → sizes

-- ## zerospeech2015.microseconds
-- Time in whole microseconds, from seconds. Halves are rounded to the even number. Whole numbers can be compared exactly.
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
--   from a forced alignment. Phones of one recording do not overlap by more than 1 µs. A repeated row is
--   counted once.
CREATE TABLE IF NOT EXISTS "phones" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- ## zerospeech2015.speech_phones
-- relation speech_phones (specs/term_discovery/shared/corpus.yaml)
-- The phone tokens that are not silence, numbered from 0 within their recording, each with its utterance. An
--   utterance is identified by its onset. Phones whose label is in the parameter `silence` (SIL, SPN) are
--   silence.
-- If the input `utterances` is given, the utterance of a phone is the one that contains the phone (parameter
--   `inside`), or NULL if there is none. Otherwise an utterance is a longest sequence of phones without
--   silence in which every phone begins at most `pause` (1 ms) after the end of the previous phone.
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

-- ## zerospeech2015.fold_utterances
-- relation fold_utterances (specs/term_discovery/shared/corpus.yaml)
-- The intervals of each fold. They come from the input that the parameter `fold_set` names, if it is given.
--   Otherwise the utterances, in the order of recording and onset, are divided into `n_folds` folds. With
--   fold_order = dealt they are dealt out in turn; with fold_order = runs each fold is a sequence. If the
--   number of utterances is not divisible by `n_folds`, the first folds have one utterance more: 11
--   utterances in 3 folds are 4, 4 and 3.
CREATE TABLE "fold_utterances" AS
SELECT *,
    (row_number() OVER (ORDER BY file, onset) - 1) % greatest(10::BIGINT, 1) AS fold
FROM (
    SELECT file, min(onset) AS onset, max("offset") AS "offset"
    FROM "speech_phones"
    GROUP BY file, utterance
);

-- ## zerospeech2015.fold_speakers, like tde2015.fold_speakers except:
@@ -7 +7 @@
-    false AS single_speaker
+    fold_speakers = 1 AND known AND speakers_in_all > 1 AS single_speaker

-- ## zerospeech2015.fold_fragments, like tde2015.fold_fragments except:
@@ -14,3 +14,2 @@
-            SELECT cluster, file, clipped_onset AS onset, clipped_offset AS "offset", count(*) AS times_listed
-            FROM "clipped_fragments"
-            WHERE clipped_onset IS NOT NULL
+            SELECT cluster, file, microseconds(onset) AS onset, microseconds("offset") AS "offset", count(*) AS times_listed
+            FROM "fragments"
@@ -23,2 +22,2 @@
-            AND row_."onset" >= fold_.onset
-            AND row_."offset" <= fold_."offset"
+            AND row_."onset" + row_."offset" >= 2 * fold_.onset
+            AND row_."onset" + row_."offset" < 2 * fold_."offset"

-- ## zerospeech2015.fold_phones
-- relation fold_phones (specs/term_discovery/zerospeech2015/folds.yaml)
-- The phone tokens of each fold. `phone` numbers them from 1 within fold and file. `number` is their number
--   in the whole corpus; where it skips a value, the fold lacks a phone.
-- With inside = whole, the phones that an interval of the fold cuts are also in the fold, because tde 0.2.1
--   transcribes fragments with them. They have no utterance, so no span of F_all contains them. An utterance
--   then ends where an interval of the fold ends.
CREATE TABLE "fold_phones" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_intervals_filled"
) AS slice_, LATERAL (
    WITH "fold_intervals_filled" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_intervals_filled" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT *, row_number() OVER (PARTITION BY file ORDER BY number) AS phone
        FROM (
            SELECT DISTINCT row_.*, speaker
            FROM "speech_phones" AS row_
            JOIN "fold_intervals_filled" AS fold_
                ON row_.file = fold_.file
                AND row_."onset" + row_."offset" >= 2 * fold_.onset
                AND row_."onset" + row_."offset" < 2 * fold_."offset"
            LEFT JOIN "file_speakers" AS speaker_ ON speaker_.file = row_.file
        )
    )
) AS rows_;

-- ## zerospeech2015.disc_fragments, like tde2015.disc_fragments except:
@@ -40,6 +40,6 @@
-                if((shared_time(onset, "offset", first_onset, first_offset) > seconds(1e-08) AND (shared_time(onset, "offset", first_onset, first_offset) > seconds(0.03e0)
-                    OR more_than_part_of_seconds(shared_time(onset, "offset", first_onset, first_offset), 0.5e0, first_offset - first_onset)
-                    OR more_than_part_of_seconds(shared_time(onset, "offset", first_onset, first_offset), 0.5e0, "offset" - onset))), first_phone, first_phone + 1) AS first_phone,
-                if(first_phone = last_phone OR (shared_time(onset, "offset", last_onset, last_offset) > seconds(1e-08) AND (shared_time(onset, "offset", last_onset, last_offset) > seconds(0.03e0)
-                    OR more_than_part_of_seconds(shared_time(onset, "offset", last_onset, last_offset), 0.5e0, last_offset - last_onset)
-                    OR more_than_part_of_seconds(shared_time(onset, "offset", last_onset, last_offset), 0.5e0, "offset" - onset))), last_phone, last_phone - 1) AS last_phone)
+                if((shared_time(onset, "offset", first_onset, first_offset) > microseconds(0.0e0) AND (shared_time(onset, "offset", first_onset, first_offset) > microseconds(0.03e0)
+                    OR more_than_part(shared_time(onset, "offset", first_onset, first_offset), 0.5e0, first_offset - first_onset)
+                    OR more_than_part(shared_time(onset, "offset", first_onset, first_offset), 1.0e0, "offset" - onset))), first_phone, first_phone + 1) AS first_phone,
+                if(first_phone = last_phone OR (shared_time(onset, "offset", last_onset, last_offset) > microseconds(0.0e0) AND (shared_time(onset, "offset", last_onset, last_offset) > microseconds(0.03e0)
+                    OR more_than_part(shared_time(onset, "offset", last_onset, last_offset), 0.5e0, last_offset - last_onset)
+                    OR more_than_part(shared_time(onset, "offset", last_onset, last_offset), 1.0e0, "offset" - onset))), last_phone, last_phone - 1) AS last_phone)

-- ## zerospeech2015.near_pairs, like tde2015.near_pairs except:
@@ -14,2 +14,2 @@
-        SELECT *, (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(0.03e0)
-                    OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) AS overlap
+        SELECT *, (shared_time(onset_a, offset_a, onset_b, offset_b) > microseconds(0.0e0) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > microseconds(86400.0e0)
+                    OR more_than_part(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) AS overlap
@@ -18 +18 @@
-                SELECT greatest(2 * avg(reach_to - reach_from), seconds(1e-6)) AS width FROM "cluster_members"
+                SELECT greatest(2 * avg(reach_to - reach_from), microseconds(1e-6)) AS width FROM "cluster_members"
@@ -25,2 +25,2 @@
-            JOIN laid AS b USING (cluster, pair_speaker, slot)
-            WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
+            JOIN laid AS b USING (cluster, pair_speaker, file, slot)
+            WHERE ((a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))

-- ## zerospeech2015.measured_pairs
-- relation measured_pairs, P_disc (specs/term_discovery/zerospeech2015/ned.yaml)
-- One row per edit distance and length of the longer transcription, with the number of pairs of P_disc that
--   have them, and their normalised distance.
CREATE TABLE "measured_pairs" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "disc_pairs"
) AS slice_, LATERAL (
    WITH "disc_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT *, if(length = 0, 0.0e0, distance / length) AS normalised_distance, (sum(pairs) FILTER (WHERE length = 0) OVER ())::BIGINT AS empty_pairs FROM "disc_pairs"
    )
) AS rows_;

-- ## zerospeech2015.ned_scopes
-- metric ned, slices (specs/term_discovery/zerospeech2015/ned.yaml)
-- Normalised edit distance (NED): mean, over the found pairs, of the edit distance of the two transcriptions
--   divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct fragments of one
--   cluster that do not overlap. A pair that several clusters contain is counted once. 0 means that the two
--   fragments of every pair have equal transcriptions; 1 is the largest value. A pair without phones has the
--   distance empty_pair_distance (0). The printed equation divides by frames of the longer fragment. Here
--   phones are meant, because the text says that NED is 1 when all phonemes differ.
-- All values of the columns of a breakdown or of folds, so that a value without rows of the metric also gets
--   scores.
CREATE TABLE "ned_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.ned_units
-- metric ned, statistics per unit (specs/term_discovery/zerospeech2015/ned.yaml)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "ned_units" AS
SELECT "by_fold",
    exact_sum((normalised_distance) * (pairs)) AS "total",
    sum(pairs) FILTER (WHERE (normalised_distance) IS NOT NULL) AS "pairs"
FROM "measured_pairs" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.ned
-- metric ned, scores (specs/term_discovery/zerospeech2015/ned.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "ned" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('speakers', 'all') AS scope,
        json_object('speakers', 'all') AS slice,
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
-- relation longest_partners (specs/term_discovery/zerospeech2015/found_pairs.yaml)
-- The members of clusters. `partner_size` is the number of phones of the longest other member of the cluster
--   that shares no time with the member, or NULL if there is none. (Two members share time if they do so when
--   each is extended to the edges of its first and last phone.)
-- By definition, every two members of a cluster are compared. Here three maxima replace the comparisons,
--   because a member that shares no time with another is in another recording, ends before the other begins,
--   or begins after the other ends. The longest member in another recording is in the recording with the
--   longest member of the cluster or, for members of that recording, in the recording with the second
--   longest. The longest member before and the longest member after are running maxima in the order of
--   offsets and onsets.
-- For example, a cluster has members of 4 and 3 phones at 0.0–0.4 and 1.0–1.3 s of file u, and a member of 5
--   phones in file v. Their partner sizes are 5, 5 and 4.
-- The enumerated form is pairs/pairs_disc.sql; tests/conformance/test_zerospeech2015_pairs.py compares the
--   fragments that are in at least one pair. With overlap_across_files, times are compared as if all
--   recordings were one.
CREATE TABLE "longest_partners" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "cluster_members"
) AS slice_, LATERAL (
    WITH "cluster_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "cluster_members" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH members AS (
            SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM "cluster_members"
        ),
        -- The recordings of a cluster, ranked by their longest member. The longest partner in another recording is in the
        -- recording of rank 1 or, for a fragment of that recording, in the recording of rank 2.
        files AS (
            SELECT cluster, pair_speaker, file, max(size) AS size,
                row_number() OVER (PARTITION BY cluster, pair_speaker ORDER BY max(size) DESC, file) AS rank
            FROM members
            GROUP BY cluster, pair_speaker, file
        ),
        ending AS (
            SELECT cluster, pair_speaker, file, reach_to AS time, max(max(size)) OVER (PARTITION BY cluster, pair_speaker, file ORDER BY reach_to) AS size
            FROM members
            GROUP BY cluster, pair_speaker, file, reach_to
        ),
        beginning AS (
            SELECT cluster, pair_speaker, file, reach_from AS time, max(max(size)) OVER (PARTITION BY cluster, pair_speaker, file ORDER BY reach_from DESC) AS size
            FROM members
            GROUP BY cluster, pair_speaker, file, reach_from
        )
        SELECT member_.* EXCLUDE (size, text, times_listed), member_.size AS span_size,
            greatest(
                if(first_.file = member_.file, second_.size, first_.size),
                before_.size, after_.size) AS partner_size
        FROM members AS member_
        JOIN files AS first_
            ON first_.rank = 1 AND first_.cluster = member_.cluster AND first_.pair_speaker = member_.pair_speaker
        LEFT JOIN files AS second_
            ON second_.rank = 2 AND second_.cluster = member_.cluster AND second_.pair_speaker = member_.pair_speaker
        ASOF LEFT JOIN ending AS before_ ON before_.cluster = member_.cluster AND before_.pair_speaker = member_.pair_speaker
            AND before_.file = member_.file AND member_.reach_from >= before_.time
        ASOF LEFT JOIN beginning AS after_ ON after_.cluster = member_.cluster AND after_.pair_speaker = member_.pair_speaker
            AND after_.file = member_.file AND member_.reach_to <= after_.time
    )
) AS rows_;

-- ## zerospeech2015.scored_fragments
-- relation scored_fragments, F_disc (specs/term_discovery/zerospeech2015/folds.yaml)
-- The distinct fragments (F_disc) that type, token and boundary score. With speakers = within, these are the
--   fragments in at least one pair of one speaker.
-- `empty_fragment` is '' for a fragment with a transcription, and otherwise the onset and offset of the
--   fragment. So each fragment without a transcription is an element of its own, and matches no word.
CREATE TABLE "scored_fragments" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "disc_fragments"
) AS slice_, LATERAL (
    WITH "disc_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT file, onset, "offset", text, coalesce(first_phone, -1) AS first_phone,
            coalesce(last_phone, -1) AS last_phone, if(text = '', concat(onset, '-', "offset"), '') AS empty_fragment
        FROM "disc_fragments"
    )
) AS rows_;

-- ## zerospeech2015.gold_spans, like tde2015.gold_spans except:
@@ -9,0 +10 @@
+-- tests/conformance/test_zerospeech2015_pairs.py compares the two.
@@ -19 +20 @@
-                SELECT greatest(2 * avg("offset" - onset), seconds(1e-6)) AS width FROM "recurring_spans"
+                SELECT greatest(2 * avg("offset" - onset), microseconds(1e-6)) AS width FROM "recurring_spans"
@@ -26,2 +27,2 @@
-            JOIN laid AS b USING (pair_speaker, text, slot)
-            WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
+            JOIN laid AS b USING (pair_speaker, text, file, slot)
+            WHERE ((a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
@@ -34,2 +35,2 @@
-            WHERE (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(0.03e0)
-                    OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))
+            WHERE (shared_time(onset_a, offset_a, onset_b, offset_b) > microseconds(0.0e0) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > microseconds(86400.0e0)
+                    OR more_than_part(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))

-- ## zerospeech2015.covered_parts
-- relation covered_parts, cover(P_disc), cover(P_all)
--   (specs/term_discovery/zerospeech2015/coverage.yaml)
-- cover(P_disc) (`in_found`) and cover(P_all) (`in_gold`). With cover = phones, these are the phones in the
--   transcription of a fragment in a pair of P_disc, and the phones in a span in a pair of P_all. With cover
--   = intervals, they are the intervals of time of these fragments and spans, ∪ [i, j] as printed.
-- By definition, each span of a pair is expanded to its phones (pairs/pairs_disc.sql, pairs/pairs_all.sql),
--   and phones that occur several times are counted once. Here spans that overlap are merged first, so that
--   each phone or time is listed once per set, however many spans contain it. With the spans 1–4, 2–5 and
--   7–8, the phones 1 to 5 and 7 to 8 are listed.
-- tests/conformance/test_zerospeech2015_properties.py compares coverage with a brute-force computation.
CREATE TABLE "covered_parts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "longest_partners"
    UNION
    SELECT DISTINCT "by_fold" FROM "near_pairs"
    UNION
    SELECT DISTINCT "by_fold" FROM "gold_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "fold_phones"
) AS slice_, LATERAL (
    WITH "longest_partners" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "longest_partners" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "near_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "gold_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "fold_phones" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_phones" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH spans AS (
            SELECT file, 'found' AS set_, "first_phone" AS begin_, "last_phone" AS end_ FROM "longest_partners"
            WHERE partner_size IS NOT NULL AND begin_ <= end_
            UNION ALL
            SELECT unnest([file_a, file_b]), 'found', unnest([first_phone_a, first_phone_b]), unnest([last_phone_a, last_phone_b])
            FROM "near_pairs"
            WHERE NOT overlap
            UNION ALL
            SELECT file, 'gold', phone, phone + size - 1 FROM "gold_spans"
        ),
        merged AS (
            SELECT "file", "set_", min(begin_) AS begin_, max(end_) AS end_
            FROM (
                SELECT *, count_if(begins) OVER (PARTITION BY "file", "set_" ORDER BY begin_ ROWS UNBOUNDED PRECEDING) AS island
                FROM (
                    SELECT *, coalesce(begin_ > max(end_) OVER before, true) AS begins
                    FROM (SELECT "file", "set_", begin_, max(end_) AS end_ FROM spans GROUP BY ALL)
                    WINDOW before AS (PARTITION BY "file", "set_" ORDER BY begin_ ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                )
            )
            GROUP BY "file", "set_", island
        )
        SELECT file, number, onset, "offset", bool_or(set_ = 'found') AS in_found, bool_or(set_ = 'gold') AS in_gold
        FROM (SELECT file, set_, unnest(range(begin_, end_ + 1)) AS number FROM merged)
        JOIN "fold_phones" USING (file, number)
        GROUP BY ALL
    )
) AS rows_;

-- ## zerospeech2015.coverage_scopes
-- metric coverage, slices (specs/term_discovery/zerospeech2015/coverage.yaml)
-- Coverage: duration of the phones in found pairs, divided by the duration of the phones in gold pairs. Each
--   phone is counted once, as a whole; with cover=intervals, the time of the fragments and spans is counted,
--   as printed. Found pairs (P_disc) are two distinct fragments of one cluster that do not overlap. Gold
--   pairs (P_all) are two spans of min_phones to max_phones phones of the corpus with equal transcriptions
--   that do not overlap. Coverage can exceed 1, because the fragments of found pairs can have different
--   transcriptions.
CREATE TABLE "coverage_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.coverage_units
-- metric coverage, statistics per unit (specs/term_discovery/zerospeech2015/coverage.yaml)
CREATE TABLE "coverage_units" AS
SELECT "by_fold", "file",
    coalesce(sum("offset" - onset) FILTER (WHERE in_found), 0) AS "numerator",
    coalesce(sum("offset" - onset) FILTER (WHERE in_gold), 0) AS "denominator"
FROM "covered_parts" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.coverage
-- metric coverage, scores (specs/term_discovery/zerospeech2015/coverage.yaml)
CREATE TABLE "coverage" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('speakers', 'all') AS scope,
        json_object('speakers', 'all') AS slice,
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

-- ## zerospeech2015.near_disc_subspans, like tde2015.near_disc_subspans except:
@@ -20 +20 @@
-                    SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
+                    SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT) + 1)) AS size

-- ## zerospeech2015.repeated_subspans, like tde2015.repeated_subspans except:
@@ -21 +21 @@
-            SELECT start_.* EXCLUDE (first_phones), codes, unnest(range(3::BIGINT, least(span_size - before, remaining, 20::BIGINT - 1) + 1)) AS size
+            SELECT start_.* EXCLUDE (first_phones), codes, unnest(range(3::BIGINT, least(span_size - before, remaining, 20::BIGINT) + 1)) AS size

-- ## zerospeech2015.equal_subspans, like tde2015.equal_subspans except:
@@ -32 +32 @@
-                AND (earliest_end <= reach_from OR latest_begin >= reach_to)
+                AND (first_file <> file OR last_file <> file OR earliest_end <= reach_from OR latest_begin >= reach_to)

-- ## zerospeech2015.both_spans, like tde2015.both_spans except:
@@ -13 +12,0 @@
--- tests/conformance/test_zerospeech2015_pairs.py compares the two.
@@ -52,2 +51,2 @@
-            WHERE NOT (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(0.03e0)
-                    OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))
+            WHERE NOT (shared_time(onset_a, offset_a, onset_b, offset_b) > microseconds(0.0e0) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > microseconds(86400.0e0)
+                    OR more_than_part(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b))))

-- ## zerospeech2015.recounted_subspans, like tde2015.recounted_subspans except:
@@ -28 +28 @@
-                SELECT *, unnest(range(3::BIGINT, least(span_size, 20::BIGINT - 1) + 1)) AS size
+                SELECT *, unnest(range(3::BIGINT, least(span_size, 20::BIGINT) + 1)) AS size

-- ## zerospeech2015.near_subspans, like tde2015.near_subspans except:
@@ -29 +29 @@
-                        SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
+                        SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT) + 1)) AS size
@@ -55,2 +55,2 @@
-                AND NOT (shared_time(a.onset, a."offset", b.onset, b."offset") > seconds(1e-08) AND (shared_time(a.onset, a."offset", b.onset, b."offset") > seconds(0.03e0)
-                    OR more_than_part_of_seconds(shared_time(a.onset, a."offset", b.onset, b."offset"), 0.5e0, least(a."offset" - a.onset, b."offset" - b.onset))))
+                AND NOT (shared_time(a.onset, a."offset", b.onset, b."offset") > microseconds(0.0e0) AND (shared_time(a.onset, a."offset", b.onset, b."offset") > microseconds(86400.0e0)
+                    OR more_than_part(shared_time(a.onset, a."offset", b.onset, b."offset"), 0.5e0, least(a."offset" - a.onset, b."offset" - b.onset))))

-- ## zerospeech2015.found_spans, like tde2015.found_spans except:
@@ -32 +32 @@
-        SELECT file, phone, unnest(range(3::BIGINT, least(greatest(longest, longest_touching), 20::BIGINT - 1) + 1)) AS size
+        SELECT file, phone, unnest(range(3::BIGINT, least(greatest(longest, longest_touching), 20::BIGINT) + 1)) AS size

-- ## zerospeech2015.both_types, like tde2015.both_types except:
@@ -58 +58 @@
-                    SELECT *, unnest(range(3::BIGINT, least(span_size - before, 20::BIGINT - 1) + 1)) AS size
+                    SELECT *, unnest(range(3::BIGINT, least(span_size - before, 20::BIGINT) + 1)) AS size
@@ -99,2 +99,2 @@
-                    (shared_time(onset_a, offset_a, onset, "offset") > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset, "offset") > seconds(0.03e0)
-                        OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset, "offset"), 0.5e0, least(offset_a - onset_a, "offset" - onset)))) AS overlapping
+                    (shared_time(onset_a, offset_a, onset, "offset") > microseconds(0.0e0) AND (shared_time(onset_a, offset_a, onset, "offset") > microseconds(86400.0e0)
+                        OR more_than_part(shared_time(onset_a, offset_a, onset, "offset"), 0.5e0, least(offset_a - onset_a, "offset" - onset)))) AS overlapping

-- ## zerospeech2015.matching_counts
-- relation matching_counts, match_counts = fragments (specs/term_discovery/zerospeech2015/matching.yaml)
-- The numbers of found and gold spans of matching, and how many of each are correct. With match_counts =
--   fragments, the published form, a span is correct if it is in a pair of P_disc* ∩ P_all. With match_counts
--   = pairs, the share of the spans with transcription t that is correct is the share of the ends of pairs
--   with transcription t that is in both sets. This share is 0 for all transcriptions that are not in
--   both_types.
CREATE TABLE "matching_counts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "matching_spans"
) AS slice_, LATERAL (
    WITH "matching_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "matching_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT count(*) FILTER (WHERE in_found) AS found, count(*) FILTER (WHERE in_gold) AS gold,
            count(*) FILTER (WHERE in_both) AS found_hits, found_hits AS gold_hits
        FROM "matching_spans"
        GROUP BY ALL
    )
) AS rows_;

-- ## zerospeech2015.matching, like tde2015.matching except:
@@ -5,2 +5,2 @@
-        json_object('speakers', 'total') AS scope,
-        json_object('speakers', 'total') AS slice,
+        json_object('speakers', 'all') AS scope,
+        json_object('speakers', 'all') AS slice,

-- ## zerospeech2015.matching_counts_2, like tde2015.matching_counts except:
@@ -1,7 +1,2 @@
--- relation matching_counts (specs/term_discovery/zerospeech2015/matching.yaml)
--- The numbers of found and gold spans of matching, and how many of each are correct. With match_counts =
---   fragments, the published form, a span is correct if it is in a pair of P_disc* ∩ P_all. With match_counts
---   = pairs, the share of the spans with transcription t that is correct is the share of the ends of pairs
---   with transcription t that is in both sets. This share is 0 for all transcriptions that are not in
---   both_types.
-CREATE TABLE "matching_counts" AS
+-- relation matching_counts, match_counts = pairs (specs/term_discovery/zerospeech2015/matching.yaml)
+CREATE TABLE "matching_counts_2" AS

-- ## zerospeech2015.matching_pairs_scopes
-- metric matching_pairs, slices (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- Matching precision, recall and F over pairs. The two spans of a pair are its ends. Precision is the share
--   of the ends of found pairs (P_disc*) whose pair is also gold (P_all). It is computed for each
--   transcription and averaged, with the frequency of the transcription among the found spans as weight.
--   Recall is the share of the ends of gold pairs whose pair is also found, averaged with the frequency among
--   the gold spans. (matching has the same pairs, but counts a span as correct if at least one of its pairs
--   is.)
CREATE TABLE "matching_pairs_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.matching_pairs_units
-- metric matching_pairs, statistics per unit (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
CREATE TABLE "matching_pairs_units" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "matching_counts_2" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.matching_pairs, like zerospeech2015.matching except:
@@ -1,2 +1,2 @@
--- metric matching, scores (specs/term_discovery/zerospeech2015/matching.yaml)
-CREATE TABLE "matching" AS
+-- metric matching_pairs, scores (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
+CREATE TABLE "matching_pairs" AS
@@ -12 +12 @@
-    FROM (FROM "matching_units" UNION ALL BY NAME FROM "matching_scopes")
+    FROM (FROM "matching_pairs_units" UNION ALL BY NAME FROM "matching_pairs_scopes")

-- ## zerospeech2015.grouping_fragments, like tde2015.grouping_fragments except:
@@ -73 +72,0 @@
-                QUALIFY sum(times_listed) OVER (PARTITION BY cluster, pair_speaker) > 1
@@ -74,0 +74 @@
+            WHERE text <> ''
@@ -78 +78 @@
-                SELECT greatest(2 * avg("offset" - onset), seconds(1e-6)) AS width FROM alike
+                SELECT greatest(2 * avg("offset" - onset), microseconds(1e-6)) AS width FROM alike
@@ -85,2 +85,2 @@
-            JOIN laid AS b USING (pair_speaker, text, slot)
-            WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
+            JOIN laid AS b USING (pair_speaker, text, file, slot)
+            WHERE ((a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
@@ -101 +101 @@
-                -overlap::BIGINT, unnest([0, -overlap::BIGINT]), -unlike::BIGINT, 0
+                0, 0, -unlike::BIGINT, 0
@@ -108,2 +108,2 @@
-            WHERE NOT NOT ((shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(1e-08) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > seconds(0.03e0)
-                    OR more_than_part_of_seconds(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b))
+            WHERE NOT NOT ((shared_time(onset_a, offset_a, onset_b, offset_b) > microseconds(0.0e0) AND (shared_time(onset_a, offset_a, onset_b, offset_b) > microseconds(86400.0e0)
+                    OR more_than_part(shared_time(onset_a, offset_a, onset_b, offset_b), 0.5e0, least(offset_a - onset_a, offset_b - onset_b)))) OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b))
@@ -112 +112 @@
-            sum(both_)::BIGINT AS "both"
+            if(text = '', 0, sum(both_))::BIGINT AS "both"

-- ## zerospeech2015.grouping_types, like tde2015.grouping_types except:
@@ -14 +14 @@
-            sum(earlier)::BIGINT AS found_ends, sum(gold)::BIGINT // 2 AS gold_ends, sum("both")::BIGINT // 2 AS both_ends
+            sum(found)::BIGINT AS found_ends, sum(gold)::BIGINT AS gold_ends, sum("both")::BIGINT AS both_ends

-- ## zerospeech2015.grouping_counts
-- relation grouping_counts, match_counts = fragments (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The numbers of found and gold fragments of grouping, and how many of each are correct. With match_counts =
--   fragments, the published form, a fragment is correct if it is in a pair of P_clus ∩ P_goldclus. With
--   match_counts = pairs, the share of the fragments with transcription t that is correct is the share of the
--   ends of pairs with transcription t that is in both sets.
CREATE TABLE "grouping_counts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "grouping_fragments"
) AS slice_, LATERAL (
    WITH "grouping_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "grouping_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT count_if(found > 0) AS found, count_if(gold > 0) AS gold,
            count_if("both" > 0) AS found_hits, found_hits AS gold_hits
        FROM "grouping_fragments"
        GROUP BY ALL
    )
) AS rows_;

-- ## zerospeech2015.grouping, like tde2015.grouping except:
@@ -5,2 +5,2 @@
-        json_object('speakers', 'total') AS scope,
-        json_object('speakers', 'total') AS slice,
+        json_object('speakers', 'all') AS scope,
+        json_object('speakers', 'all') AS slice,

-- ## zerospeech2015.grouping_counts_2
-- relation grouping_counts, match_counts = pairs (specs/term_discovery/zerospeech2015/grouping.yaml)
CREATE TABLE "grouping_counts_2" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "grouping_types"
) AS slice_, LATERAL (
    WITH "grouping_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "grouping_types" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
            gold_spans * ratio(both_ends, gold_ends) AS gold_hits
        FROM "grouping_types"
    )
) AS rows_;

-- ## zerospeech2015.grouping_pairs_scopes
-- metric grouping_pairs, slices (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F over pairs. The two fragments of a pair are its ends. Precision is the
--   share of the ends of found pairs (P_clus) whose pair is also gold (P_goldclus). It is computed for each
--   transcription and averaged, with the frequency of the transcription among the found fragments as weight.
--   Recall is the share of the ends of gold pairs whose pair is also found, averaged with the frequency among
--   the gold fragments. (grouping has the same pairs, but counts a fragment as correct if at least one of its
--   pairs is.)
CREATE TABLE "grouping_pairs_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.grouping_pairs_units
-- metric grouping_pairs, statistics per unit (specs/term_discovery/zerospeech2015/grouping.yaml)
CREATE TABLE "grouping_pairs_units" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "grouping_counts_2" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.grouping_pairs, like zerospeech2015.matching except:
@@ -1,2 +1,2 @@
--- metric matching, scores (specs/term_discovery/zerospeech2015/matching.yaml)
-CREATE TABLE "matching" AS
+-- metric grouping_pairs, scores (specs/term_discovery/zerospeech2015/grouping.yaml)
+CREATE TABLE "grouping_pairs" AS
@@ -12 +12 @@
-    FROM (FROM "matching_units" UNION ALL BY NAME FROM "matching_scopes")
+    FROM (FROM "grouping_pairs_units" UNION ALL BY NAME FROM "grouping_pairs_scopes")

-- ## zerospeech2015.word_checks, like tde2015.word_checks except:
@@ -13 +13 @@
-FROM (FROM "words" WHERE label NOT IN []::VARCHAR[]) AS word_
+FROM (FROM "words" WHERE label NOT IN ['SIL']::VARCHAR[]) AS word_

-- ## zerospeech2015.fold_words, like tde2015.fold_words except:
@@ -12 +12 @@
-            SELECT DISTINCT file, seconds(onset) AS onset, seconds("offset") AS "offset", label
+            SELECT DISTINCT file, microseconds(onset) AS onset, microseconds("offset") AS "offset", label
@@ -14 +14 @@
-            WHERE label NOT IN []::VARCHAR[]
+            WHERE label NOT IN ['SIL']::VARCHAR[]
@@ -20,2 +20,2 @@
-            AND row_."onset" >= fold_.onset
-            AND row_."offset" <= fold_."offset"
+            AND row_."onset" + row_."offset" >= 2 * fold_.onset
+            AND row_."onset" + row_."offset" < 2 * fold_."offset"

-- ## zerospeech2015.word_tokens, like zerospeech2015.disc_fragments except:
@@ -1,10 +1,6 @@
--- relation disc_fragments, F_disc (specs/term_discovery/zerospeech2015/folds.yaml)
--- The distinct fragments (F_disc), whatever their clusters, each with its span of phones and its
---   transcription T by the published edge rule. T is '' if no phone is kept.
--- A fragment contains all phones that share time with it, but the first and the last of them are kept only if
---   more than `edge_cover_time` (30 ms) or more than `edge_cover_fraction` (half) of the phone is covered. Of
---   a phone of 40 ms, 21 ms are enough and 20 ms are not. With `fragment_fraction` below 1 (tde 0.2.1), a
---   phone is also kept if its covered part is more than this fraction of the fragment.
--- `reach_from` and `reach_to` are the earliest onset and the latest offset of the fragment and its phones.
---   Two fragments that share no time between these limits have no phone in common.
-CREATE TABLE "disc_fragments" AS
+-- relation word_tokens, F_goldLex (specs/term_discovery/zerospeech2015/folds.yaml)
+-- The distinct word tokens as fragments (F_goldLex), each with its span of phones and its transcription T by
+--   the edge rule of fragments (disc_fragments). T is '' if no phone is kept. With corpus = covered, only
+--   words with a phone that a scored fragment covers: of the covered spans that begin at the last phone of
+--   the word or before, the last one reaches the first phone of the word or a later one.
+CREATE TABLE "word_tokens" AS
@@ -17 +13 @@
-    SELECT DISTINCT "by_fold" FROM "fold_fragments"
+    SELECT DISTINCT "by_fold" FROM "fold_words"
@@ -21 +17 @@
-    "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold")
+    "fold_words" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_words" AS all_ WHERE all_."by_fold" = slice_."by_fold")
@@ -24 +20 @@
-            SELECT DISTINCT file, onset, "offset" FROM "fold_fragments"
+            SELECT DISTINCT file, onset, "offset" FROM "fold_words"

-- ## zerospeech2015.gold_fragments
-- relation gold_fragments, F_goldLex (specs/term_discovery/zerospeech2015/folds.yaml)
-- One row per word token whose transcription has at least one phone.
CREATE TABLE "gold_fragments" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "word_tokens"
) AS slice_, LATERAL (
    WITH "word_tokens" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "word_tokens" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT file, text, first_phone, last_phone, '' AS empty_fragment FROM "word_tokens" WHERE text <> ''
    )
) AS rows_;

-- ## zerospeech2015.type_scopes
-- metric type, slices (specs/term_discovery/zerospeech2015/type.yaml)
-- Type precision, recall and F: the distinct transcriptions of fragments compared with the distinct
--   transcriptions of word tokens.
CREATE TABLE "type_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.type_units
-- metric type, statistics per unit (specs/term_discovery/zerospeech2015/type.yaml)
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
CREATE TABLE "type" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('speakers', 'all') AS scope,
        json_object('speakers', 'all') AS slice,
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
-- Token precision, recall and F: the distinct spans of phones of fragments compared with the distinct spans
--   of word tokens. A fragment is a hit when a word token has its recording, first phone and last phone.
CREATE TABLE "token_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.token_units
-- metric token, statistics per unit (specs/term_discovery/zerospeech2015/token.yaml)
CREATE TABLE "token_units" AS
SELECT "by_fold", "file", "first_phone", "last_phone", "empty_fragment",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_found AND in_gold) AS "both"
FROM (
    SELECT coalesce(found_."by_fold", gold_."by_fold") AS "by_fold", coalesce(found_."file", gold_."file") AS "file", coalesce(found_."first_phone", gold_."first_phone") AS "first_phone", coalesce(found_."last_phone", gold_."last_phone") AS "last_phone", coalesce(found_."empty_fragment", gold_."empty_fragment") AS "empty_fragment",
        found_.in_found IS NOT NULL AS in_found, gold_.in_gold IS NOT NULL AS in_gold
    FROM (SELECT DISTINCT "by_fold", "file", "first_phone", "last_phone", "empty_fragment", true AS in_found FROM "scored_fragments") AS found_
    FULL JOIN (SELECT DISTINCT "by_fold", "file", "first_phone", "last_phone", "empty_fragment", true AS in_gold FROM "gold_fragments") AS gold_
        ON found_."by_fold" IS NOT DISTINCT FROM gold_."by_fold" AND found_."file" = gold_."file" AND found_."first_phone" = gold_."first_phone" AND found_."last_phone" = gold_."last_phone" AND found_."empty_fragment" = gold_."empty_fragment"
) AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.token, like zerospeech2015.type except:
@@ -1,2 +1,2 @@
--- metric type, scores (specs/term_discovery/zerospeech2015/type.yaml)
-CREATE TABLE "type" AS
+-- metric token, scores (specs/term_discovery/zerospeech2015/token.yaml)
+CREATE TABLE "token" AS
@@ -11 +11 @@
-    FROM (FROM "type_units" UNION ALL BY NAME FROM "type_scopes")
+    FROM (FROM "token_units" UNION ALL BY NAME FROM "token_scopes")

-- ## zerospeech2015.phone_boundaries
-- relation phone_boundaries (specs/term_discovery/zerospeech2015/boundary.yaml)
-- The distinct onsets and offsets of phones, each with the phone `boundary` that it belongs to. Times that
--   follow each other by at most `pause` (1 ms) are one boundary, and the earliest of them identifies it:
--   0.100, 0.101 and 0.102 s are the boundary 0.100 s.
CREATE TABLE "phone_boundaries" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_phones"
) AS slice_, LATERAL (
    WITH "fold_phones" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_phones" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH times AS (
            SELECT DISTINCT file, unnest([onset, "offset"]) AS time FROM "fold_phones"
        ),
        chained AS (
            SELECT *, coalesce(time > lag(time) OVER in_file + microseconds(0.001e0), true) AS begins
            FROM times
            WINDOW in_file AS (PARTITION BY file ORDER BY time)
        ),
        numbered AS (
            SELECT *, count_if(begins) OVER (PARTITION BY file ORDER BY time ROWS UNBOUNDED PRECEDING) AS boundary
            FROM chained
        )
        SELECT file, time, first_value(time) OVER (PARTITION BY file, boundary ORDER BY time) AS boundary
        FROM numbered
    )
) AS rows_;

-- ## zerospeech2015.found_boundaries
-- relation found_boundaries, B_disc (specs/term_discovery/zerospeech2015/boundary.yaml)
-- The boundaries of fragments (B_disc). Each distinct edge counts as the nearest phone boundary, if that is
--   less than `boundary_tolerance` (30 ms) away. For any other edge, `boundary` is −1 and `far_edge` is the
--   time of the edge, so that the edge is an element of its own and never in B_gold. Taken literally, the −1
--   of the paper would make all such edges one element.
CREATE TABLE "found_boundaries" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "scored_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_boundaries"
) AS slice_, LATERAL (
    WITH "scored_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "scored_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_boundaries" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_boundaries" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT file, coalesce(boundary, -1) AS boundary, if(boundary IS NULL, time, -1) AS far_edge
        FROM (
            WITH edges AS (
                SELECT DISTINCT file, unnest([onset, "offset"]) AS time FROM "scored_fragments"
            ),
            points AS (
                SELECT DISTINCT file, boundary FROM "phone_boundaries"
            )
            SELECT edge_.*, CASE
                WHEN coalesce(time - before_.boundary, 9223372036854775807) <= coalesce(after_.boundary - time, 9223372036854775807)
                THEN CASE WHEN time - before_.boundary < microseconds(0.03e0) THEN before_.boundary END
                ELSE CASE WHEN after_.boundary - time < microseconds(0.03e0) THEN after_.boundary END
                END AS boundary
            FROM edges AS edge_
            ASOF LEFT JOIN points AS before_
                ON edge_.file = before_.file AND edge_.time >= before_.boundary
            ASOF LEFT JOIN points AS after_
                ON edge_.file = after_.file AND edge_.time < after_.boundary
        )
    )
) AS rows_;

-- ## zerospeech2015.gold_boundaries
-- relation gold_boundaries, B_gold (specs/term_discovery/zerospeech2015/boundary.yaml)
-- The boundaries of words (B_gold). Each distinct edge of a word counts as the nearest phone boundary, if
--   that is less than `boundary_tolerance` (30 ms) away. Other edges of words are left out. With corpus =
--   covered, only words with a phone that a scored fragment covers (word_tokens).
CREATE TABLE "gold_boundaries" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_words"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_boundaries"
) AS slice_, LATERAL (
    WITH "fold_words" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_words" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_boundaries" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_boundaries" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT file, boundary, -1 AS far_edge
        FROM (
            WITH edges AS (
                SELECT DISTINCT file, unnest([onset, "offset"]) AS time FROM "fold_words"
            ),
            points AS (
                SELECT DISTINCT file, boundary FROM "phone_boundaries"
            )
            SELECT edge_.*, CASE
                WHEN coalesce(time - before_.boundary, 9223372036854775807) <= coalesce(after_.boundary - time, 9223372036854775807)
                THEN CASE WHEN time - before_.boundary < microseconds(0.03e0) THEN before_.boundary END
                ELSE CASE WHEN after_.boundary - time < microseconds(0.03e0) THEN after_.boundary END
                END AS boundary
            FROM edges AS edge_
            ASOF LEFT JOIN points AS before_
                ON edge_.file = before_.file AND edge_.time >= before_.boundary
            ASOF LEFT JOIN points AS after_
                ON edge_.file = after_.file AND edge_.time < after_.boundary
        )
        WHERE boundary IS NOT NULL
    )
) AS rows_;

-- ## zerospeech2015.boundary_scopes
-- metric boundary, slices (specs/term_discovery/zerospeech2015/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments compared with the edges of words. An edge counts
--   as the nearest phone boundary, if that is less than boundary_tolerance away; any other edge of a fragment
--   is a false alarm. Onsets and offsets are not distinguished, and several edges at one phone boundary are
--   counted once.
CREATE TABLE "boundary_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.boundary_units
-- metric boundary, statistics per unit (specs/term_discovery/zerospeech2015/boundary.yaml)
CREATE TABLE "boundary_units" AS
SELECT "by_fold", "file", "boundary", "far_edge",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_found AND in_gold) AS "both"
FROM (
    SELECT coalesce(found_."by_fold", gold_."by_fold") AS "by_fold", coalesce(found_."file", gold_."file") AS "file", coalesce(found_."boundary", gold_."boundary") AS "boundary", coalesce(found_."far_edge", gold_."far_edge") AS "far_edge",
        found_.in_found IS NOT NULL AS in_found, gold_.in_gold IS NOT NULL AS in_gold
    FROM (SELECT DISTINCT "by_fold", "file", "boundary", "far_edge", true AS in_found FROM "found_boundaries") AS found_
    FULL JOIN (SELECT DISTINCT "by_fold", "file", "boundary", "far_edge", true AS in_gold FROM "gold_boundaries") AS gold_
        ON found_."by_fold" IS NOT DISTINCT FROM gold_."by_fold" AND found_."file" = gold_."file" AND found_."boundary" = gold_."boundary" AND found_."far_edge" = gold_."far_edge"
) AS counted_rows
GROUP BY ALL;

-- ## zerospeech2015.boundary, like zerospeech2015.type except:
@@ -1,2 +1,2 @@
--- metric type, scores (specs/term_discovery/zerospeech2015/type.yaml)
-CREATE TABLE "type" AS
+-- metric boundary, scores (specs/term_discovery/zerospeech2015/boundary.yaml)
+CREATE TABLE "boundary" AS
@@ -11 +11 @@
-    FROM (FROM "type_units" UNION ALL BY NAME FROM "type_scopes")
+    FROM (FROM "boundary_units" UNION ALL BY NAME FROM "boundary_scopes")

-- ## zerospeech2015.set_sizes
-- relation set_sizes (specs/term_discovery/zerospeech2015/sizes.yaml)
-- The sizes of the sets that the metrics compare. Each row has the sizes of one set, or of two sets that are
--   compared, and the metric `sizes` adds up the rows.
CREATE TABLE "set_sizes" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "longest_partners"
    UNION
    SELECT DISTINCT "by_fold" FROM "near_pairs"
    UNION
    SELECT DISTINCT "by_fold" FROM "fold_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "disc_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "scored_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "disc_pairs"
    UNION
    SELECT DISTINCT "by_fold" FROM "grouping_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "matching_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "grouping_types"
    UNION
    SELECT DISTINCT "by_fold" FROM "gold_types"
    UNION
    SELECT DISTINCT "by_fold" FROM "gold_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "found_boundaries"
    UNION
    SELECT DISTINCT "by_fold" FROM "gold_boundaries"
) AS slice_, LATERAL (
    WITH "longest_partners" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "longest_partners" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "near_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "disc_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "scored_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "scored_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "disc_pairs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_pairs" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "grouping_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "grouping_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "matching_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "matching_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "grouping_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "grouping_types" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "gold_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_types" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "gold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "found_boundaries" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "found_boundaries" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "gold_boundaries" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_boundaries" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH paired AS (
            SELECT file, onset, "offset" FROM "longest_partners" WHERE partner_size IS NOT NULL
            UNION
            SELECT unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]) FROM "near_pairs" WHERE NOT overlap
        )
        SELECT count(DISTINCT cluster) AS clusters FROM "fold_fragments"
        UNION ALL BY NAME
        SELECT count(*) AS fragments, count(*) FILTER (WHERE text = '') AS fragments_empty FROM "disc_fragments"
        UNION ALL BY NAME
        SELECT count(*) AS fragments_scored FROM "scored_fragments"
        UNION ALL BY NAME
        SELECT sum(pairs) AS pairs FROM "disc_pairs"
        UNION ALL BY NAME
        SELECT count(*) AS pairs_flat FROM paired
        UNION ALL BY NAME
        SELECT count_if(found > 0) AS clus_flat, count_if(gold > 0) AS goldclus_flat, count_if("both" > 0) AS clus_goldclus_flat FROM "grouping_fragments"
        UNION ALL BY NAME
        SELECT count(*) FILTER (WHERE in_found) AS star_flat, count(*) FILTER (WHERE in_gold) AS all_flat, count(*) FILTER (WHERE in_both) AS star_all_flat FROM "matching_spans"
        UNION ALL BY NAME
        SELECT sum(found_ends) // 2 AS clus_pairs, sum(gold_ends) // 2 AS goldclus_pairs, sum(both_ends) // 2 AS clus_goldclus_pairs FROM "grouping_types"
        UNION ALL BY NAME
        SELECT sum(ends) // 2 AS all_pairs FROM "gold_types"
        UNION ALL BY NAME
        SELECT count(*) FILTER (WHERE in_found) AS type_disc, count(*) FILTER (WHERE in_gold) AS type_gold,
            count(*) FILTER (WHERE in_found AND in_gold) AS type_both
        FROM (
            SELECT text, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
            FROM (SELECT text, true AS found FROM "scored_fragments" UNION ALL SELECT text, false FROM "gold_fragments")
            GROUP BY ALL
        )
        UNION ALL BY NAME
        SELECT count(*) FILTER (WHERE in_found) AS token_disc, count(*) FILTER (WHERE in_gold) AS token_gold,
            count(*) FILTER (WHERE in_found AND in_gold) AS token_both
        FROM (
            SELECT file, first_phone, last_phone, empty_fragment, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
            FROM (SELECT file, first_phone, last_phone, empty_fragment, true AS found FROM "scored_fragments" UNION ALL SELECT file, first_phone, last_phone, empty_fragment, false FROM "gold_fragments")
            GROUP BY ALL
        )
        UNION ALL BY NAME
        SELECT count(*) FILTER (WHERE in_found) AS boundary_disc, count(*) FILTER (WHERE in_gold) AS boundary_gold,
            count(*) FILTER (WHERE in_found AND in_gold) AS boundary_both
        FROM (
            SELECT file, boundary, far_edge, bool_or(found) AS in_found, bool_or(NOT found) AS in_gold
            FROM (SELECT file, boundary, far_edge, true AS found FROM "found_boundaries" UNION ALL SELECT file, boundary, far_edge, false FROM "gold_boundaries")
            GROUP BY ALL
        )
    )
) AS rows_;

-- ## zerospeech2015.sizes_scopes
-- metric sizes, slices (specs/term_discovery/zerospeech2015/sizes.yaml)
-- Sizes of the sets that the metrics of the suite compare: numbers of clusters, fragments, pairs,
--   transcriptions, tokens and boundaries. `…_flat` is the number of fragments or spans in at least one pair.
--   `…_disc`, `…_gold` and `…_both` are the sizes of a found set, of a gold set and of their intersection.
CREATE TABLE "sizes_scopes" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled";

-- ## zerospeech2015.sizes_units
-- metric sizes, statistics per unit (specs/term_discovery/zerospeech2015/sizes.yaml)
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
CREATE TABLE "sizes" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('speakers', 'all') AS scope,
        json_object('speakers', 'all') AS slice,
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
-- Evidence: the members of clusters, each with its transcription and the verdicts of the metrics; times are
--   in seconds. With speakers = within, the verdicts are NULL for a member that is in no pair of one speaker,
--   because it is not scored.
CREATE TABLE "member_verdicts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "disc_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "scored_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "matching_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_boundaries"
    UNION
    SELECT DISTINCT "by_fold" FROM "gold_boundaries"
    UNION
    SELECT DISTINCT "by_fold" FROM "gold_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "grouping_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "fold_fragments"
) AS slice_, LATERAL (
    WITH "disc_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "scored_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "scored_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "matching_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "matching_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_boundaries" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_boundaries" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "gold_boundaries" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_boundaries" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "gold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "grouping_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "grouping_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH labelled AS (
            SELECT text, string_agg(label, ' ' ORDER BY place) AS transcription
            FROM (
                SELECT *, unnest(range(1, length(text) + 1)) AS place
                FROM (SELECT DISTINCT text FROM "disc_fragments")
            ) AS type_
            JOIN "phone_codes" AS code_ ON substring(text, place, 1) = code_.code
            GROUP BY ALL
        ),
        spans AS (
            SELECT file, onset, "offset", count(*) AS spans_found, count(*) FILTER (WHERE in_both) AS spans_matched
            FROM (SELECT *, unnest(range(first_phone, last_phone + 1)) AS phone FROM "scored_fragments")
            JOIN "matching_spans" USING (file, phone)
            WHERE in_found AND phone + size - 1 <= last_phone
            GROUP BY ALL
        ),
        edges AS (
            WITH edges AS (
                SELECT DISTINCT file, unnest([onset, "offset"]) AS time FROM "scored_fragments"
            ),
            points AS (
                SELECT DISTINCT file, boundary FROM "phone_boundaries"
            )
            SELECT edge_.*, CASE
                WHEN coalesce(time - before_.boundary, 9223372036854775807) <= coalesce(after_.boundary - time, 9223372036854775807)
                THEN CASE WHEN time - before_.boundary < microseconds(0.03e0) THEN before_.boundary END
                ELSE CASE WHEN after_.boundary - time < microseconds(0.03e0) THEN after_.boundary END
                END AS boundary
            FROM edges AS edge_
            ASOF LEFT JOIN points AS before_
                ON edge_.file = before_.file AND edge_.time >= before_.boundary
            ASOF LEFT JOIN points AS after_
                ON edge_.file = after_.file AND edge_.time < after_.boundary
        ),
        hit_edges AS (
            SELECT DISTINCT file, time FROM edges JOIN "gold_boundaries" USING (file, boundary)
        ),
        verdicts AS (
            SELECT file, onset, "offset", text,
                coalesce(found > 0, false) AS grouping_found, coalesce(gold > 0, false) AS grouping_gold, coalesce("both" > 0, false) AS grouping_hit,
                coalesce(spans_found, 0) AS spans_found, coalesce(spans_matched, 0) AS spans_matched,
                text IN (SELECT text FROM "gold_fragments") AS type_hit,
                (file, first_phone, last_phone) IN (SELECT (file, first_phone, last_phone) FROM "gold_fragments") AS token_hit,
                (file, onset) IN (FROM hit_edges) AS onset_hit,
                (file, "offset") IN (FROM hit_edges) AS offset_hit
            FROM "scored_fragments"
            LEFT JOIN "grouping_fragments" USING (file, onset, "offset", text)
            LEFT JOIN spans USING (file, onset, "offset")
        )
        SELECT cluster, file, onset / 1e6 AS onset, "offset" / 1e6 AS "offset", coalesce(transcription, '') AS transcription,
            length(text) AS length, grouping_found, grouping_gold, grouping_hit, spans_found, spans_matched, type_hit, token_hit, onset_hit, offset_hit
        FROM "fold_fragments"
        LEFT JOIN verdicts USING (file, onset, "offset")
        LEFT JOIN labelled USING (text)
    )
) AS rows_;

-- ## zerospeech2015.cluster_purity
-- relation cluster_purity (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: the clusters, each with its number of members, its number of distinct transcriptions and its
--   purity. Purity is the fraction of members that have the most frequent transcription of the cluster.
CREATE TABLE "cluster_purity" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "fold_fragments"
    UNION
    SELECT DISTINCT "by_fold" FROM "disc_fragments"
) AS slice_, LATERAL (
    WITH "fold_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "fold_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "disc_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "disc_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        SELECT cluster, count(*) AS members, count(DISTINCT text) AS types, max(same) / count(*) AS purity
        FROM (
            SELECT cluster, text, count(*) OVER (PARTITION BY cluster, text) AS same
            FROM "fold_fragments"
            JOIN "disc_fragments" USING (file, onset, "offset")
        )
        GROUP BY ALL
    )
) AS rows_;

-- ## zerospeech2015.matching_types
-- relation matching_types, match(t, P), N(t, P)
--   (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The transcriptions t of spans, with the number of spans with t, |match(t, P)|, in P_disc* (found) and in
--   P_all (gold), and the number of ends of pairs with t, N(t, P), in P_disc*, in P_all and in P_disc* ∩
--   P_all (both).
-- By definition, the pairs are listed and their ends counted (pairs/pairs_star.sql, pairs/pairs_all.sql).
--   Here the ends in P_disc* are counted in three steps. Step 1: the number of partners of a sub-span of a
--   member follows from the lengths of the members of the cluster (macro `partners`), and the sum over
--   sub-spans of members is a first count. Step 2: that sum counts a pair of spans that is aligned in k ways
--   k times, so k − 1 counts are subtracted (multiple_alignments). It also counts a span as its own partner,
--   once for each ordered pair of two different classes of the span that are aligned with each other; these
--   counts are subtracted, too. Step 3: the sum counts aligned sub-spans of members that overlap, which are
--   not a pair of P_disc. So the pairs of near_subspans that are not found are subtracted. Steps 2 and 3
--   concern recounted_members only.
-- The ends in both sets are counted in the same way, among spans of equal transcription in one utterance.
--   Step 1 counts only repeated_subspans, because no other sub-span has a partner of equal transcription. In
--   step 3, pairs of spans that overlap are also subtracted, because they are not in P_all.
-- For example, cluster 2 has ab at 2.0 s, ab at 3.0 s and cd; cluster 3 has the same two ab and bc. Step 1
--   counts 2 + 2 partners for each ab. The two ab are aligned in both clusters, so step 2 subtracts 1. Each
--   ab has 3 partners, so 6 ends of pairs have the transcription ab.
-- With completion = minimal_paths, the pairs are listed (path_pairs), and each span has the number of its
--   pairs.
CREATE TABLE "matching_types" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "recounted_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "distinct_members"
    UNION
    SELECT DISTINCT "by_fold" FROM "subspan_counts"
    UNION
    SELECT DISTINCT "by_fold" FROM "repeated_subspans"
    UNION
    SELECT DISTINCT "by_fold" FROM "multiple_alignments"
    UNION
    SELECT DISTINCT "by_fold" FROM "near_subspans"
    UNION
    SELECT DISTINCT "by_fold" FROM "found_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "subspan_strings"
    UNION
    SELECT DISTINCT "by_fold" FROM "gold_types"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_runs"
) AS slice_, LATERAL (
    WITH "recounted_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "recounted_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "distinct_members" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "distinct_members" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "subspan_counts" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "subspan_counts" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "repeated_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "repeated_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "multiple_alignments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "multiple_alignments" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "near_subspans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "near_subspans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "found_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "found_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "subspan_strings" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "subspan_strings" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "gold_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "gold_types" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH types AS MATERIALIZED (
            SELECT signature, text, in_gold, count(*) AS spans FROM "recounted_spans" GROUP BY ALL
        ),
        -- the signatures of several classes; any other signature is the number of its only class
        several AS (
            SELECT signature, any_value(classes) AS classes FROM "recounted_spans" WHERE signature < 0 GROUP BY ALL
        ),
        -- step 1, for the found pairs
        counted AS (
            SELECT replace(left(codes, (size)::INTEGER), ' ', '') AS text, subspans[size] - subspans[size + before + 1] - subspans[size + (span_size - size - before) + 1]
                + 2 * subspans[size + before + (span_size - size - before) + 1] - 1 AS partners
            FROM (
                SELECT *, unnest(range(3::BIGINT, least(span_size - before, 20::BIGINT) + 1)) AS size
                FROM (
                    SELECT * REPLACE (substr(codes, before + 1, 20::BIGINT) AS codes)
                    FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM "distinct_members" JOIN "subspan_counts" USING (cluster, pair_speaker))
                )
            )
        ),
        -- step 1, for the pairs in both sets
        within_gold AS (
            SELECT cluster, pair_speaker, text, before, after, count(*) AS spans
            FROM (SELECT DISTINCT cluster, pair_speaker, text, before, after, file, phone FROM "repeated_subspans")
            GROUP BY ALL
        ),
        -- step 2, with k = `ways`: k - 1 counts of each pair of different spans; within one signature also the counts of a span
        -- as its own partner: k, minus the one per class that the macro `partners` has already subtracted
        repeated AS (
            SELECT a.text, a.in_gold AND b.in_gold AND a.text = b.text AS matching,
                a.spans * if(itself, (b.spans - 1) * (ways - 1) + ways - coalesce(len(classes), 1), b.spans * (ways - 1)) AS ends
            FROM (
                SELECT ways, a, b, classes, (a.signature = b.signature AND a.text = b.text AND a.in_gold = b.in_gold) AS itself
                FROM "multiple_alignments" AS ways_
                JOIN types AS a ON a.signature = signature_a
                JOIN types AS b ON b.signature = signature_b
                LEFT JOIN several ON several.signature = signature_a
            )
        ),
        near_by_a AS MATERIALIZED (
            SELECT * RENAME (text AS text_a, in_gold AS in_gold_a, onset AS onset_a, "offset" AS offset_a)
            FROM (
                SELECT near_.*, text, in_gold, first_.onset, last_."offset"
                FROM "near_subspans" AS near_
                JOIN "recounted_spans" AS span_
                    ON span_.file = near_.file_a AND span_.phone = near_.phone_a AND span_.size = near_.size
                LEFT JOIN "phone_runs" AS first_
                    ON first_.file = near_.file_a AND first_.phone = near_.phone_a
                LEFT JOIN "phone_runs" AS last_
                    ON last_.file = near_.file_a AND last_.phone = near_.phone_a + near_.size - 1
            )
        ),
        near AS (
            SELECT found, text_a, text, in_gold_a AND in_gold AND text_a = text AS matching,
                (shared_time(onset_a, offset_a, onset, "offset") > microseconds(0.0e0) AND (shared_time(onset_a, offset_a, onset, "offset") > microseconds(86400.0e0)
                    OR more_than_part(shared_time(onset_a, offset_a, onset, "offset"), 0.5e0, least(offset_a - onset_a, "offset" - onset)))) AS overlapping
            FROM (
                SELECT near_.*, text, in_gold, first_.onset, last_."offset"
                FROM near_by_a AS near_
                JOIN "recounted_spans" AS span_
                    ON span_.file = near_.file_b AND span_.phone = near_.phone_b AND span_.size = near_.size
                LEFT JOIN "phone_runs" AS first_
                    ON first_.file = near_.file_b AND first_.phone = near_.phone_b
                LEFT JOIN "phone_runs" AS last_
                    ON last_.file = near_.file_b AND last_.phone = near_.phone_b + near_.size - 1
            ) AS near_
        ),
        labelled AS (
            SELECT text, count(*) AS found_spans
            FROM (
                SELECT replace(left(codes, (size)::INTEGER), ' ', '') AS text
                FROM "found_spans"
                JOIN "subspan_strings" USING (file, phone)
            )
            GROUP BY ALL
        ),
        ends AS (
            SELECT text, 'found' AS set_, sum(partners)::BIGINT AS ends FROM counted GROUP BY ALL
            UNION ALL
            SELECT text, 'found', -sum(ends)::BIGINT FROM repeated GROUP BY ALL
            UNION ALL
            SELECT text, 'found', -1 FROM (SELECT unnest([text_a, text]) AS text FROM near WHERE NOT found)
            UNION ALL
            SELECT text, 'both', sum(a.spans * (b.spans - (a.before = b.before AND a.after = b.after)::BIGINT))::BIGINT
            FROM within_gold AS a
            JOIN within_gold AS b USING (cluster, pair_speaker, text)
            WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
            GROUP BY ALL
            UNION ALL
            SELECT text, 'both', -sum(ends)::BIGINT FROM repeated WHERE matching GROUP BY ALL
            UNION ALL
            SELECT text, 'both', -2 FROM near WHERE matching AND (overlapping OR NOT found)
        )
        SELECT text,
            coalesce(sum(found_spans), 0)::BIGINT AS found_spans, coalesce(sum(gold_spans), 0)::BIGINT AS gold_spans,
            coalesce(sum(found_ends), 0)::BIGINT AS found_ends,
            coalesce(sum(gold_ends), 0)::BIGINT AS gold_ends, coalesce(sum(both_ends), 0)::BIGINT AS both_ends
        FROM (
            FROM labelled
            UNION ALL BY NAME
            SELECT text, spans AS gold_spans, ends AS gold_ends FROM "gold_types"
            UNION ALL BY NAME
            SELECT text, if(set_ = 'found', ends, NULL) AS found_ends, if(set_ = 'both', ends, NULL) AS both_ends FROM ends
        )
        GROUP BY ALL
    )
) AS rows_;

-- ## zerospeech2015.matching_verdicts
-- relation matching_verdicts (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: the transcriptions of sub-spans, in phone labels, each with the numbers of spans and of ends of
--   pairs with the transcription in P_disc* (found), in P_all (gold) and in both.
CREATE TABLE "matching_verdicts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "matching_types"
    UNION
    SELECT DISTINCT "by_fold" FROM "matching_spans"
    UNION
    SELECT DISTINCT "by_fold" FROM "phone_runs"
) AS slice_, LATERAL (
    WITH "matching_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "matching_types" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "matching_spans" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "matching_spans" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "phone_runs" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "phone_runs" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH labelled AS (
            SELECT text, string_agg(label, ' ' ORDER BY place) AS transcription
            FROM (
                SELECT *, unnest(range(1, length(text) + 1)) AS place
                FROM (SELECT DISTINCT text FROM "matching_types")
            ) AS type_
            JOIN "phone_codes" AS code_ ON substring(text, place, 1) = code_.code
            GROUP BY ALL
        ),
        of_both AS (
            SELECT left(codes, size::INTEGER) AS text, count(*) AS both_spans
            FROM "matching_spans"
            JOIN "phone_runs" USING (file, phone)
            WHERE in_both
            GROUP BY ALL
        )
        SELECT coalesce(transcription, '') AS transcription, length(text) AS length, found_spans, gold_spans,
            coalesce(both_spans, 0) AS both_spans, found_ends, gold_ends, both_ends
        FROM "matching_types"
        LEFT JOIN labelled USING (text)
        LEFT JOIN of_both USING (text)
    )
) AS rows_;

-- ## zerospeech2015.grouping_verdicts
-- relation grouping_verdicts (specs/term_discovery/zerospeech2015/evidence.yaml)
-- Evidence: the transcriptions of fragments, in phone labels, each with the numbers of fragments and of ends
--   of pairs with the transcription in P_clus (found), in P_goldclus (gold) and in both.
CREATE TABLE "grouping_verdicts" AS
SELECT slice_.*, rows_.*
FROM (
    SELECT DISTINCT "by_fold" FROM "grouping_types"
    UNION
    SELECT DISTINCT "by_fold" FROM "grouping_fragments"
) AS slice_, LATERAL (
    WITH "grouping_types" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "grouping_types" AS all_ WHERE all_."by_fold" = slice_."by_fold"),
    "grouping_fragments" AS MATERIALIZED (SELECT * EXCLUDE ("by_fold") FROM "grouping_fragments" AS all_ WHERE all_."by_fold" = slice_."by_fold")
    FROM (
        WITH labelled AS (
            SELECT text, string_agg(label, ' ' ORDER BY place) AS transcription
            FROM (
                SELECT *, unnest(range(1, length(text) + 1)) AS place
                FROM (SELECT DISTINCT text FROM "grouping_types")
            ) AS type_
            JOIN "phone_codes" AS code_ ON substring(text, place, 1) = code_.code
            GROUP BY ALL
        ),
        of_both AS (
            SELECT text, count(*) AS both_spans FROM "grouping_fragments" WHERE "both" > 0 GROUP BY ALL
        )
        SELECT coalesce(transcription, '') AS transcription, length(text) AS length, found_spans, gold_spans,
            coalesce(both_spans, 0) AS both_spans, found_ends, gold_ends, both_ends
        FROM "grouping_types"
        LEFT JOIN labelled USING (text)
        LEFT JOIN of_both USING (text)
    )
) AS rows_;

-- ## zerospeech2015.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    FROM (
        WITH fold_rows AS MATERIALIZED (
            SELECT 0 AS position, 0 AS variant, 'ned' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
                    {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 1, 'component': 'pairs', 'value': "pairs"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "ned" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 1 AS position, 0 AS variant, 'coverage' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
                    {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "coverage" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 2 AS position, 0 AS variant, 'matching' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "matching" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 3 AS position, 0 AS variant, 'matching_pairs' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "matching_pairs" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 4 AS position, 0 AS variant, 'grouping' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "grouping" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 5 AS position, 0 AS variant, 'grouping_pairs' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "grouping_pairs" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 6 AS position, 0 AS variant, 'type' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "type" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 7 AS position, 0 AS variant, 'token' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "token" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 8 AS position, 0 AS variant, 'boundary' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
                    {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE, 'none_left': NULL::DOUBLE},
                    {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE, 'none_left': NULL::DOUBLE}
                ], recursive := true)
            FROM (SELECT *, true AS "in a fold" FROM "boundary" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
            UNION ALL
            SELECT 9 AS position, 0 AS variant, 'sizes' AS metric, slice, breakdown, note,
                "by_fold" AS fold, "in a fold" AS listed, true AS kept,
                unnest([
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
            FROM (SELECT *, true AS "in a fold" FROM "sizes" UNION ALL BY NAME SELECT json_object('speakers', 'all') AS slice, 0 AS breakdown)
        ),
        fold_counts AS (
            SELECT position, variant, count(DISTINCT {'fold': fold}) FILTER (listed) AS fold_count FROM fold_rows GROUP BY ALL
        )
        SELECT position, variant, breakdown, place, metric, component, slice,
            coalesce(exact_mean(value), any_value(none_left)) AS value,
            list_stddev_pop(list(value ORDER BY fold)) AS std, count(value) AS folds,
            CASE WHEN any_value(fold_count) = 0 THEN 'undefined: no folds'
                 WHEN count(value) = 0 THEN 'undefined in every fold'
                 WHEN count(value) < any_value(fold_count)
                 THEN concat('undefined in ', any_value(fold_count) - count(value), ' of ', any_value(fold_count), ' folds')
            END AS note
        FROM (SELECT * REPLACE (if(kept, finite(value), NULL) AS value) FROM fold_rows) JOIN fold_counts USING (position, variant)
        GROUP BY position, variant, metric, slice, breakdown, place, component
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## zerospeech2017.Suite_zerospeech2017
-- Suite zerospeech2017: The metrics of the ZeroSpeech Challenge 2017, as its evaluator tdev2 2.0.2 computes
--   them. The corpus is scored as one unit, unless folds are given.
-- To run it in DuckDB, first fill the tables of the inputs: phones, words, fragments (not read: utterances,
--   folds, speakers); also the tables …_rows_…, which Python functions make
-- Order: each of the 45 steps reads inputs and steps above it. Metrics: cluster_pairs → ned; phone_coverage →
--   coverage; grouping_tokens → grouping; type_outcomes → type; token_outcomes → token; boundary_outcomes →
--   boundary; submission_sizes → sizes

-- ## zerospeech2017.remark
-- Note in the results table scores on a component with the value x: the reason why x is undefined, or that x is infinite. If x is a finite number, it keeps only a note of the form "defined in 3 of 4 units".
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
--   alignment. A repeated row is counted once. The column file is the name of the recording, here and in all
--   tables of the domain.
CREATE TABLE IF NOT EXISTS "phones" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- ## zerospeech2017.fold_fragments
-- relation fold_fragments (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The fragments, one row for each line of the submission, with the speaker of the recording. With folds, the
--   fragments of each fold (parameter `inside`).
-- With speakers = within, each cluster is divided by speaker: the members of cluster 7 that speaker A speaks
--   form the cluster `7 (A)`. Members whose speaker is unknown are left out. Members without another member
--   of their speaker in the cluster are left out too, because they are in no pair of one speaker.
CREATE TABLE "fold_fragments" AS
SELECT row_.*, speaker
FROM "fragments" AS row_
LEFT JOIN "file_speakers" AS speaker_ ON speaker_.file = row_.file;

-- ## zerospeech2017.fold_phones
-- relation fold_phones (specs/term_discovery/zerospeech2017/corpus.yaml)
-- One row per phone token or, with folds, per fold and phone token of the fold (parameter `inside`). With
--   speakers = within, only phones of known speakers.
CREATE TABLE "fold_phones" AS
SELECT row_.*, speaker
FROM "phones" AS row_
LEFT JOIN "file_speakers" AS speaker_ ON speaker_.file = row_.file;

-- ## zerospeech2017.phone_tokens
-- relation phone_tokens (specs/term_discovery/zerospeech2017/corpus.yaml)
-- One row per phone token of the corpus or of the fold, numbered within its recording by onset and offset.
--   Silence (parameter `silence`) is included; coverage leaves it out.
CREATE TABLE "phone_tokens" AS
SELECT file, onset, "offset", label, code, label IN ['SIL', 'SPN']::VARCHAR[] AS silent,
    row_number() OVER (PARTITION BY file ORDER BY onset, "offset") AS phone
FROM "fold_phones"
JOIN "phone_codes" USING (label);

-- ## zerospeech2017.fragment_spans
-- relation fragment_spans, F_disc (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The distinct fragments (F_disc) as spans of phones, from `first_phone` to `last_phone`, by the edge rule of
--   tdev2. Both are NULL if the rule keeps no phone.
-- A fragment contains all phones that share time with it, but the first and the last of them are tested. A
--   phone of 2 × `edge_time` (60 ms) or more is kept when at least `edge_time` (30 ms) of it is covered. A
--   shorter phone is kept when at least `edge_fraction` (half) of it is covered. Of a phone of 80 ms, 30 ms
--   are enough; of a phone of 40 ms, 20 ms are enough. If the fragment lies within one phone, that phone is
--   tested once.
-- tdev2 computes with floating-point numbers and rounds durations to milliseconds (`duration_rounding`)
--   before it compares them. A duration that is more than 29.5 ms is 30 ms or more after rounding. That is
--   the half millisecond in the conditions.
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
        if(CASE
                            WHEN first_offset - first_onset > 2 * 0.03e0 - 0.001e0 / 2
                            THEN least("offset", first_offset) - greatest(onset, first_onset) > 0.03e0 - 0.001e0 / 2
                            ELSE (least("offset", first_offset) - greatest(onset, first_onset))
                                / (first_offset - first_onset) >= 0.5e0
                        END, first_phone, first_phone + 1) AS first_phone,
        -- a fragment within one phone: the test of the first phone decides
        if(first_phone = last_phone OR CASE
                            WHEN last_offset - last_onset > 2 * 0.03e0 - 0.001e0 / 2
                            THEN least("offset", last_offset) - greatest(onset, last_onset) > 0.03e0 - 0.001e0 / 2
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
-- One row per phone token, with a string of up to 16 characters, one per phone: the phone and the 15 phones
--   that follow in the recording. The transcription of a span of up to 16 phones is the left end of the
--   string at its first phone.
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
-- The distinct fragments that have a transcription, with their span of phones, their transcription as a
--   string of codes, the onset of their first phone and the offset of their last phone.
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
-- One row per line of the input fragments whose fragment has a transcription, with the transcription. A
--   fragment that a cluster lists twice has two rows, because tdev2 forms pairs of lines.
CREATE TABLE "cluster_members" AS
SELECT cluster, file, onset, "offset", first_phone, last_phone, text
FROM "fold_fragments"
JOIN "fragment_texts" USING (file, onset, "offset");

-- ## zerospeech2017.cluster_types
-- relation cluster_types (specs/term_discovery/zerospeech2017/ned.yaml)
-- The distinct transcriptions of each cluster, with the number of members that have each. Labels in the
--   parameter `unaligned` (SIL) are removed first, as tdev2 does before it computes edit distances.
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
--   transcription.
-- By definition, the n·(n − 1)/2 pairs of n members are listed and compared. Here every two distinct
--   transcriptions t and u are compared once. If n_t members have the transcription t, their result counts
--   for n_t·n_u pairs. The n_t·(n_t − 1)/2 pairs of members with the same transcription are at distance 0.
--   For example, the members `ab`, `ab` and `ac` form two pairs at distance 1 and one pair at distance 0.
-- tests/conformance/test_tdev2.py compares ned with tdev2, which lists the pairs.
-- "cluster_pairs_rows" is what the Python function pairwise_edit_distance makes of the rows of
--   SELECT cluster, text, members AS weight FROM "cluster_types" ORDER BY cluster
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
-- Normalised edit distance (NED): mean, over all pairs of members of a cluster, of the edit distance of the
--   two transcriptions divided by the number of phones of the longer one. 0 means that all members of each
--   cluster have equal transcriptions; 1 is the largest value. Two members that overlap in time are also a
--   pair, and a pair that is in two clusters counts twice. Members without a phone in their transcription are
--   left out. If both transcriptions are empty once the phones of `unaligned` are removed, the distance is 1.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "ned_units" AS
SELECT "cluster",
    exact_sum((if(length = 0, 1, distance / length)) * (pairs)) AS "total",
    sum(pairs) FILTER (WHERE (if(length = 0, 1, distance / length)) IS NOT NULL) AS "pairs"
FROM "cluster_pairs" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.ned
-- metric ned, scores (specs/term_discovery/zerospeech2017/ned.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
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
-- The phone tokens. `covered`: the phone is in the transcription of at least one fragment.
-- By definition, a phone is covered if a span of a fragment has first_phone ≤ phone ≤ last_phone. Here spans
--   and phones are not compared one by one: a phone is covered if the maximum of last_phone, over the spans
--   that begin at or before the phone, is at least the phone. With the spans 1–3 and 2–2, that maximum is 3
--   from phone 1 on, so phones 1 to 3 are covered and phone 4 is not.
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
-- Coverage: number of phone tokens in the transcription of at least one fragment, divided by the number of
--   phone tokens of the corpus. Silence is left out of both numbers. Fragments that are alone in their
--   cluster also count.
CREATE TABLE "coverage_units" AS
SELECT "file",
    count(*) FILTER (WHERE covered) AS "numerator",
    count(*) AS "denominator"
FROM "phone_coverage" AS counted_rows
WHERE NOT silent
GROUP BY ALL;

-- ## zerospeech2017.coverage
-- metric coverage, scores (specs/term_discovery/zerospeech2017/coverage.yaml)
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
-- One row per distinct span of phones of the fragments that have a transcription. If several fragments have
--   the span, A.offset ≤ B.onset says that some fragment of span A ends before some fragment of span B
--   begins.
CREATE TABLE "distinct_spans" AS
SELECT file, first_phone, last_phone, text, first_onset, last_offset, max(onset) AS onset,
    min("offset") AS "offset"
FROM "fragment_texts"
GROUP BY ALL;

-- ## zerospeech2017.span_partners
-- relation span_partners (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of fragments. `in_gold`: some fragment has the same transcription and shares no time
--   with a fragment of the span, so the span is in flat(P_goldclus). With speakers = within, only fragments
--   of the same speaker count.
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
-- The members of clusters. `has_partner`: another member of the cluster has the same transcription and shares
--   no time with the member, so that the two are a pair of P_clus ∩ P_goldclus.
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
--   more members, so the span is in flat(P_clus). `in_both`: a fragment with the span has a partner of equal
--   transcription in its cluster, so the span is in flat(P_clus ∩ P_goldclus).
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
-- One row per distinct span of the members of clusters, with the sets of pairs in which it occurs.
CREATE TABLE "span_sets" AS
SELECT file, first_phone, last_phone, text, in_found, in_gold, in_both
FROM "span_partners"
JOIN "clustered_spans" USING (file, first_phone, last_phone);

-- ## zerospeech2017.span_tokens
-- relation span_tokens (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of fragments, each with the token that it counts as in grouping. `token_file` and
--   `token_phone` are the file and first phone of the span that represents the token.
-- With same_token = span, every span is a token. With same_token = times, spans whose phones have the same
--   labels and the same times are one token, even in different recordings. tdev2 does this because its tokens
--   do not contain the recording. For example, the phones `a b` at 0.0 to 0.1 and 0.1 to 0.2 s occur in the
--   recordings x and y. They are one token with times and two tokens with span. The first span in the order
--   of recording and phone represents the token.
CREATE TABLE "span_tokens" AS
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
-- The distinct tokens of members of clusters, with the sets of pairs in which each occurs: P_clus (found),
--   P_goldclus (gold) and their intersection (both). A token occurs in a set when one of its spans does.
--   Grouping precision is both / found, recall is both / gold.
CREATE TABLE "grouping_tokens" AS
SELECT text, token_file, token_phone,
    bool_or(in_found) AS in_found, bool_or(in_gold) AS in_gold, bool_or(in_both) AS in_both
FROM "span_sets"
JOIN "span_tokens" USING (file, first_phone, last_phone)
GROUP BY ALL;

-- ## zerospeech2017.grouping_units
-- metric grouping, statistics per unit (specs/term_discovery/zerospeech2017/grouping.yaml)
-- Grouping precision, recall and F: the fragments in found pairs compared with the fragments in gold pairs.
--   Found pairs (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any
--   clusters with equal transcriptions that share no time. Fragments with the same phones at the same times
--   are counted once, as one token.
CREATE TABLE "grouping_units" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_both) AS "hits"
FROM "grouping_tokens" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.grouping
-- metric grouping, scores (specs/term_discovery/zerospeech2017/grouping.yaml)
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
-- One row per word token or, with folds, per fold and word token of the fold (parameter `inside`). Every word
--   has a row of corpus_checks, which is read for its warnings. With speakers = within, only words of known
--   speakers.
CREATE TABLE "fold_words" AS
SELECT row_.*, speaker
FROM (FROM "words" SEMI JOIN "corpus_checks" USING (file)) AS row_
LEFT JOIN "file_speakers" AS speaker_ ON speaker_.file = row_.file;

-- ## zerospeech2017.word_tokens
-- relation word_tokens, F_goldLex (specs/term_discovery/zerospeech2017/corpus.yaml)
-- The word tokens (F_goldLex), numbered from 1 within their recording. Their transcription has all phones
--   that share time with the word, because tdev2 has no edge rule for words.
-- `reach` is the latest offset of the words up to this one. Words may overlap, so the offset can decrease
--   from one word to the next. `reach` never decreases, so fragment_words can search in it.
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
-- The distinct fragments that have a transcription, each with its word: the word that it covers most, as a
--   fraction of the word. If several fractions are equal, the earliest word counts. `hit`: the fragment and
--   its word have equal transcriptions. `credited`: the fragment is the earliest hit of its word. Later hits
--   of the word count as false alarms.
-- Words may overlap or contain each other, so the words that share time with a fragment are searched in a
--   range of word numbers. The range begins with the first word whose `reach` (the latest offset so far) is
--   after the onset of the fragment. It ends with the last word that begins before the offset of the
--   fragment.
CREATE TABLE "fragment_words" AS
-- several words can have the same `reach` or `onset`: the range begins with the lowest number and ends with the highest
WITH reaching AS (
    SELECT file, reach, min(word) AS word FROM "word_tokens" GROUP BY ALL
),
beginning AS (
    SELECT file, onset, max(word) AS word FROM "word_tokens" GROUP BY ALL
),
candidates AS (
    SELECT fragment_.file, fragment_.onset, fragment_."offset", unnest(range(first_.word, last_.word + 1)) AS word
    FROM "fragment_texts" AS fragment_
    ASOF JOIN reaching AS first_
        ON fragment_.file = first_.file
        AND fragment_.onset < first_.reach
    ASOF JOIN beginning AS last_
        ON fragment_.file = last_.file
        AND fragment_."offset" > last_.onset
),
chosen AS (
    SELECT candidate_.file, candidate_.onset, candidate_."offset",
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
    LEFT JOIN chosen USING (file, onset, "offset")
    LEFT JOIN "word_tokens" AS word_
        ON fragment_.file = word_.file
        AND chosen.word = word_.word
)
SELECT *, hit AND row_number() OVER (PARTITION BY file, word, hit ORDER BY onset, "offset") = 1 AS credited
FROM matched;

-- ## zerospeech2017.type_outcomes
-- relation type_outcomes (specs/term_discovery/zerospeech2017/type.yaml)
-- The distinct transcriptions of fragments (`in_found`) and the distinct labels of words (`in_gold`). `hit`:
--   at least one fragment with the transcription has a word (fragment_words) with the same transcription.
-- As in tdev2, precision counts transcriptions and recall divides by labels. Two words with different labels
--   and one transcription are two gold labels but only one possible hit, so recall can stay below 1.
CREATE TABLE "type_outcomes" AS
SELECT text AS type, true AS in_found, false AS in_gold, bool_or(hit) AS hit
FROM "fragment_words"
GROUP BY ALL
UNION ALL
SELECT DISTINCT label AS type, false AS in_found, true AS in_gold, false AS hit
FROM "word_tokens";

-- ## zerospeech2017.type_units
-- metric type, statistics per unit (specs/term_discovery/zerospeech2017/type.yaml)
-- Type precision, recall and F: the distinct transcriptions of fragments compared with the lexicon. A
--   transcription is a hit if at least one of its fragments has the transcription of the word that the
--   fragment covers most (as a fraction of the word). As in tdev2, precision divides the hits by the number
--   of transcriptions, and recall by the number of distinct word labels.
CREATE TABLE "type_units" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "type_outcomes" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.type, like zerospeech2017.grouping except:
@@ -1,2 +1,2 @@
--- metric grouping, scores (specs/term_discovery/zerospeech2017/grouping.yaml)
-CREATE TABLE "grouping" AS
+-- metric type, scores (specs/term_discovery/zerospeech2017/type.yaml)
+CREATE TABLE "type" AS
@@ -11 +11 @@
-    FROM "grouping_units"
+    FROM "type_units"

-- ## zerospeech2017.token_outcomes
-- relation token_outcomes (specs/term_discovery/zerospeech2017/token.yaml)
-- The distinct fragments and the word tokens as hits, false alarms and misses. A word and the fragment that
--   is credited for it (fragment_words) are one hit. Every other fragment is a false alarm, with the word
--   that it covers most (as a fraction of the word). Every other word is a miss.
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
-- Token precision, recall and F: fragments compared with word tokens. Each fragment is compared with the word
--   that it covers most, as a fraction of the word. It is a hit if the two transcriptions are equal. A word
--   has at most one hit.
CREATE TABLE "token_units" AS
SELECT "file",
    count(*) FILTER (WHERE outcome <> 'miss') AS "found",
    count(*) FILTER (WHERE outcome <> 'false alarm') AS "gold",
    count(*) FILTER (WHERE outcome = 'hit') AS "hits"
FROM "token_outcomes" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.token, like zerospeech2017.grouping except:
@@ -1,2 +1,2 @@
--- metric grouping, scores (specs/term_discovery/zerospeech2017/grouping.yaml)
-CREATE TABLE "grouping" AS
+-- metric token, scores (specs/term_discovery/zerospeech2017/token.yaml)
+CREATE TABLE "token" AS
@@ -11 +11 @@
-    FROM "grouping_units"
+    FROM "token_units"

-- ## zerospeech2017.boundary_outcomes
-- relation boundary_outcomes, B_disc, B_gold (specs/term_discovery/zerospeech2017/boundary.yaml)
-- The distinct boundaries (file, time) of fragments, B_disc, and of words, B_gold. The boundaries of a
--   fragment are the onset of its first phone and the offset of its last phone. `hit`: a fragment and a word
--   both begin at the time, or both end there. If a fragment ends where a word begins, and no word ends
--   there, the time is not a hit.
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
-- Boundary precision, recall and F: the distinct edges of fragments compared with the distinct edges of
--   words. The edges of a fragment are those of its first and last phone. A time is a hit when a fragment and
--   a word both begin there, or both end there.
CREATE TABLE "boundary_units" AS
SELECT "file",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "boundary_outcomes" AS counted_rows
GROUP BY ALL;

-- ## zerospeech2017.boundary, like zerospeech2017.grouping except:
@@ -1,2 +1,2 @@
--- metric grouping, scores (specs/term_discovery/zerospeech2017/grouping.yaml)
-CREATE TABLE "grouping" AS
+-- metric boundary, scores (specs/term_discovery/zerospeech2017/boundary.yaml)
+CREATE TABLE "boundary" AS
@@ -11 +11 @@
-    FROM "grouping_units"
+    FROM "boundary_units"

-- ## zerospeech2017.submission_sizes
-- relation submission_sizes (specs/term_discovery/zerospeech2017/sizes.yaml)
-- The numbers of clusters, members, fragments, pairs, transcriptions and words. Each row has the sizes of one
--   set, and the metric `sizes` adds up the rows.
CREATE TABLE "submission_sizes" AS
SELECT count(DISTINCT cluster) AS clusters, count(*) AS members FROM "fold_fragments"
UNION ALL BY NAME
SELECT count(*) AS fragments, count(*) FILTER (WHERE first_phone IS NULL) AS fragments_empty
FROM "fragment_spans"
UNION ALL BY NAME
SELECT sum(pairs) AS pairs FROM "cluster_pairs"
UNION ALL BY NAME
SELECT count(DISTINCT text) AS types FROM "fragment_texts"
UNION ALL BY NAME
SELECT count(*) AS words, count(DISTINCT label) AS word_types FROM "word_tokens";

-- ## zerospeech2017.sizes_units
-- metric sizes, statistics per unit (specs/term_discovery/zerospeech2017/sizes.yaml)
-- Sizes: numbers of clusters, members, fragments, pairs, transcriptions, words and word labels.
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
-- One row per distinct transcription of a fragment, as codes and, for evidence, as phone labels separated by
--   spaces.
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
-- Evidence: the lines of the submission, each with the transcription of the fragment, the word that the
--   fragment covers most (as a fraction of the word), and the verdicts of token, type and boundary. The
--   verdicts are NULL if the fragment has no transcription.
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
-- Evidence: the clusters, each with its number of members that have a transcription, its number of distinct
--   transcriptions, its number of pairs of members and their mean normalised edit distance (NED). NED is NULL
--   for a cluster of one member.
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
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'ned' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'pairs', 'value': "pairs"::DOUBLE}
            ], recursive := true)
        FROM "ned"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'coverage' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
            ], recursive := true)
        FROM "coverage"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'grouping' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE},
                {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE},
                {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE}
            ], recursive := true)
        FROM "grouping"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'type' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE},
                {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE},
                {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE}
            ], recursive := true)
        FROM "type"
        UNION ALL
        SELECT 4 AS position, 0 AS variant, 'token' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE},
                {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE},
                {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE}
            ], recursive := true)
        FROM "token"
        UNION ALL
        SELECT 5 AS position, 0 AS variant, 'boundary' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE},
                {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE},
                {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE}
            ], recursive := true)
        FROM "boundary"
        UNION ALL
        SELECT 6 AS position, 0 AS variant, 'sizes' AS metric, slice, breakdown, note,
            unnest([
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
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- input phones (specs/term_discovery/tde2015/tables.yaml): One row per phone token of the corpus, from a
--   forced alignment. A line given twice counts once.
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

-- input folds_total (specs/term_discovery/tables.yaml): One row per interval of a fold in which pairs of
--   all talkers are scored (slice talkers=total).
CREATE TABLE IF NOT EXISTS "folds_total" (line BIGINT, "fold" BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- input folds_within (specs/term_discovery/tables.yaml): One row per interval of a fold that holds a
--   single talker (slice talkers=within).
CREATE TABLE IF NOT EXISTS "folds_within" (line BIGINT, "fold" BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- relation clipped_fragments (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The fragments as submitted, each clipped to one utterance of its file, as tde 0.2.1 does: the utterance
--   with which it shares most time, the earliest of equals. The clipped times are NULL where the fragment
--   shares time with no utterance. A fragment from 1.0 to 2.0 s across the utterances 0.0–1.3 s and 1.4–3.0 s
--   becomes 1.4–2.0 s.
CREATE TABLE "clipped_fragments_6da66823" AS
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
CREATE TABLE "speech_phones_6b583ae7" AS
WITH tokens AS (
    SELECT file, onset AS onset, "offset" AS "offset", label, code,
        label IN []::VARCHAR[] AS silent
    FROM "phones"
    JOIN "phone_codes_42ce8ab5" USING (label)
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

-- relation fold_intervals, fold_set = total, inside = whole, n_folds = 0, pause = 0.001, silence = [], times
--   = seconds, by fold (specs/term_discovery/shared/corpus.yaml)
-- The intervals of each fold: those of the input that `fold_set` names, if it is given. Otherwise the
--   utterances, ordered by file and onset, are divided into `n_folds` runs with equal numbers of utterances.
--   When the number is not divisible, the first folds have one more: 11 utterances in 3 folds are 4, 4 and 3.
CREATE TABLE "fold_intervals_9779caba" AS
SELECT "fold" AS "by_fold", *
FROM (
SELECT fold, file, onset AS onset, "offset" AS "offset"
FROM "folds_total"
);

-- relation fold_intervals, fold_set = unset, inside = unset, n_folds = unset, pause = unset, silence = unset,
--   times = unset, over all rows (specs/term_discovery/shared/corpus.yaml)
-- Its rows that are in some slice.
CREATE VIEW "fold_intervals_filled_2161d0fe" AS
SELECT * FROM "fold_intervals_9779caba"
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
CREATE TABLE "fold_fragments_fa12cb1d" AS
WITH members AS (
    SELECT cluster, file, clipped_onset AS onset, clipped_offset AS "offset", count(*) AS times_listed
    FROM "clipped_fragments_6da66823"
    WHERE clipped_onset IS NOT NULL
    GROUP BY ALL
)
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM members AS row_
JOIN "fold_intervals_filled_2161d0fe" AS fold_
    ON row_.file = fold_.file
    AND row_.onset >= fold_.onset
    AND row_."offset" <= fold_."offset"
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file;

-- relation fold_phones (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The phonemes of each fold. `phone` numbers them from 1 within fold and file; `number` is the number within
--   the file of the whole corpus. A jump of `number` shows a hole in the fold. With inside = whole, phonemes
--   that an interval of the fold cuts are included too, because tde 0.2.1 transcribes fragments with them.
--   They have no utterance, so that no span of F_all contains them, and an utterance ends where an interval
--   of the fold ends.
CREATE TABLE "fold_phones_b022dd47" AS
SELECT *, row_number() OVER (PARTITION BY "by_fold", file ORDER BY number) AS phone
FROM (
    SELECT by_fold, phone_.* EXCLUDE (by_fold, utterance, part), max(part) AS utterance, talker
    FROM (
        SELECT fold_.by_fold, phone_.*,
            CASE WHEN utterance IS NOT NULL AND phone_.onset >= fold_.onset AND phone_."offset" <= fold_."offset"
                THEN greatest(utterance, fold_.onset) END AS part
        FROM "speech_phones_6b583ae7" AS phone_
        JOIN "fold_intervals_filled_2161d0fe" AS fold_
            ON phone_.file = fold_.file
            AND phone_.onset < fold_."offset" AND phone_."offset" > fold_.onset
    ) AS phone_
    LEFT JOIN "file_talkers_60c8733a" USING (file)
    GROUP BY ALL
);

-- relation phone_strings (specs/term_discovery/zerospeech2015/corpus.yaml)
-- For each phoneme of a fold its onset and a string of up to 16 codes: its code and the codes of the 15
--   phonemes after it in the file and fold. The transcription of a span of n phonemes, n ≤ 16, is the first n
--   characters of the string at its first phoneme.
CREATE TABLE "phone_strings_e5e56340" AS
WITH one AS (SELECT "by_fold", file, phone, onset, code AS codes FROM "fold_phones_b022dd47"),
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
CREATE TABLE "disc_fragments_d589d63e" AS
WITH intervals AS (
    SELECT DISTINCT "by_fold", "file", "onset", "offset" FROM "fold_fragments_fa12cb1d"
)
FROM (
    WITH overlapped AS (
        SELECT interval_.*,
            first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
            last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
        FROM intervals AS interval_
        ASOF LEFT JOIN "fold_phones_b022dd47" AS first_
            ON interval_.file = first_.file AND interval_."by_fold" = first_."by_fold"
            AND interval_.onset < first_."offset"
        ASOF LEFT JOIN "fold_phones_b022dd47" AS last_
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
            JOIN "phone_strings_e5e56340" AS string_
                ON long_.file = string_.file AND long_."by_fold" = string_."by_fold"
                AND long_.piece = string_.phone
            GROUP BY ALL
        ) AS tail_ USING ("by_fold", "file", "onset", "offset", "first_phone", "last_phone")
        JOIN "phone_strings_e5e56340" AS string_
            ON span_.file = string_.file AND span_."by_fold" = string_."by_fold"
            AND span_.first_phone = string_.phone
        WHERE first_phone <= last_phone
    )
    SELECT interval_.*, coalesce(text, '') AS text, first_.number AS first_phone, last_.number AS last_phone,
        least(interval_.onset, first_.onset) AS reach_from, greatest(interval_."offset", last_."offset") AS reach_to
    FROM intervals AS interval_
    LEFT JOIN transcribed USING ("by_fold", "file", "onset", "offset")
    LEFT JOIN "fold_phones_b022dd47" AS first_
        ON first_.file = interval_.file AND interval_."by_fold" = first_."by_fold"
        AND first_.phone = transcribed.first_phone
    LEFT JOIN "fold_phones_b022dd47" AS last_
        ON last_.file = interval_.file AND interval_."by_fold" = last_."by_fold"
        AND last_.phone = transcribed.last_phone
);

-- relation pair_groups, P_clus (specs/term_discovery/zerospeech2015/fragments.yaml)
-- The groups within which members of clusters make pairs (P_clus): one row for each member of a group. A
--   group is a cluster, or with talkers = within the members of a cluster that are of one talker. Two
--   fragments are a pair of P_clus when they have a group in common.
CREATE TABLE "pair_groups_20c380d8" AS
SELECT "by_fold", cluster, '' AS pair_talker, file, onset, "offset", text,
    times_listed, first_phone, last_phone, reach_from, reach_to
FROM "fold_fragments_fa12cb1d"
JOIN "disc_fragments_d589d63e" USING ("by_fold", file, onset, "offset");

-- relation group_types (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The distinct transcriptions of each group of fragments, with the number of members that have each. Edit
--   distances depend on nothing else.
CREATE TABLE "group_types_3357078a" AS
SELECT "by_fold", cluster, pair_talker, text, count(*) AS members
FROM "pair_groups_20c380d8"
GROUP BY ALL;

-- relation fragment_signatures (specs/term_discovery/zerospeech2015/disc_pairs.yaml)
-- The fragments that have another member in one of their groups, each with its signature. The signature
--   stands for the set of groups that the fragment is in, listed in `classes`. Fragments with the same
--   signature have the same groups and are counted together.
CREATE TABLE "fragment_signatures_70aa282d" AS
WITH numbered AS (
    SELECT *, dense_rank() OVER (ORDER BY "by_fold", cluster, pair_talker) AS pair_group
    FROM (FROM "pair_groups_20c380d8" QUALIFY count(*) OVER (PARTITION BY "by_fold", cluster, pair_talker) > 1)
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
CREATE TABLE "shared_signatures_76ed0dd9" AS
WITH multiple AS (
    SELECT DISTINCT "by_fold", signature, classes FROM "fragment_signatures_70aa282d" WHERE len(classes) > 1
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
CREATE TABLE "near_pairs_2c4d700a" AS
SELECT * RENAME (first_phone_a AS first_a, first_phone_b AS first_b, last_phone_a AS last_a, last_phone_b AS last_b),
    (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 1e-08 AND (least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.03e0
            OR least(offset_a, offset_b) - greatest(onset_a, onset_b) > 0.5e0 * (least(offset_a - onset_a, offset_b - onset_b)))) AS overlap
FROM (
    WITH slots AS (
        SELECT greatest(2 * avg(reach_to - reach_from), 1e-6) AS width FROM "pair_groups_20c380d8"
    ),
    laid AS (
        SELECT *, unnest(range(floor(reach_from / width)::BIGINT, floor(reach_to / width)::BIGINT + 1)) AS slot FROM "pair_groups_20c380d8", slots
    )
    SELECT "by_fold", cluster, pair_talker, a.file AS file_a, b.file AS file_b, a."onset" AS onset_a, b."onset" AS onset_b, a."offset" AS offset_a, b."offset" AS offset_b, a."text" AS text_a, b."text" AS text_b, a."first_phone" AS first_phone_a, b."first_phone" AS first_phone_b, a."last_phone" AS last_phone_a, b."last_phone" AS last_phone_b
    FROM laid AS a
    JOIN laid AS b USING ("by_fold", cluster, pair_talker, slot)
    WHERE (a.file < b.file OR a.file = b.file AND (a.onset < b.onset OR a.onset = b.onset AND a."offset" < b."offset"))
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
CREATE TABLE "surplus_pairs_61694ab6" AS
WITH counted AS (
    SELECT "by_fold", signature, text, count(*) AS fragments FROM "fragment_signatures_70aa282d" GROUP BY ALL
),
repeated AS (
    SELECT a."by_fold", a.text AS text_a, b.text AS text_b,
        surplus * a.fragments * (b.fragments - (a.signature = b.signature AND a.text = b.text)::BIGINT)
            // if(a.signature = b.signature AND a.text = b.text, 2, 1) AS excess
    FROM "shared_signatures_76ed0dd9"
    JOIN counted AS a ON a.signature = signature_a
    JOIN counted AS b ON b.signature = signature_b
    WHERE (a.signature, a.text) <= (b.signature, b.text)
),
overlapping AS (
    SELECT DISTINCT "by_fold", file_a, file_b, onset_a, offset_a, onset_b, offset_b, text_a, text_b FROM "near_pairs_2c4d700a" WHERE overlap
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
-- "disc_pairs_rows_a6df8186" is what the Python function pairwise_edit_distance makes of the rows of
--   SELECT "by_fold", pair_group, text, weight
--   FROM (
--       SELECT "by_fold", concat('group ', cluster, chr(31), pair_talker) AS pair_group, text, members AS weight FROM "group_types_3357078a"
--       UNION ALL
--       SELECT "by_fold", concat('surplus ', pair), unnest([text_a, text_b]), unnest([1, -excess])
--       FROM (SELECT *, row_number() OVER () AS pair FROM "surplus_pairs_61694ab6")
--   )
--   ORDER BY "by_fold", pair_group
CREATE TABLE "disc_pairs_2b610288" AS
SELECT "by_fold", distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT "by_fold", distance, length, weight AS pairs FROM "disc_pairs_rows_a6df8186"
    UNION ALL
    SELECT "by_fold", 0, length(text), members * (members - 1) // 2 FROM "group_types_3357078a" WHERE members > 1
)
GROUP BY ALL;

-- relation measured_pairs, P_disc (specs/term_discovery/tde2015/ned.yaml)
-- One row per edit distance and length, with the number of pairs of P_disc whose transcriptions have this
--   distance and this length of the longer one.
CREATE TABLE "measured_pairs_0f7215de" AS
SELECT * FROM "disc_pairs_2b610288";

-- metric ned, slices (specs/term_discovery/tde2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. NED is undefined when a pair
--   has no phone at all, because the evaluator divides by zero there. (In zerospeech2015.ned such a pair has
--   distance 1.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "ned_scopes_e4cdbf64" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_2161d0fe";

-- metric ned, statistics per unit (specs/term_discovery/tde2015/ned.yaml)
-- Normalised edit distance (NED): the mean, over the found pairs, of the edit distance of the two
--   transcriptions divided by the number of phones of the longer one. Found pairs (P_disc) are two distinct
--   fragments of one cluster that do not overlap; a pair of several clusters counts once. 0 means that both
--   fragments of every pair have the same transcription, 1 is the largest value. NED is undefined when a pair
--   has no phone at all, because the evaluator divides by zero there. (In zerospeech2015.ned such a pair has
--   distance 1.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "ned_units_25c37d40" AS
SELECT "by_fold",
    exact_sum(distance / nullif(length, 0) * pairs) AS "total",
    sum(pairs) AS "pairs",
    sum(pairs) FILTER (WHERE length = 0) AS "empty_pairs"
FROM "measured_pairs_0f7215de" AS counted_rows
GROUP BY ALL;

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
CREATE TABLE "ned_6b62539d" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("total"), 0) AS "total",
        coalesce(sum("pairs"), 0) AS "pairs",
        coalesce(sum("empty_pairs"), 0) AS "empty_pairs"
    FROM (FROM "ned_units_25c37d40" UNION ALL BY NAME FROM "ned_scopes_e4cdbf64")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    if(empty_pairs = 0, ratio(total, pairs), NULL) AS "value",
    pairs AS "pairs",
    nullif(concat_ws(', ', CASE WHEN sums."total" = 0 THEN 'total = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END, CASE WHEN sums."empty_pairs" = 0 THEN 'empty_pairs = 0' END), '') AS note
FROM sums;

-- relation gold_stretches (specs/term_discovery/tde2015/coverage.yaml)
-- The spans of `min_phones` (3) consecutive phones of an utterance whose transcription occurs more than once
--   in the corpus. Together they are the gold time of coverage. By definition, the gold time is that of all
--   recurring spans of 3 to 20 phones. The recurring spans of 3 phones are the same time, because every part
--   of a recurring span recurs: if `abcd` occurs twice, so do `abc` and `bcd`, which cover it.
CREATE TABLE "gold_stretches_f47e4ca7" AS
WITH stretches AS (
    SELECT file, onset, lead("offset", (3::BIGINT - 1)::INTEGER) OVER in_utterance AS "offset",
        string_agg(code, '') OVER (in_utterance ROWS BETWEEN CURRENT ROW AND 3::BIGINT - 1 FOLLOWING) AS text
    FROM "speech_phones_6b583ae7"
    WHERE utterance IS NOT NULL
    WINDOW in_utterance AS (PARTITION BY file, utterance ORDER BY number)
)
SELECT file, onset, "offset"
FROM stretches
WHERE "offset" IS NOT NULL
QUALIFY count(*) OVER (PARTITION BY text) > 1;

-- relation fold_stretches (specs/term_discovery/tde2015/coverage.yaml)
-- The n-grams of the corpus that recur, in each fold.
CREATE TABLE "fold_stretches_19bb5a9a" AS
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM "gold_stretches_f47e4ca7" AS row_
JOIN "fold_intervals_filled_2161d0fe" AS fold_
    ON row_.file = fold_.file
    AND row_.onset >= fold_.onset
    AND row_."offset" <= fold_."offset"
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file;

-- relation covered_time (specs/term_discovery/tde2015/coverage.yaml)
-- The time in fragments (found) and the time in n-grams that recur in the corpus (gold), as disjoint
--   intervals of each file. Intervals that overlap are merged. Intervals whose gap is within the tolerance
--   (`gap_time` and `gap_fraction`) are merged too, and the gap then counts. Published coverage counts phones
--   of fragments in P_disc; tde 0.2.1 counts the time of all fragments.
CREATE TABLE "covered_time_1fdf7324" AS
WITH covering AS (
    SELECT DISTINCT "by_fold", file, onset, "offset", true AS found FROM "fold_fragments_fa12cb1d"
    UNION ALL
    SELECT "by_fold", file, onset, "offset", false FROM "fold_stretches_19bb5a9a"
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

-- metric coverage, slices (specs/term_discovery/tde2015/coverage.yaml)
-- Coverage: duration of the union of all fragments, divided by the duration of the union of all spans of
--   min_phones phones that recur in the corpus. It may exceed 1, and is undefined, not 0, when nothing was
--   found. (zerospeech2015.coverage counts only fragments in found pairs, and the duration of their phones.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "coverage_scopes_e4cdbf64" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_2161d0fe";

-- metric coverage, statistics per unit (specs/term_discovery/tde2015/coverage.yaml)
-- Coverage: duration of the union of all fragments, divided by the duration of the union of all spans of
--   min_phones phones that recur in the corpus. It may exceed 1, and is undefined, not 0, when nothing was
--   found. (zerospeech2015.coverage counts only fragments in found pairs, and the duration of their phones.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "coverage_units_a7e7f165" AS
SELECT "by_fold", "file",
    exact_sum(if(found, "offset" - onset, 0)) AS "found",
    exact_sum(if(found, 0, "offset" - onset)) AS "gold"
FROM "covered_time_1fdf7324" AS counted_rows
GROUP BY ALL;

-- metric coverage, scores (specs/term_discovery/tde2015/coverage.yaml)
-- Coverage: duration of the union of all fragments, divided by the duration of the union of all spans of
--   min_phones phones that recur in the corpus. It may exceed 1, and is undefined, not 0, when nothing was
--   found. (zerospeech2015.coverage counts only fragments in found pairs, and the duration of their phones.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "coverage_41745762" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold"
    FROM (FROM "coverage_units_a7e7f165" UNION ALL BY NAME FROM "coverage_scopes_e4cdbf64")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    if(found > 0, ratio(found, gold), NULL) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END), '') AS note
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
CREATE TABLE "longest_partners_3a7f0352" AS
WITH members AS (
    SELECT *, coalesce(last_phone - first_phone + 1, 0) AS size FROM "pair_groups_20c380d8"
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

-- relation touching_subspans (specs/term_discovery/zerospeech2015/matching.yaml)
-- The pairs of sub-spans that are aligned in a pair of P_disc whose fragments share time. Such pairs are few
--   (near_pairs) and are listed by definition, as in pairs/pairs_star.sql: every offset, every size, without
--   a sub-span paired with itself. They cannot be counted in closed form, because two sub-spans of fragments
--   that share time can be the same span or overlap each other. found_spans and both_spans add them to what
--   they count for fragments that share no time.
CREATE TABLE "touching_subspans_17d0263e" AS
SELECT "by_fold", file_a, first_a + before_a AS phone_a, file_b, first_b + before_b AS phone_b, size
FROM (
    SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
    FROM (
        SELECT *, unnest(range(0, size_a - size + 1)) AS before_a
        FROM (
            SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
            FROM (SELECT *, last_a - first_a + 1 AS size_a, last_b - first_b + 1 AS size_b FROM "near_pairs_2c4d700a" WHERE NOT overlap)
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
CREATE TABLE "found_spans_69c9618f" AS
WITH in_members AS MATERIALIZED (
    SELECT "by_fold", file, first_phone + before AS phone, max(least(span_size - before, partner_size)) AS longest
    FROM (SELECT *, unnest(range(0, span_size - 3::BIGINT + 1)) AS before FROM (FROM "longest_partners_3a7f0352" WHERE partner_size IS NOT NULL))
    GROUP BY ALL
),
touching AS MATERIALIZED (
    SELECT "by_fold", file, phone, max(size) AS longest_touching
    FROM (SELECT "by_fold", unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size FROM "touching_subspans_17d0263e")
    GROUP BY ALL
)
SELECT "by_fold", file, phone, unnest(range(3::BIGINT, least(greatest(longest, longest_touching), 20::BIGINT - 1) + 1)) AS size
FROM in_members
FULL JOIN touching USING ("by_fold", file, phone);

-- relation phone_runs (specs/term_discovery/zerospeech2015/corpus.yaml)
-- Each phoneme of a fold with what follows it. `remaining` is the number of phonemes from this one to the end
--   of its utterance, without a hole in the fold; 0 for a phoneme in no utterance. `codes` is a string of up
--   to 32 codes, its code and those of the 31 phonemes after it. So F_all is known without being listed: the
--   span of n phones at a phoneme is in F_all when min_phones ≤ n ≤ max_phones and n ≤ remaining, and its
--   transcription is the first n characters of `codes`. With talkers = within, only files whose talker is
--   known.
CREATE TABLE "phone_runs_41135407" AS
WITH starts AS (
    SELECT *, coalesce(number <> lag(number) OVER in_file + 1 OR utterance IS DISTINCT FROM lag(utterance) OVER in_file, true) AS begins
    FROM "fold_phones_b022dd47"
    WINDOW in_file AS (PARTITION BY "by_fold", file ORDER BY phone)
),
runs AS (
    SELECT *, count_if(begins) OVER (PARTITION BY "by_fold", file ORDER BY phone ROWS UNBOUNDED PRECEDING) AS run FROM starts
),
strings AS (
    SELECT "by_fold", file, phone, codes || coalesce(lead(codes, 16) OVER (PARTITION BY "by_fold", file ORDER BY phone), '') AS codes
    FROM "phone_strings_e5e56340"
)
SELECT "by_fold", '' AS pair_talker, file, number AS phone, phone AS place, onset, "offset", codes,
    if(utterance IS NULL, 0, count(*) OVER (PARTITION BY "by_fold", file, run ORDER BY number DESC ROWS UNBOUNDED PRECEDING)) AS remaining
FROM runs
JOIN strings USING ("by_fold", file, phone);

-- relation recurring_spans, F_all (specs/term_discovery/zerospeech2015/all_pairs.yaml)
-- The spans of F_all (`min_phones` to `max_phones` consecutive phones inside one utterance) whose
--   transcription at least one other span has. `spans` is the number of spans with the transcription. All
--   other spans are in no pair of P_all.
CREATE TABLE "recurring_spans_49915770" AS
WITH spans AS (
    SELECT "by_fold", pair_talker, file, phone, onset, size, left(codes, size::INTEGER) AS text
    FROM (SELECT *, unnest(range(3::BIGINT, least(20::BIGINT, remaining) + 1)) AS size FROM "phone_runs_41135407")
)
SELECT "by_fold", pair_talker, text, span_.file, span_.phone, size, span_.onset, last_."offset", spans
FROM spans AS span_
JOIN (SELECT "by_fold", pair_talker, text, count(*) AS spans FROM spans GROUP BY ALL HAVING spans > 1) USING ("by_fold", pair_talker, text)
JOIN "phone_runs_41135407" AS last_
    ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1 AND last_."by_fold" = span_."by_fold";

-- relation all_spans, flat(P_all) (specs/term_discovery/zerospeech2015/all_pairs.yaml)
-- The spans that are in a pair of P_all, flat(P_all), with the number of pairs that each is in (`partners`).
--   By definition, all pairs of spans with the same transcription are listed, and those that overlap are
--   dropped (pairs/pairs_all.sql). Here a span whose transcription n spans have is in n − 1 pairs, less the
--   pairs with spans that overlap it. Only spans of one file that share time can overlap, so that only those
--   are compared. Example: three spans have the transcription `aaaa`, at 0.0–0.4, 0.1–0.5 and 2.0–2.4 s. The
--   first two share 0.3 of 0.4 s, more than half, and are no pair. The partners are 2 − 1, 2 − 1 and 2.
--   tests/conformance/test_zerospeech2015_pairs.py compares the two.
CREATE TABLE "all_spans_072615ef" AS
WITH sharing AS (
    WITH slots AS (
        SELECT greatest(2 * avg("offset" - onset), 1e-6) AS width FROM "recurring_spans_49915770"
    ),
    laid AS (
        SELECT *, unnest(range(floor(onset / width)::BIGINT, floor("offset" / width)::BIGINT + 1)) AS slot FROM "recurring_spans_49915770", slots
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
FROM "recurring_spans_49915770"
LEFT JOIN counted USING ("by_fold", pair_talker, text, file, phone)
WHERE partners > 0;

-- relation disc_subspans (specs/term_discovery/zerospeech2015/matching_pairs.yaml)
-- The sub-spans of `min_phones` to `max_phones` phones of the members of groups, with the number of phones of
--   the member that are `before` and `after` each. One row for each member and sub-span; a sub-span of two
--   members has two rows. Size, `before` and `after` decide which sub-spans of another member are aligned
--   with it: the shorter transcription is laid along the longer, and two sub-spans of one size are at the
--   same places at some offset when one of them has no more phones before it and no more phones after it than
--   the other. ab of abcd has 0 before and 2 after; ef of efg has 0 and 1, so that the two are aligned; fg of
--   efg has 1 and 0, so that ab and fg are not.
CREATE TABLE "disc_subspans_40bdfee6" AS
SELECT "by_fold", cluster, pair_talker, file, onset, "offset", reach_from, reach_to, partner_size, size,
    first_phone + before AS phone, before, span_size - size - before AS after
FROM (
    SELECT *, unnest(range(0, span_size - size + 1)) AS before
    FROM (SELECT *, unnest(range(3::BIGINT, least(span_size, 20::BIGINT - 1) + 1)) AS size FROM "longest_partners_3a7f0352")
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
CREATE TABLE "span_classes_4422ec5b" AS
WITH lengths AS (
    SELECT "by_fold", cluster, pair_talker, span_size, count(*) AS spans
    FROM (SELECT DISTINCT "by_fold", cluster, pair_talker, file, first_phone, span_size FROM "longest_partners_3a7f0352")
    GROUP BY ALL
),
classes AS (
    SELECT DISTINCT "by_fold", cluster, pair_talker, size, before, after FROM "disc_subspans_40bdfee6"
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
CREATE TABLE "disc_spans_1eded9ef" AS
WITH instances AS (
    SELECT "by_fold", file, phone, size, class
    FROM "disc_subspans_40bdfee6"
    JOIN "span_classes_4422ec5b" USING ("by_fold", cluster, pair_talker, size, before, after)
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
LEFT JOIN "phone_runs_41135407" AS first_
    ON first_.file = signed.file AND first_.phone = signed.phone AND first_."by_fold" = signed."by_fold"
-- a fold can lack phones of a span: its transcription is that of the phones of the span that are in the fold
ASOF LEFT JOIN "phone_runs_41135407" AS next_
    ON next_.file = signed.file AND next_."by_fold" = signed."by_fold" AND next_.phone >= signed.phone
ASOF LEFT JOIN "phone_runs_41135407" AS last_
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
CREATE TABLE "multiple_alignments_854c53ab" AS
WITH signatures AS (
    SELECT "by_fold", signature, any_value(classes) AS classes FROM "disc_spans_1eded9ef" GROUP BY ALL
),
members AS (
    SELECT "by_fold", signature, repeated, class, size_group, before, after
    FROM (SELECT "by_fold", signature, len(classes) > 1 AS repeated, unnest(classes) AS class FROM signatures)
    JOIN (SELECT class, size_group, before, after FROM "span_classes_4422ec5b") USING (class)
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
CREATE TABLE "near_subspans_4dd5d17c" AS
WITH pairs AS (
    SELECT "by_fold", "overlap", file_a, first_a + before_a AS phone_a, file_b, first_b + before_b AS phone_b, size
    FROM (
        SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
        FROM (
            SELECT *, unnest(range(0, size_a - size + 1)) AS before_a
            FROM (
                SELECT *, unnest(range(3::BIGINT, least(size_a, size_b, 20::BIGINT - 1) + 1)) AS size
                FROM (SELECT *, last_a - first_a + 1 AS size_a, last_b - first_b + 1 AS size_b FROM "near_pairs_2c4d700a" WHERE true)
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
    JOIN "disc_subspans_40bdfee6" AS a
        ON a.file = file_a AND a.phone = phone_a AND a.size = near_.size AND a."by_fold" = near_."by_fold"
    JOIN "disc_subspans_40bdfee6" AS b
        ON b.file = file_b AND b.phone = phone_b AND b.size = near_.size AND b."by_fold" = near_."by_fold"
        AND b.cluster = a.cluster AND b.pair_talker = a.pair_talker
    WHERE (a.before <= b.before AND a.after <= b.after OR a.before >= b.before AND a.after >= b.after)
        AND NOT (least(a."offset", b."offset") - greatest(a.onset, b.onset) > 1e-08 AND (least(a."offset", b."offset") - greatest(a.onset, b.onset) > 0.03e0
            OR least(a."offset", b."offset") - greatest(a.onset, b.onset) > 0.5e0 * (least(a."offset" - a.onset, b."offset" - b.onset))))
)
SELECT near.* REPLACE (found OR otherwise_.size IS NOT NULL AS found)
FROM near
LEFT JOIN found_otherwise AS otherwise_ USING ("by_fold", file_a, phone_a, file_b, phone_b, size);

-- relation all_types, P_all (specs/term_discovery/zerospeech2015/all_pairs.yaml)
-- The transcriptions t of P_all: the number of spans that t labels, |match(t, P_all)|, and the number of ends
--   of pairs that it labels, N(t, P_all). A pair has two ends, so that the ends are the sum of the `partners`
--   of the spans.
CREATE TABLE "all_types_c12cc91c" AS
SELECT "by_fold", text, count(*) AS spans, sum(partners)::BIGINT AS ends FROM "all_spans_072615ef" GROUP BY ALL;

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
CREATE TABLE "matching_types_499619b0" AS
WITH spans AS (
    SELECT span_.*, first_.onset, last_."offset"
    FROM "disc_spans_1eded9ef" AS span_
    LEFT JOIN "phone_runs_41135407" AS first_
        ON first_.file = span_.file AND first_.phone = span_.phone AND first_."by_fold" = span_."by_fold"
    LEFT JOIN "phone_runs_41135407" AS last_
        ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1 AND last_."by_fold" = span_."by_fold"
),
types AS (
    SELECT "by_fold", signature, text, in_utterance, any_value(classes) AS classes, count(*) AS spans FROM "disc_spans_1eded9ef" GROUP BY ALL
),
met AS (
    SELECT "by_fold", text, in_utterance, spans, class_.*
    FROM (SELECT *, unnest(classes) AS class FROM types) AS type_
    JOIN (SELECT class, size_group, before, after, partners FROM "span_classes_4422ec5b") AS class_ USING (class)
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
        FROM "multiple_alignments_854c53ab"
        JOIN types AS a ON a.signature = signature_a
        JOIN types AS b ON b.signature = signature_b
    )
),
near_by_a AS MATERIALIZED (
    SELECT near_.*, text AS text_a, in_utterance AS in_utterance_a, onset AS onset_a, "offset" AS offset_a
    FROM "near_subspans_4dd5d17c" AS near_
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
    FROM "found_spans_69c9618f"
    JOIN "disc_spans_1eded9ef" USING ("by_fold", file, phone, size)
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
    SELECT "by_fold", text, spans AS gold_spans, ends AS gold_ends FROM "all_types_c12cc91c"
    UNION ALL BY NAME
    SELECT "by_fold", text, sum(ends) FILTER (WHERE set_ = 'found') AS found_ends,
        sum(ends) FILTER (WHERE set_ = 'both') AS both_ends
    FROM ends
    GROUP BY ALL
)
GROUP BY ALL;

-- relation matching_counts (specs/term_discovery/zerospeech2015/matching.yaml)
-- The numbers from which matching precision and recall are computed: found and gold spans, and how many of
--   each are correct. With match_counts = fragments, the published form, a span is correct when it is in some
--   pair of both sets. With match_counts = pairs, the spans of a transcription t count as correct in the
--   proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "matching_counts_515a58f3" AS
SELECT "by_fold", found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM "matching_types_499619b0";

-- metric matching, slices (specs/term_discovery/zerospeech2015/matching.yaml)
-- Matching precision, recall and F: spans of phones in found pairs against spans in gold pairs. Found pairs
--   (P_disc*) come from two fragments of one cluster that do not overlap: the shorter transcription is laid
--   along the longer one at every offset, and sub-spans of equal size at the same place are a pair. Gold
--   pairs (P_all) are two spans of the corpus with equal transcriptions that do not overlap. The published
--   sums over transcriptions, weighted by their frequency, reduce to shares of spans. A span is right as soon
--   as one of its pairs is right; matching_pairs counts pairs.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "matching_scopes_e4cdbf64" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_2161d0fe";

-- metric matching, statistics per unit (specs/term_discovery/zerospeech2015/matching.yaml)
-- Matching precision, recall and F: spans of phones in found pairs against spans in gold pairs. Found pairs
--   (P_disc*) come from two fragments of one cluster that do not overlap: the shorter transcription is laid
--   along the longer one at every offset, and sub-spans of equal size at the same place are a pair. Gold
--   pairs (P_all) are two spans of the corpus with equal transcriptions that do not overlap. The published
--   sums over transcriptions, weighted by their frequency, reduce to shares of spans. A span is right as soon
--   as one of its pairs is right; matching_pairs counts pairs.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "matching_units_7b638ebf" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "matching_counts_515a58f3" AS counted_rows
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
CREATE TABLE "matching_0defc0f8" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "matching_units_7b638ebf" UNION ALL BY NAME FROM "matching_scopes_e4cdbf64")
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
CREATE TABLE "grouping_fragments_690c47b1" AS
WITH members AS (
    SELECT "by_fold", text, file, onset, "offset", unnest(classes) AS class FROM "fragment_signatures_70aa282d"
),
types AS (
    SELECT "by_fold", signature, text, count(*) AS fragments FROM "fragment_signatures_70aa282d" GROUP BY ALL
),
repeated AS (
    SELECT b."by_fold", b.signature, b.text,
        sum(surplus * (a.fragments - itself)) AS found, coalesce(sum(surplus * (a.fragments - itself)) FILTER (WHERE a.text = b.text), 0) AS both_
    FROM (
        SELECT surplus, a, b, (a.signature = b.signature AND a.text = b.text)::BIGINT AS itself
        FROM "shared_signatures_76ed0dd9"
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
        FROM (SELECT *, unnest([true, false]) AS is_b FROM "shared_signatures_76ed0dd9") AS shared_
        JOIN "fragment_signatures_70aa282d" AS fragment_ ON signature = if(is_b, signature_b, signature_a)
    )
),
near AS (
    SELECT DISTINCT "by_fold", text_a, file_a, onset_a, offset_a, text_b, file_b, onset_b, offset_b, overlap,
        text_a = text_b AND NOT NOT (overlap OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b)) AS unlike
    FROM "near_pairs_2c4d700a"
    WHERE overlap OR text_a = text_b
),
alike AS (
    SELECT DISTINCT "by_fold", pair_talker, text, file, onset, "offset"
    FROM (
        FROM "pair_groups_20c380d8"
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
    SELECT "by_fold", text, file, onset, "offset", -found, 0, -both_, 0 FROM "fragment_signatures_70aa282d" JOIN repeated USING ("by_fold", signature, text)
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

-- relation grouping_types, match(t, P), N(t, P) (specs/term_discovery/zerospeech2015/grouping.yaml)
-- For each transcription t the number of fragments that it labels in P_clus (found) and P_goldclus (gold),
--   |match(t, P)|, and the number of ends of pairs that it labels in P_clus, P_goldclus and both, N(t, P).
--   With pair_ends = later, as in tde 0.2.1, only the end that is later by file and time counts.
CREATE TABLE "grouping_types_ddb2b6a7" AS
SELECT "by_fold", text, count_if(found > 0) AS found_spans, count_if(gold > 0) AS gold_spans,
    sum(earlier)::BIGINT AS found_ends, sum(gold)::BIGINT // 2 AS gold_ends, sum("both")::BIGINT // 2 AS both_ends
FROM "grouping_fragments_690c47b1"
GROUP BY ALL;

-- relation grouping_counts (specs/term_discovery/zerospeech2015/grouping.yaml)
-- The numbers from which grouping precision and recall are computed: found and gold fragments, and how many
--   of each are correct. With match_counts = fragments, the published form, a fragment is correct when it is
--   in some pair of P_clus ∩ P_goldclus. With match_counts = pairs, the fragments with a transcription t
--   count as correct in the proportion of the ends of pairs that t labels in both sets.
CREATE TABLE "grouping_counts_19333fb8" AS
SELECT "by_fold", found_spans AS found, gold_spans AS gold, found_spans * ratio(both_ends, found_ends) AS found_hits,
    gold_spans * ratio(both_ends, gold_ends) AS gold_hits
FROM "grouping_types_ddb2b6a7";

-- metric grouping, slices (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. The published sums over transcriptions, weighted by their
--   frequency, reduce to shares of fragments. A fragment is right as soon as one cluster mate has its
--   transcription, so merging clusters can raise the score; grouping_pairs counts pairs.
--   (zerospeech2017.grouping counts fragments with the same phones once.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "grouping_scopes_e4cdbf64" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_2161d0fe";

-- metric grouping, statistics per unit (specs/term_discovery/zerospeech2015/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. The published sums over transcriptions, weighted by their
--   frequency, reduce to shares of fragments. A fragment is right as soon as one cluster mate has its
--   transcription, so merging clusters can raise the score; grouping_pairs counts pairs.
--   (zerospeech2017.grouping counts fragments with the same phones once.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "grouping_units_905940ea" AS
SELECT "by_fold",
    sum(found) AS "found",
    sum(gold) AS "gold",
    exact_sum(found_hits) AS "found_hits",
    exact_sum(gold_hits) AS "gold_hits"
FROM "grouping_counts_19333fb8" AS counted_rows
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
CREATE TABLE "grouping_580ddae4" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "grouping_units_905940ea" UNION ALL BY NAME FROM "grouping_scopes_e4cdbf64")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- relation word_runs (specs/term_discovery/tde2015/words.yaml)
-- The distinct word tokens, with the number of the run that each is in. A run is a sequence of words of one
--   file in which every word begins where the previous one ends, within the tolerance (`gap_time` and
--   `gap_fraction`). Labels that `silent_words` lists are no words.
CREATE TABLE "word_runs_3178dcd8" AS
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

-- relation fold_word_runs (specs/term_discovery/tde2015/words.yaml)
-- The word tokens of each fold, with the number of the run that each is in. A run is a sequence of words
--   without a gap in the whole corpus, also where the fold holds only a part of it.
CREATE TABLE "fold_word_runs_440754aa" AS
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM "word_runs_3178dcd8" AS row_
JOIN "fold_intervals_filled_2161d0fe" AS fold_
    ON row_.file = fold_.file
    AND row_.onset >= fold_.onset
    AND row_."offset" <= fold_."offset"
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file;

-- relation contained_words (specs/term_discovery/tde2015/words.yaml)
-- The distinct fragments, each with the words that it contains, as tde 0.2.1 determines them. A fragment
--   contains a word by the edge rule of transcriptions, applied to words in place of phones. Only the words
--   of one run count, a sequence of words without a gap: the last run that begins before the fragment or that
--   the fragment contains by the edge rule. Where a fragment crosses a pause, the words before the pause are
--   lost. `hit` is the label of the word when the fragment contains only this word and both edges differ from
--   those of the word by at most `token_tolerance` (30 ms). `outside_words`: the fragment shares no time with
--   its run, or there is no run; the evaluator then ends with an error.
CREATE TABLE "contained_words_c5e88914" AS
WITH intervals AS (
    SELECT DISTINCT "by_fold", file, onset, "offset" FROM "fold_fragments_fa12cb1d"
),
runs AS (
    SELECT "by_fold", file, run, min(onset) AS onset, max("offset") AS "offset" FROM "fold_word_runs_440754aa" GROUP BY ALL
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
    JOIN "fold_word_runs_440754aa" AS word_ ON word_.file = fragment_.file AND word_."by_fold" = fragment_."by_fold" AND word_.run = fragment_.run AND (least(fragment_."offset", word_."offset") - greatest(fragment_.onset, word_.onset) > 1e-08 AND (least(fragment_."offset", word_."offset") - greatest(fragment_.onset, word_.onset) > 0.03e0
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

-- relation type_counts (specs/term_discovery/tde2015/type.yaml)
-- The distinct strings of words that fragments contain (found), and the distinct words (gold). A fragment
--   that contains two words is a type of two words, and a fragment without a word is the empty type; neither
--   can be a hit.
CREATE TABLE "type_counts_80be9169" AS
SELECT "by_fold", type, bool_or(found) AS found, bool_or(gold) AS gold, bool_or(hit) AS hit, bool_or(outside_words) AS outside_words
FROM (
    SELECT "by_fold", words AS type, true AS found, false AS gold, hit IS NOT NULL AS hit, outside_words FROM "contained_words_c5e88914"
    UNION ALL
    SELECT "by_fold", label, false, true, false, false FROM "fold_word_runs_440754aa"
)
GROUP BY ALL;

-- metric type, slices (specs/term_discovery/tde2015/type.yaml)
-- Type precision, recall and F: distinct strings of word labels that fragments contain against distinct word
--   labels. A label is right when a fragment is right for a word with this label, as in token.
--   (zerospeech2015.type compares strings of phones.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "type_scopes_e4cdbf64" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_2161d0fe";

-- metric type, statistics per unit (specs/term_discovery/tde2015/type.yaml)
-- Type precision, recall and F: distinct strings of word labels that fragments contain against distinct word
--   labels. A label is right when a fragment is right for a word with this label, as in token.
--   (zerospeech2015.type compares strings of phones.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "type_units_eb015db2" AS
SELECT "by_fold",
    count_if(found) AS "found",
    count_if(gold) AS "gold",
    count_if(hit) AS "hits",
    count_if(outside_words) AS "outside_words"
FROM "type_counts_80be9169" AS counted_rows
GROUP BY ALL;

-- metric type, scores (specs/term_discovery/tde2015/type.yaml)
-- Type precision, recall and F: distinct strings of word labels that fragments contain against distinct word
--   labels. A label is right when a fragment is right for a word with this label, as in token.
--   (zerospeech2015.type compares strings of phones.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "type_3a27c636" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("outside_words"), 0) AS "outside_words"
    FROM (FROM "type_units_eb015db2" UNION ALL BY NAME FROM "type_scopes_e4cdbf64")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    if(outside_words = 0, ratio(hits, found), NULL) AS "precision",
    if(outside_words = 0, ratio(hits, gold), NULL) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."outside_words" = 0 THEN 'outside_words = 0' END), '') AS note
FROM sums;

-- relation token_counts (specs/term_discovery/tde2015/token.yaml)
-- The distinct fragments (`found`, with `hit` for a fragment that is a word) and the word tokens. Token
--   precision is hits / fragments. Recall is hits / words; two fragments can hit one word, so that recall can
--   exceed 1.
CREATE TABLE "token_counts_5ca90a78" AS
SELECT "by_fold", file, true AS found, hit IS NOT NULL AS hit, outside_words FROM "contained_words_c5e88914"
UNION ALL
SELECT "by_fold", file, false, false, false FROM "fold_word_runs_440754aa";

-- metric token, slices (specs/term_discovery/tde2015/token.yaml)
-- Token precision, recall and F: distinct fragments against word tokens. A fragment is right when it contains
--   exactly one word and both edges are at most token_tolerance from those of the word. Several fragments may
--   be right for one word, so recall may exceed 1. (zerospeech2015.token compares phones, and counts each
--   word once.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "token_scopes_e4cdbf64" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_2161d0fe";

-- metric token, statistics per unit (specs/term_discovery/tde2015/token.yaml)
-- Token precision, recall and F: distinct fragments against word tokens. A fragment is right when it contains
--   exactly one word and both edges are at most token_tolerance from those of the word. Several fragments may
--   be right for one word, so recall may exceed 1. (zerospeech2015.token compares phones, and counts each
--   word once.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "token_units_a0259793" AS
SELECT "by_fold", "file",
    count_if(found) AS "found",
    count_if(NOT found) AS "gold",
    count_if(hit) AS "hits",
    count_if(outside_words) AS "outside_words"
FROM "token_counts_5ca90a78" AS counted_rows
GROUP BY ALL;

-- metric token, scores (specs/term_discovery/tde2015/token.yaml)
-- Token precision, recall and F: distinct fragments against word tokens. A fragment is right when it contains
--   exactly one word and both edges are at most token_tolerance from those of the word. Several fragments may
--   be right for one word, so recall may exceed 1. (zerospeech2015.token compares phones, and counts each
--   word once.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "token_be081edd" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("outside_words"), 0) AS "outside_words"
    FROM (FROM "token_units_a0259793" UNION ALL BY NAME FROM "token_scopes_e4cdbf64")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    if(outside_words = 0, ratio(hits, found), NULL) AS "precision",
    if(outside_words = 0, ratio(hits, gold), NULL) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."outside_words" = 0 THEN 'outside_words = 0' END), '') AS note
FROM sums;

-- relation fold_words (specs/term_discovery/zerospeech2015/corpus.yaml)
-- The distinct word tokens of each fold, with times as they are compared (parameter `times`). Labels that the
--   parameter `silent_words` lists are no words.
CREATE TABLE "fold_words_1862af6d" AS
WITH tokens AS (
    SELECT DISTINCT file, onset AS onset, "offset" AS "offset", label
    FROM "words"
    WHERE label NOT IN []::VARCHAR[]
)
SELECT DISTINCT fold_.by_fold, row_.*, talker
FROM tokens AS row_
JOIN "fold_intervals_filled_2161d0fe" AS fold_
    ON row_.file = fold_.file
    AND row_.onset >= fold_.onset
    AND row_."offset" <= fold_."offset"
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file;

-- relation edge_counts (specs/term_discovery/tde2015/boundary.yaml)
-- The distinct edges (file, time) of fragments (found) and of words (gold). `near`: the other side has an
--   edge less than `boundary_tolerance` (30 ms) away. Edges are not matched one-to-one: one edge of a
--   fragment can be near two edges of words, and all three are then `near`.
CREATE TABLE "edge_counts_dbf9e473" AS
WITH found AS (
    SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "fold_fragments_fa12cb1d"
),
gold AS (
    SELECT DISTINCT "by_fold", file, unnest([onset, "offset"]) AS time FROM "fold_words_1862af6d"
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

-- metric boundary, slices (specs/term_discovery/tde2015/boundary.yaml)
-- Boundary precision, recall and F: the distinct edges of fragments against the distinct edges of words. An
--   edge is right when an edge of the other side is less than boundary_tolerance away; one edge may make
--   several right. (zerospeech2015.boundary moves edges to phone boundaries first, and compares those.)
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "boundary_scopes_e4cdbf64" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_2161d0fe";

-- metric boundary, statistics per unit (specs/term_discovery/tde2015/boundary.yaml)
-- Boundary precision, recall and F: the distinct edges of fragments against the distinct edges of words. An
--   edge is right when an edge of the other side is less than boundary_tolerance away; one edge may make
--   several right. (zerospeech2015.boundary moves edges to phone boundaries first, and compares those.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "boundary_units_4ab9259f" AS
SELECT "by_fold", "file",
    count_if(found) AS "found",
    count_if(NOT found) AS "gold",
    count_if(found AND near) AS "found_hits",
    count_if(NOT found AND near) AS "gold_hits"
FROM "edge_counts_dbf9e473" AS counted_rows
GROUP BY ALL;

-- metric boundary, scores (specs/term_discovery/tde2015/boundary.yaml)
-- Boundary precision, recall and F: the distinct edges of fragments against the distinct edges of words. An
--   edge is right when an edge of the other side is less than boundary_tolerance away; one edge may make
--   several right. (zerospeech2015.boundary moves edges to phone boundaries first, and compares those.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "boundary_e7d6bf32" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("found_hits"), 0) AS "found_hits",
        coalesce(sum("gold_hits"), 0) AS "gold_hits"
    FROM (FROM "boundary_units_4ab9259f" UNION ALL BY NAME FROM "boundary_scopes_e4cdbf64")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    ratio(found_hits, found) AS "precision",
    ratio(gold_hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."found_hits" = 0 THEN 'found_hits = 0' END, CASE WHEN sums."gold_hits" = 0 THEN 'gold_hits = 0' END), '') AS note
FROM sums;

-- relation found_sizes (specs/term_discovery/tde2015/sizes.yaml)
-- The sizes of what was found in each fold: clusters with members there, distinct fragments, distinct
--   transcriptions and pairs of P_disc. Each row has the sizes of one set.
CREATE TABLE "found_sizes_d3d9c768" AS
SELECT "by_fold", count(DISTINCT cluster) AS clusters FROM "fold_fragments_fa12cb1d" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", count(*) AS fragments, count(DISTINCT text) AS types FROM "disc_fragments_d589d63e" GROUP BY ALL
UNION ALL BY NAME
SELECT "by_fold", sum(pairs) AS pairs FROM "disc_pairs_2b610288" GROUP BY ALL;

-- metric sizes, slices (specs/term_discovery/tde2015/sizes.yaml)
-- Sizes of the submission: numbers of clusters, fragments, pairs and transcriptions.
-- The values of the columns of a breakdown or of folds, so that a value for which the metric has no rows
--   still has scores.
CREATE TABLE "sizes_scopes_e4cdbf64" AS
SELECT DISTINCT "by_fold" FROM "fold_intervals_filled_2161d0fe";

-- metric sizes, statistics per unit (specs/term_discovery/tde2015/sizes.yaml)
-- Sizes of the submission: numbers of clusters, fragments, pairs and transcriptions.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "sizes_units_e84a3ccd" AS
SELECT "by_fold",
    sum("clusters") AS "clusters",
    sum("fragments") AS "fragments",
    sum("pairs") AS "pairs",
    sum("types") AS "types"
FROM "found_sizes_d3d9c768" AS counted_rows
GROUP BY ALL;

-- metric sizes, scores (specs/term_discovery/tde2015/sizes.yaml)
-- Sizes of the submission: numbers of clusters, fragments, pairs and transcriptions.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "sizes_0f3b1ddf" AS
WITH sums AS (
    SELECT "by_fold",
        json_object('talkers', 'total') AS scope,
        json_object('talkers', 'total') AS slice,
        0 AS breakdown,
        coalesce(sum("clusters"), 0) AS "clusters",
        coalesce(sum("fragments"), 0) AS "fragments",
        coalesce(sum("pairs"), 0) AS "pairs",
        coalesce(sum("types"), 0) AS "types"
    FROM (FROM "sizes_units_e84a3ccd" UNION ALL BY NAME FROM "sizes_scopes_e4cdbf64")
    GROUP BY ALL
)
SELECT sums."by_fold", scope, slice, breakdown,
    "clusters" AS "clusters",
    "fragments" AS "fragments",
    "pairs" AS "pairs",
    "types" AS "types",
    nullif(concat_ws(', ', CASE WHEN sums."clusters" = 0 THEN 'clusters = 0' END, CASE WHEN sums."fragments" = 0 THEN 'fragments = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END, CASE WHEN sums."types" = 0 THEN 'types = 0' END), '') AS note
FROM sums;

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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "ned_6b62539d")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'value', 'value': if(finite("value"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL, "value", NULL)::DOUBLE, 'none_left': 1.0e0},
            {'place': 1, 'component': 'pairs', 'value': if(finite("value"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL, "pairs", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "ned_6b62539d" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "coverage_41745762")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'value', 'value': if(finite("value"::DOUBLE) IS NOT NULL, "value", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "coverage_41745762" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "matching_0defc0f8")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "matching_0defc0f8" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "grouping_580ddae4")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "grouping_580ddae4" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "type_3a27c636")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "type_3a27c636" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "token_be081edd")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "token_be081edd" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "boundary_e7d6bf32")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'precision', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "precision", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 1, 'component': 'recall', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "recall", NULL)::DOUBLE, 'none_left': 0.0e0},
            {'place': 2, 'component': 'fscore', 'value': if(finite("precision"::DOUBLE) IS NOT NULL AND finite("recall"::DOUBLE) IS NOT NULL AND finite("fscore"::DOUBLE) IS NOT NULL, "fscore", NULL)::DOUBLE, 'none_left': 0.0e0}
        ], recursive := true)
        FROM (FROM "boundary_e7d6bf32" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
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
        (SELECT count(*) FROM (SELECT DISTINCT "by_fold" FROM "sizes_0f3b1ddf")) AS fold_count
    FROM (
        SELECT "by_fold", slice, breakdown, note, unnest([
            {'place': 0, 'component': 'clusters', 'value': if(finite("clusters"::DOUBLE) IS NOT NULL AND finite("fragments"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AND finite("types"::DOUBLE) IS NOT NULL, "clusters", NULL)::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 1, 'component': 'fragments', 'value': if(finite("clusters"::DOUBLE) IS NOT NULL AND finite("fragments"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AND finite("types"::DOUBLE) IS NOT NULL, "fragments", NULL)::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 2, 'component': 'pairs', 'value': if(finite("clusters"::DOUBLE) IS NOT NULL AND finite("fragments"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AND finite("types"::DOUBLE) IS NOT NULL, "pairs", NULL)::DOUBLE, 'none_left': NULL::DOUBLE},
            {'place': 3, 'component': 'types', 'value': if(finite("clusters"::DOUBLE) IS NOT NULL AND finite("fragments"::DOUBLE) IS NOT NULL AND finite("pairs"::DOUBLE) IS NOT NULL AND finite("types"::DOUBLE) IS NOT NULL, "types", NULL)::DOUBLE, 'none_left': NULL::DOUBLE}
        ], recursive := true)
        FROM (FROM "sizes_0f3b1ddf" UNION ALL BY NAME SELECT json_object('talkers', 'total') AS slice, 0 AS breakdown)
    )
)
GROUP BY slice, breakdown, place, component
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

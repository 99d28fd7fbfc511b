-- input phones (specs/term_discovery/tables.yaml): One row per phone token of the corpus, from a forced
--   alignment. A line given twice counts once.
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

-- relation file_talkers (specs/term_discovery/shared/corpus.yaml)
-- The talker of each file, from the input `talkers`, or else from the file name: the first group of the
--   regular expression `talker_pattern`. Files without a talker have no row.
CREATE TABLE "file_talkers_60c8733a" AS
-- no talker is known
SELECT NULL::VARCHAR AS file, NULL::VARCHAR AS talker LIMIT 0;

-- relation fold_fragments (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The fragments as submitted, one row for each line of the submission, with the talker of the file. With
--   folds, the fragments of each fold: those whose midpoint lies in an interval of the fold. With talkers =
--   within every cluster is split by talker: the members of cluster 7 that are of talker A form the cluster
--   `7 (A)`. Left out are members whose talker is unknown and members without another member of their talker
--   in the cluster, because they are in no pair of one talker.
CREATE TABLE "fold_fragments_a34928f2" AS
SELECT row_.*, talker
FROM "fragments" AS row_
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file;

-- relation fold_phones (specs/term_discovery/zerospeech2017/corpus.yaml)
-- The phone tokens of the corpus, each with the talker of its file. With folds, the phone tokens of each
--   fold: those whose midpoint lies in an interval of the fold.
CREATE TABLE "fold_phones_3f9fad1c" AS
SELECT row_.*, talker
FROM "phones" AS row_
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file;

-- relation phone_tokens (specs/term_discovery/zerospeech2017/corpus.yaml)
-- The phone tokens of the corpus or fold, numbered from 1 within their file by onset and offset. `silent`
--   marks the labels that the parameter `silence` lists; coverage leaves them out.
CREATE TABLE "phone_tokens_8c1845b4" AS
SELECT file, onset, "offset", label, code, label IN ['SIL', 'SPN']::VARCHAR[] AS silent,
    row_number() OVER (PARTITION BY file ORDER BY onset, "offset") AS phone
FROM "fold_phones_3f9fad1c"
JOIN "phone_codes_42ce8ab5" USING (label);

-- relation fragment_spans, F_disc (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The distinct fragments (F_disc) as spans of phones, from `first_phone` to `last_phone`, by the edge rule of
--   tdev2; NULL where the rule keeps no phone. A fragment contains all phones with which it shares time. Only
--   the first and the last of them are tested. A phone of 2 × `edge_time` (60 ms) or more is kept when at
--   least `edge_time` (30 ms) of it is covered, a shorter phone when at least `edge_fraction` (50 %) of it is
--   covered. Of a phone of 80 ms, 30 ms are enough; of a phone of 40 ms, 20 ms. A fragment within one phone
--   is tested once. tdev2 computes in binary64 and rounds durations to milliseconds before it compares them.
--   A duration is 30 ms or more after rounding when it is more than 29.5 ms; this is the half millisecond in
--   the conditions.
CREATE TABLE "fragment_spans_8c214493" AS
WITH intervals AS (
    SELECT DISTINCT file, onset, "offset" FROM "fold_fragments_a34928f2"
),
overlapped AS (
    SELECT interval_.*,
        first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
        last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
    FROM intervals AS interval_
    ASOF LEFT JOIN "phone_tokens_8c1845b4" AS first_
        ON interval_.file = first_.file
        AND interval_.onset < first_."offset"
    ASOF LEFT JOIN "phone_tokens_8c1845b4" AS last_
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

-- relation phone_strings (specs/term_discovery/zerospeech2017/corpus.yaml)
-- For each phone token its onset and a string of up to 16 codes: its code and the codes of the 15 phones
--   after it in the file. The transcription of a span of n phones, n ≤ 16, is the first n characters of the
--   string at its first phone. No characters have to be aggregated for each fragment.
CREATE TABLE "phone_strings_72c0d78e" AS
WITH one AS (SELECT file, phone, onset, code AS codes FROM "phone_tokens_8c1845b4"),
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

-- relation fragment_texts, F_disc, T (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The distinct fragments that have a transcription T: their span of phones, T as a string of codes, the onset
--   of the first and the offset of the last phone. A fragment without a phone that the edge rule keeps has no
--   row.
CREATE TABLE "fragment_texts_16b69939" AS
WITH transcribed AS (
    SELECT span_."file", span_."onset", span_."offset", span_."first_phone", span_."last_phone", string_.onset AS first_onset,
        left(string_.codes, (last_phone - first_phone + 1)::INTEGER) || coalesce(tail_.codes, '') AS text
    FROM "fragment_spans_8c214493" AS span_
    LEFT JOIN (
        SELECT long_."file", long_."onset", long_."offset", long_."first_phone", long_."last_phone",
            string_agg(left(string_.codes, (last_phone - piece + 1)::INTEGER), '' ORDER BY piece) AS codes
        FROM (
            SELECT *, unnest(range(first_phone + 16, last_phone + 1, 16)) AS piece
            FROM "fragment_spans_8c214493"
            WHERE last_phone - first_phone >= 16
        ) AS long_
        JOIN "phone_strings_72c0d78e" AS string_
            ON long_.file = string_.file
            AND long_.piece = string_.phone
        GROUP BY ALL
    ) AS tail_ USING ("file", "onset", "offset", "first_phone", "last_phone")
    JOIN "phone_strings_72c0d78e" AS string_
        ON span_.file = string_.file
        AND span_.first_phone = string_.phone
    WHERE first_phone <= last_phone
)
SELECT transcribed.*, last_."offset" AS last_offset
FROM transcribed
JOIN "phone_tokens_8c1845b4" AS last_
    ON last_.file = transcribed.file
    AND last_.phone = transcribed.last_phone;

-- relation cluster_members, C_disc (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The clusters (C_disc), one row for each member of a cluster, with its span of phones and its transcription.
--   A fragment that a cluster lists twice has two rows, because tdev2 counts pairs of lines. Members without
--   a transcription have no row.
CREATE TABLE "cluster_members_cc433047" AS
SELECT cluster, file, onset, "offset", first_phone, last_phone, text
FROM "fold_fragments_a34928f2"
JOIN "fragment_texts_16b69939" USING (file, onset, "offset");

-- relation cluster_types (specs/term_discovery/zerospeech2017/ned.yaml)
-- The distinct transcriptions of each cluster, with the number of members that have each. Labels that the
--   parameter `unaligned` lists (SIL) are removed first, as tdev2 does before it computes edit distances.
CREATE TABLE "cluster_types_51321eb8" AS
WITH left_out AS (
    SELECT coalesce(string_agg(code, ''), '') AS codes FROM "phone_codes_42ce8ab5" WHERE label IN ['SIL']::VARCHAR[]
)
SELECT cluster, translate(text, codes, '') AS text, count(*) AS members
FROM "cluster_members_cc433047", left_out
GROUP BY ALL;

-- relation cluster_pairs, P_disc (specs/term_discovery/zerospeech2017/ned.yaml)
-- The number of pairs of members of a cluster (P_disc) at each edit distance and length of the longer
--   transcription. By definition, n members are n·(n − 1)/2 pairs, and each is compared. Here each two
--   distinct transcriptions t and u are compared once and stand for n_t·n_u pairs. The n_t·(n_t − 1)/2 pairs
--   of members with the same transcription are at distance 0. The members `ab`, `ab` and `ac` are two pairs
--   at distance 1 and one pair at distance 0. The work grows with the members of a cluster and with the
--   square of its distinct transcriptions.
-- "cluster_pairs_rows_9c53f0bf" is what the Python function pairwise_edit_distance makes of the rows of
--   SELECT cluster, text, members AS weight
--   FROM "cluster_types_51321eb8"
--   ORDER BY cluster
CREATE TABLE "cluster_pairs_844f55df" AS
SELECT cluster, distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT cluster, distance, length, weight AS pairs
    FROM "cluster_pairs_rows_9c53f0bf"
    UNION ALL
    SELECT cluster, 0, length(text), members * (members - 1) // 2
    FROM "cluster_types_51321eb8"
    WHERE members > 1
)
GROUP BY ALL;

-- metric ned, statistics per unit (specs/term_discovery/zerospeech2017/ned.yaml)
-- Normalised edit distance (NED): the mean, over all pairs of members of all clusters, of the edit distance
--   of the two transcriptions divided by the number of phones of the longer one. 0 means that all members of
--   every cluster have the same transcription, 1 is the largest value. A pair counts once per cluster, and
--   overlapping members are pairs; zerospeech2015.ned counts distinct pairs that do not overlap.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "ned_units_3613c6ea" AS
SELECT "cluster",
    exact_sum((if(length = 0, 1, distance / length)) * (pairs)) AS "total",
    sum(pairs) FILTER (WHERE (if(length = 0, 1, distance / length)) IS NOT NULL) AS "pairs"
FROM "cluster_pairs_844f55df" AS counted_rows
GROUP BY ALL;

-- metric ned, scores (specs/term_discovery/zerospeech2017/ned.yaml)
-- Normalised edit distance (NED): the mean, over all pairs of members of all clusters, of the edit distance
--   of the two transcriptions divided by the number of phones of the longer one. 0 means that all members of
--   every cluster have the same transcription, 1 is the largest value. A pair counts once per cluster, and
--   overlapping members are pairs; zerospeech2015.ned counts distinct pairs that do not overlap.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "ned_1a1e6331" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("total"), 0) AS "total",
        coalesce(sum("pairs"), 0) AS "pairs"
    FROM "ned_units_3613c6ea"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(total, pairs) AS "value",
    pairs AS "pairs",
    nullif(concat_ws(', ', CASE WHEN sums."total" = 0 THEN 'total = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END), '') AS note
FROM sums;

-- relation phone_coverage, cover(P_disc) (specs/term_discovery/zerospeech2017/coverage.yaml)
-- The phone tokens. `covered`: the phone is in the transcription of some fragment. By definition a phone is
--   covered when some span of a fragment has first_phone ≤ phone ≤ last_phone. Here no spans are compared
--   with phones: the maximum of last_phone over all spans that begin at the phone or before it must reach the
--   phone. With the spans 1–3 and 2–2 the maximum is 3 from phone 1 on, so that phones 1 to 3 are covered and
--   phone 4 is not.
CREATE TABLE "phone_coverage_772efe19" AS
WITH reach AS (
    SELECT file, first_phone AS phone, max(last_phone) AS last_phone
    FROM "fragment_texts_16b69939"
    GROUP BY ALL
)
SELECT file, onset, "offset", label, silent,
    coalesce(max(last_phone) OVER (PARTITION BY file ORDER BY phone) >= phone, false) AS covered
FROM "phone_tokens_8c1845b4"
LEFT JOIN reach USING (file, phone);

-- metric coverage, statistics per unit (specs/term_discovery/zerospeech2017/coverage.yaml)
-- Coverage: number of phone tokens in the transcription of some fragment, divided by the number of phone
--   tokens of the corpus, both without silence. Members of clusters of one count too.
--   (zerospeech2015.coverage and tde2015.coverage divide durations, by those of recurring speech only.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "coverage_units_1665c5a0" AS
SELECT "file",
    count(*) FILTER (WHERE covered) AS "numerator",
    count(*) AS "denominator"
FROM "phone_coverage_772efe19" AS counted_rows
WHERE NOT silent
GROUP BY ALL;

-- metric coverage, scores (specs/term_discovery/zerospeech2017/coverage.yaml)
-- Coverage: number of phone tokens in the transcription of some fragment, divided by the number of phone
--   tokens of the corpus, both without silence. Members of clusters of one count too.
--   (zerospeech2015.coverage and tde2015.coverage divide durations, by those of recurring speech only.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "coverage_3f583c23" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("numerator"), 0) AS "numerator",
        coalesce(sum("denominator"), 0) AS "denominator"
    FROM "coverage_units_1665c5a0"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(numerator, denominator) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."numerator" = 0 THEN 'numerator = 0' END, CASE WHEN sums."denominator" = 0 THEN 'denominator = 0' END), '') AS note
FROM sums;

-- relation distinct_spans (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of phones that fragments have, with their transcription. Several fragments can have one
--   span: `onset` is the latest of their onsets, `offset` the earliest of their offsets. With these, "some
--   fragment of span A ends before some fragment of span B begins" is A.offset ≤ B.onset.
CREATE TABLE "distinct_spans_4ef91f40" AS
SELECT file, first_phone, last_phone, text, first_onset, last_offset, max(onset) AS onset, min("offset") AS "offset"
FROM "fragment_texts_16b69939"
GROUP BY ALL;

-- relation span_partners (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of fragments. `in_gold`: a fragment anywhere in the submission has the same
--   transcription and shares no time with a fragment of this span, so that the span is in flat(P_goldclus).
--   With talkers = within only fragments of the same talker count.
CREATE TABLE "span_partners_2d789591" AS
SELECT file, first_phone, last_phone, text, has_partner AS in_gold
FROM (
    SELECT fragment_.*, files > 1 OR earliest_offset <= onset OR latest_onset >= "offset" AS has_partner
    FROM "distinct_spans_4ef91f40" AS fragment_
    JOIN (
        SELECT text, file, min("offset") AS earliest_offset, max(onset) AS latest_onset,
            count(*) OVER (PARTITION BY text) AS files
        FROM "distinct_spans_4ef91f40"
        GROUP BY text, file
    ) USING (text, file)
);

-- relation member_partners (specs/term_discovery/zerospeech2017/grouping.yaml)
-- One row for each member of a cluster. `has_partner`: another member of the cluster has the same
--   transcription and shares no time with it, so that the two are a pair of P_clus ∩ P_goldclus.
CREATE TABLE "member_partners_3d7560e5" AS
SELECT cluster, file, first_phone, last_phone, has_partner
FROM (
    SELECT fragment_.*, files > 1 OR earliest_offset <= onset OR latest_onset >= "offset" AS has_partner
    FROM "cluster_members_cc433047" AS fragment_
    JOIN (
        SELECT cluster, text, file, min("offset") AS earliest_offset, max(onset) AS latest_onset,
            count(*) OVER (PARTITION BY cluster, text) AS files
        FROM "cluster_members_cc433047"
        GROUP BY cluster, text, file
    ) USING (cluster, text, file)
);

-- relation clustered_spans (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of members of clusters. `in_found`: a fragment with the span is in a cluster of two or
--   more members, so that the span is in flat(P_clus). `in_both`: such a fragment has a partner of equal
--   transcription in its cluster, so that the span is in flat(P_clus ∩ P_goldclus).
CREATE TABLE "clustered_spans_1bad8493" AS
WITH sizes AS (
    SELECT cluster, count(*) > 1 AS has_mate FROM "member_partners_3d7560e5" GROUP BY ALL
)
SELECT file, first_phone, last_phone, bool_or(has_mate) AS in_found, bool_or(has_partner) AS in_both
FROM "member_partners_3d7560e5"
JOIN sizes USING (cluster)
GROUP BY ALL;

-- relation span_sets (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct spans of members of clusters, with the sets of pairs in which each occurs: P_clus (found),
--   P_goldclus (gold) and their intersection (both).
CREATE TABLE "span_sets_b1d0ecd4" AS
SELECT file, first_phone, last_phone, text, in_found, in_gold, in_both
FROM "span_partners_2d789591"
JOIN "clustered_spans_1bad8493" USING (file, first_phone, last_phone);

-- relation fragment_keys (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The token that each span of a fragment counts as in grouping. `token_file` and `token_phone` name the span
--   that represents the token. With same_token = span every span is a token. With same_token = times spans
--   whose phones have the same labels and the same times are one token, even in different files; the first
--   span by file and phone represents it. That is what tdev2 does, because its tokens do not contain the
--   file. The phones `a b` at 0.0 to 0.1 and 0.1 to 0.2 s in the files x and y are one token with times and
--   two with span.
CREATE TABLE "fragment_keys_e3ad1f57" AS
WITH suspects AS (
    SELECT text, first_onset, last_offset FROM "distinct_spans_4ef91f40" GROUP BY ALL HAVING count(*) > 1
),
timed AS (
    SELECT span_.file, first_phone, last_phone, text,
        string_agg(concat(phone_.onset, ' ', phone_."offset"), ',' ORDER BY phone_.phone) AS times
    FROM (
        SELECT *, unnest(range(first_phone, last_phone + 1)) AS phone
        FROM "distinct_spans_4ef91f40"
        SEMI JOIN suspects USING (text, first_onset, last_offset)
    ) AS span_
    JOIN "phone_tokens_8c1845b4" AS phone_
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
FROM "distinct_spans_4ef91f40"
LEFT JOIN same USING (file, first_phone, last_phone);

-- relation grouping_tokens, flat(P_clus), flat(P_goldclus)
--   (specs/term_discovery/zerospeech2017/grouping.yaml)
-- The distinct tokens of fragments, with the sets of pairs in which each occurs: P_clus (found), P_goldclus
--   (gold) and their intersection (both). A token occurs in a set when one of its spans does. Grouping
--   precision is both / found, recall is both / gold.
CREATE TABLE "grouping_tokens_8db4477d" AS
SELECT text, token_file, token_phone,
    bool_or(in_found) AS in_found, bool_or(in_gold) AS in_gold, bool_or(in_both) AS in_both
FROM "span_sets_b1d0ecd4"
JOIN "fragment_keys_e3ad1f57" USING (file, first_phone, last_phone)
GROUP BY ALL;

-- metric grouping, statistics per unit (specs/term_discovery/zerospeech2017/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. Fragments with the same phones at the same times count once, as
--   one token. (zerospeech2015.grouping counts every fragment; zerospeech2015.grouping_pairs counts pairs.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "grouping_units_bd6e37d5" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_both) AS "hits"
FROM "grouping_tokens_8db4477d" AS counted_rows
GROUP BY ALL;

-- metric grouping, scores (specs/term_discovery/zerospeech2017/grouping.yaml)
-- Grouping precision, recall and F: fragments in found pairs against fragments in gold pairs. Found pairs
--   (P_clus) are two fragments of one cluster. Gold pairs (P_goldclus) are two fragments of any clusters with
--   equal transcriptions that share no time. Fragments with the same phones at the same times count once, as
--   one token. (zerospeech2015.grouping counts every fragment; zerospeech2015.grouping_pairs counts pairs.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "grouping_80b4f5c5" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "grouping_units_bd6e37d5"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation fold_words (specs/term_discovery/zerospeech2017/corpus.yaml)
-- The word tokens of the corpus, each with the talker of its file. With folds, the word tokens of each fold:
--   those whose midpoint lies in an interval of the fold.
CREATE TABLE "fold_words_aa932355" AS
SELECT row_.*, talker
FROM "words" AS row_
LEFT JOIN "file_talkers_60c8733a" AS talker_ ON talker_.file = row_.file;

-- relation word_tokens, F_goldLex (specs/term_discovery/zerospeech2017/corpus.yaml)
-- The word tokens (F_goldLex), numbered from 1 within their file, each with its transcription: the codes of
--   all phones with which it shares time. tdev2 drops no phone at the edges of a word. `reach` is the latest
--   offset of the words up to this one. Words may overlap, so that offsets can fall from one word to the
--   next; `reach` does not, and fragment_words searches in it.
CREATE TABLE "word_tokens_ce91a4be" AS
WITH tokens AS (
    SELECT file, onset, "offset", label,
        row_number() OVER (PARTITION BY file ORDER BY onset, "offset", label) AS word,
        max("offset") OVER (PARTITION BY file ORDER BY onset, "offset", label) AS reach
    FROM "fold_words_aa932355"
    WHERE label NOT IN ['SIL']::VARCHAR[]
),
overlapped AS (
    SELECT interval_.*,
        first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
        last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
    FROM tokens AS interval_
    ASOF LEFT JOIN "phone_tokens_8c1845b4" AS first_
        ON interval_.file = first_.file
        AND interval_.onset < first_."offset"
    ASOF LEFT JOIN "phone_tokens_8c1845b4" AS last_
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
        JOIN "phone_strings_72c0d78e" AS string_
            ON long_.file = string_.file
            AND long_.piece = string_.phone
        GROUP BY ALL
    ) AS tail_ USING ("file", "word")
    JOIN "phone_strings_72c0d78e" AS string_
        ON span_.file = string_.file
        AND span_.first_phone = string_.phone
    WHERE first_phone <= last_phone
)
SELECT tokens.*, transcribed.text
FROM tokens
LEFT JOIN transcribed USING (file, word);

-- relation fragment_words (specs/term_discovery/zerospeech2017/fragments.yaml)
-- The distinct fragments that have a transcription, each with its word. Of every word that shares time with
--   the fragment, a fraction is covered; the word with the largest fraction counts, the earliest of equals.
--   `hit`: fragment and word have the same transcription. `credited`: the fragment is the first hit of its
--   word by time; further hits of the word count as false alarms. Words may overlap or contain each other, so
--   that the words that share time with a fragment are searched in a range of word numbers. The range begins
--   with the first word whose `reach`, the latest offset so far, is after the onset of the fragment. It ends
--   with the last word that begins before the offset of the fragment.
CREATE TABLE "fragment_words_f21f5e67" AS
-- words can have `reach` or `onset` in common: the lowest number begins the range, the highest ends it
WITH reaching AS (
    SELECT file, reach, min(word) AS word FROM "word_tokens_ce91a4be" GROUP BY ALL
),
beginning AS (
    SELECT file, onset, max(word) AS word FROM "word_tokens_ce91a4be" GROUP BY ALL
),
candidates AS (
    SELECT fragment_."file", fragment_."onset", fragment_."offset", unnest(range(first_.word, last_.word + 1)) AS word
    FROM "fragment_texts_16b69939" AS fragment_
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
    JOIN "word_tokens_ce91a4be" AS word_
        ON candidate_.file = word_.file
        AND candidate_.word = word_.word
    WHERE candidate_.onset < word_."offset" AND candidate_."offset" > word_.onset
    GROUP BY ALL
),
matched AS (
    SELECT fragment_.*, word_.word, word_.onset AS word_onset, word_."offset" AS word_offset,
        word_.label AS word_label, coalesce(fragment_.text = word_.text, false) AS hit
    FROM "fragment_texts_16b69939" AS fragment_
    LEFT JOIN chosen USING ("file", "onset", "offset")
    LEFT JOIN "word_tokens_ce91a4be" AS word_
        ON fragment_.file = word_.file
        AND chosen.word = word_.word
)
SELECT *, hit AND row_number() OVER (PARTITION BY file, word, hit ORDER BY onset, "offset") = 1 AS credited
FROM matched;

-- relation type_outcomes (specs/term_discovery/zerospeech2017/type.yaml)
-- The distinct transcriptions of fragments (`in_found`) and the distinct words (`in_gold`). `hit`: some
--   fragment has the transcription, and so has its word (fragment_words). As in tdev2, precision counts
--   transcriptions and recall counts spellings. Two words with one pronunciation are one possible hit but two
--   words, so that recall can stay below 1.
CREATE TABLE "type_outcomes_70012e3c" AS
SELECT text AS type, true AS in_found, false AS in_gold, bool_or(hit) AS hit
FROM "fragment_words_f21f5e67"
GROUP BY ALL
UNION ALL
SELECT DISTINCT label AS type, false AS in_found, true AS in_gold, false AS hit
FROM "word_tokens_ce91a4be";

-- metric type, statistics per unit (specs/term_discovery/zerospeech2017/type.yaml)
-- Type precision, recall and F: distinct transcriptions of fragments against distinct labels of words. A
--   transcription is right when a fragment that has it also has the transcription of the word of which it
--   covers the largest fraction. Precision counts strings of phones and recall divides by spellings, as in
--   tdev2. (zerospeech2015.type takes transcriptions on both sides.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "type_units_4949da18" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "type_outcomes_70012e3c" AS counted_rows
GROUP BY ALL;

-- metric type, scores (specs/term_discovery/zerospeech2017/type.yaml)
-- Type precision, recall and F: distinct transcriptions of fragments against distinct labels of words. A
--   transcription is right when a fragment that has it also has the transcription of the word of which it
--   covers the largest fraction. Precision counts strings of phones and recall divides by spellings, as in
--   tdev2. (zerospeech2015.type takes transcriptions on both sides.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "type_e5827016" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "type_units_4949da18"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation token_outcomes (specs/term_discovery/zerospeech2017/token.yaml)
-- The distinct fragments and the word tokens as hits, false alarms and misses. A word and the fragment that
--   is credited for it (fragment_words) are one hit. Every other fragment is a false alarm, shown with the
--   word that it overlaps most. Every other word is a miss.
CREATE TABLE "token_outcomes_7bd610f6" AS
SELECT file, fragment_.onset, fragment_."offset",
    coalesce(fragment_.length, length(word_.text)) AS length,
    coalesce(word_.onset, fragment_.word_onset) AS word_onset,
    coalesce(word_."offset", fragment_.word_offset) AS word_offset,
    coalesce(word_.label, fragment_.word_label) AS word_label,
    CASE WHEN word_.word IS NULL THEN 'false alarm' WHEN fragment_.onset IS NULL THEN 'miss' ELSE 'hit' END AS outcome
FROM (
    SELECT *, length(text) AS length, if(credited, word, NULL) AS hit_word FROM "fragment_words_f21f5e67"
) AS fragment_
FULL JOIN (SELECT *, word AS hit_word FROM "word_tokens_ce91a4be") AS word_
    USING (file, hit_word);

-- metric token, statistics per unit (specs/term_discovery/zerospeech2017/token.yaml)
-- Token precision, recall and F: fragments against word tokens. A fragment is held against the word of which
--   it covers the largest fraction, and is right when their transcriptions are equal; each word counts as
--   found once. (zerospeech2015.token compares the phones themselves, not their labels.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "token_units_60b01bec" AS
SELECT "file",
    count(*) FILTER (WHERE outcome <> 'miss') AS "found",
    count(*) FILTER (WHERE outcome <> 'false alarm') AS "gold",
    count(*) FILTER (WHERE outcome = 'hit') AS "hits"
FROM "token_outcomes_7bd610f6" AS counted_rows
GROUP BY ALL;

-- metric token, scores (specs/term_discovery/zerospeech2017/token.yaml)
-- Token precision, recall and F: fragments against word tokens. A fragment is held against the word of which
--   it covers the largest fraction, and is right when their transcriptions are equal; each word counts as
--   found once. (zerospeech2015.token compares the phones themselves, not their labels.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "token_13ed14a8" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "token_units_60b01bec"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation boundary_outcomes, B_disc, B_gold (specs/term_discovery/zerospeech2017/boundary.yaml)
-- The distinct boundaries (file, time) of fragments, B_disc, and of words, B_gold. The boundaries of a
--   fragment are the onset of its first and the offset of its last phone. `hit`: the point is an onset on
--   both sides or an offset on both sides. A fragment that ends where a word begins is no hit there, unless a
--   word also ends there.
CREATE TABLE "boundary_outcomes_ad8aa159" AS
SELECT file, time,
    bool_or(side = 'found') AS in_found,
    bool_or(side = 'gold') AS in_gold,
    bool_or(side = 'found' AND kind = 'onset') AND bool_or(side = 'gold' AND kind = 'onset')
        OR bool_or(side = 'found' AND kind = 'offset') AND bool_or(side = 'gold' AND kind = 'offset') AS hit
FROM (
    SELECT file, first_onset AS time, 'found' AS side, 'onset' AS kind FROM "fragment_texts_16b69939"
    UNION ALL
    SELECT file, last_offset, 'found', 'offset' FROM "fragment_texts_16b69939"
    UNION ALL
    SELECT file, onset, 'gold', 'onset' FROM "word_tokens_ce91a4be"
    UNION ALL
    SELECT file, "offset", 'gold', 'offset' FROM "word_tokens_ce91a4be"
)
GROUP BY ALL;

-- metric boundary, statistics per unit (specs/term_discovery/zerospeech2017/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. The edges of a
--   fragment are those of its first and last phone, and an onset is right only at a word onset, an offset
--   only at a word offset. (zerospeech2015.boundary does not tell onsets from offsets and uses the nearest
--   phone boundary.)
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "boundary_units_e1316162" AS
SELECT "file",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "boundary_outcomes_ad8aa159" AS counted_rows
GROUP BY ALL;

-- metric boundary, scores (specs/term_discovery/zerospeech2017/boundary.yaml)
-- Boundary precision, recall and F: the edges of fragments against the edges of words. The edges of a
--   fragment are those of its first and last phone, and an onset is right only at a word onset, an offset
--   only at a word offset. (zerospeech2015.boundary does not tell onsets from offsets and uses the nearest
--   phone boundary.)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "boundary_ad2d1e29" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "boundary_units_e1316162"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation submission_sizes (specs/term_discovery/zerospeech2017/sizes.yaml)
-- The sizes of the sets that are scored: clusters, their members, distinct fragments, pairs, transcriptions
--   and words. Each row has the sizes of one set, and the metric `sizes` adds the rows up.
CREATE TABLE "submission_sizes_571eccb9" AS
SELECT count(DISTINCT cluster) AS clusters, count(*) AS members FROM "fold_fragments_a34928f2" GROUP BY ALL
UNION ALL BY NAME
SELECT count(*) AS fragments, count(*) FILTER (WHERE first_phone IS NULL) AS fragments_empty
FROM "fragment_spans_8c214493"
GROUP BY ALL
UNION ALL BY NAME
SELECT sum(pairs) AS pairs FROM "cluster_pairs_844f55df" GROUP BY ALL
UNION ALL BY NAME
SELECT count(DISTINCT text) AS types FROM "fragment_texts_16b69939" GROUP BY ALL
UNION ALL BY NAME
SELECT count(*) AS words, count(DISTINCT label) AS word_types FROM "word_tokens_ce91a4be" GROUP BY ALL;

-- metric sizes, statistics per unit (specs/term_discovery/zerospeech2017/sizes.yaml)
-- Sizes of the submission and of the corpus: numbers of clusters, members, fragments, pairs, transcriptions
--   and words.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "sizes_units_149d294b" AS
SELECT
    sum("clusters") AS "clusters",
    sum("members") AS "members",
    sum("fragments") AS "fragments",
    sum("fragments_empty") AS "fragments_empty",
    sum("pairs") AS "pairs",
    sum("types") AS "types",
    sum("words") AS "words",
    sum("word_types") AS "word_types"
FROM "submission_sizes_571eccb9" AS counted_rows
GROUP BY ALL;

-- metric sizes, scores (specs/term_discovery/zerospeech2017/sizes.yaml)
-- Sizes of the submission and of the corpus: numbers of clusters, members, fragments, pairs, transcriptions
--   and words.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "sizes_7218aacf" AS
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
    FROM "sizes_units_149d294b"
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

-- relation transcriptions (specs/term_discovery/zerospeech2017/evidence.yaml)
-- The distinct transcriptions of fragments, in codes (one character per phone) and in phone labels separated
--   by blanks. Evidence shows the labels.
CREATE TABLE "transcriptions_f73f775a" AS
SELECT text, string_agg(label, ' ' ORDER BY place) AS transcription
FROM (
    SELECT *, unnest(range(1, length(text) + 1)) AS place
    FROM (SELECT DISTINCT text FROM "fragment_texts_16b69939")
) AS type_
JOIN "phone_codes_42ce8ab5" AS code_ ON substring(text, place, 1) = code_.code
GROUP BY ALL;

-- relation fragment_verdicts (specs/term_discovery/zerospeech2017/evidence.yaml)
-- Evidence: one row for each line of the submission, with the transcription of the fragment, the word that it
--   overlaps most and the verdicts of token, type and boundary. The verdicts are NULL where the fragment has
--   no transcription.
CREATE TABLE "fragment_verdicts_d94e8e83" AS
WITH gold AS (
    SELECT DISTINCT file, onset AS time, 'onset' AS kind FROM "word_tokens_ce91a4be"
    UNION ALL
    SELECT DISTINCT file, "offset", 'offset' FROM "word_tokens_ce91a4be"
),
type_hits AS (
    SELECT text, bool_or(hit) AS type_hit FROM "fragment_words_f21f5e67" GROUP BY ALL
),
verdicts AS (
    SELECT fragment_.file, fragment_.onset, fragment_."offset", transcription, length(text) AS length,
        word_label, word_onset, word_offset, credited AS token_hit, type_hit,
        first_.time IS NOT NULL AS onset_hit, last_.time IS NOT NULL AS offset_hit
    FROM "fragment_words_f21f5e67" AS fragment_
    JOIN "transcriptions_f73f775a" USING (text)
    JOIN type_hits USING (text)
    LEFT JOIN (SELECT *, time AS first_onset FROM gold WHERE kind = 'onset') AS first_
        USING (file, first_onset)
    LEFT JOIN (SELECT *, time AS last_offset FROM gold WHERE kind = 'offset') AS last_
        USING (file, last_offset)
)
SELECT cluster, file, onset, "offset", transcription, length, word_label, word_onset, word_offset,
    token_hit, type_hit, onset_hit, offset_hit
FROM "fold_fragments_a34928f2"
LEFT JOIN verdicts USING (file, onset, "offset");

-- relation cluster_scores (specs/term_discovery/zerospeech2017/evidence.yaml)
-- Evidence: one row for each cluster, with the number of members that have a transcription, the number of
--   distinct transcriptions, the number of pairs of members and their mean normalised edit distance (NED).
--   NED is NULL in a cluster of one member.
CREATE TABLE "cluster_scores_3ffb9929" AS
WITH sizes AS (
    SELECT cluster, count(*) AS members, count(DISTINCT text) AS types
    FROM "cluster_members_cc433047"
    GROUP BY ALL
),
pairs AS (
    SELECT cluster, sum(pairs)::BIGINT AS pairs,
        ratio(exact_sum(pairs * if(length = 0, 1, distance / length)), sum(pairs)) AS ned
    FROM "cluster_pairs_844f55df"
    GROUP BY ALL
)
SELECT cluster, members, types, coalesce(pairs, 0) AS pairs, ned
FROM sizes
LEFT JOIN pairs USING (cluster);

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
    FROM "ned_1a1e6331"
)
UNION ALL
SELECT 1 AS position, 0 AS variant, breakdown, place, 'coverage' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "coverage_3f583c23"
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
    FROM "grouping_80b4f5c5"
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
    FROM "type_e5827016"
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
    FROM "token_13ed14a8"
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
    FROM "boundary_ad2d1e29"
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
    FROM "sizes_7218aacf"
)
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

-- The log odds of a probability.
CREATE OR REPLACE MACRO logit(p) AS ln((p)::DOUBLE / (1 - (p)::DOUBLE));
-- What a chance of a in a + b costs at best, in bits, times a + b: a log2 of each share, 0 where one is 0.
CREATE OR REPLACE MACRO shared_bits(a, b) AS if(least(a, b) > 0, -a * log2(a / (a + b)) - b * log2(b / (a + b)), 0e0);
-- The standard normal quantile of a probability, by Wichura's AS 241 (relative error about 1e-16): the scale of
-- the axes of a DET plot. -inf and inf at 0 and 1, NULL outside.
CREATE OR REPLACE MACRO horner(x, c) AS list_reduce(c, lambda s, each: s * x + each);
CREATE OR REPLACE MACRO probit_middle(q, r) AS q * horner(r, [
        2509.0809287301226727e0, 33430.575583588128105e0, 67265.770927008700853e0, 45921.953931549871457e0,
        13731.693765509461125e0, 1971.5909503065514427e0, 133.14166789178437745e0, 3.387132872796366608e0])
    / horner(r, [
        5226.495278852545925e0, 28729.085735721942674e0, 39307.89580009271061e0, 21213.794301586595867e0,
        5394.1960214247511077e0, 687.1870074920579083e0, 42.313330701600911252e0, 1e0]);
CREATE OR REPLACE MACRO probit_side(r) AS horner(r - 1.6e0, [
        7.7454501427834140764e-4, 0.0227238449892691845833e0, 0.24178072517745061177e0, 1.27045825245236838258e0,
        3.64784832476320460504e0, 5.7694972214606914055e0, 4.6303378461565452959e0, 1.42343711074968357734e0])
    / horner(r - 1.6e0, [
        1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966e0, 0.14810397642748007459e0,
        0.68976733498510000455e0, 1.6763848301838038494e0, 2.05319162663775882187e0, 1e0]);
CREATE OR REPLACE MACRO probit_end(r) AS horner(r - 5e0, [
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386e0, 0.026532189526576123093e0,
        0.29656057182850489123e0, 1.7848265399172913358e0, 5.4637849111641143699e0, 6.6579046435011037772e0])
    / horner(r - 5e0, [
        2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
        0.0148753612908506148525e0, 0.13692988092273580531e0, 0.59983220655588793769e0, 1e0]);
CREATE OR REPLACE MACRO probit_tail(r) AS if(r <= 5, probit_side(r), probit_end(r));
CREATE OR REPLACE MACRO probit(p) AS CASE
    WHEN p < 0 OR p > 1 THEN NULL
    WHEN p = 0 THEN '-inf'::DOUBLE
    WHEN p = 1 THEN 'inf'::DOUBLE
    WHEN abs(p - 0.5e0) <= 0.425e0 THEN probit_middle(p - 0.5e0, 0.180625e0 - (p - 0.5e0) * (p - 0.5e0))
    WHEN p < 0.5 THEN -probit_tail(sqrt(-ln(p)))
    ELSE probit_tail(sqrt(-ln(1 - p)))
END;
-- A score as thresholds are made of: -0.0 is 0.0; one that is not a number is refused.
CREATE OR REPLACE MACRO ranked_score(x) AS CASE
    WHEN isnan((x)::DOUBLE) THEN error('a score is not a number')::DOUBLE
    WHEN (x)::DOUBLE = 0 THEN 0e0
    ELSE (x)::DOUBLE
END;
-- What log odds (natural) cost, in bits, when they are for what is so: log2(1 + exp(-odds)), also for infinite ones.
CREATE OR REPLACE MACRO bits_of_odds(odds) AS greatest(-(odds)::DOUBLE, 0e0) / ln(2e0) + log2(1e0 + exp(-abs((odds)::DOUBLE)));
-- a / b as a DOUBLE; NULL, which is reported as undefined, where b is 0.
CREATE OR REPLACE MACRO ratio(a, b) AS (a)::DOUBLE / nullif((b)::DOUBLE, 0);
-- The harmonic mean of precision and recall: undefined when either is, 0 when both are 0.
CREATE OR REPLACE MACRO fscore(p, r) AS CASE
    WHEN p IS NULL OR r IS NULL THEN NULL
    WHEN p + r = 0 THEN 0
    ELSE 2 * p * r / (p + r)
END;
-- Sums of DOUBLEs that do not depend on the order of the rows: each is rounded to 18 decimals first.
CREATE OR REPLACE MACRO exact_sum(x) AS sum((x)::DECIMAL(38, 18));
CREATE OR REPLACE MACRO exact_mean(x) AS exact_sum(x)::DOUBLE / nullif(count(x), 0);
-- A value as `scores` holds it, NULL where it is undefined or infinite, and the remark that says which.
CREATE OR REPLACE MACRO finite(x) AS if(isfinite(x), x, NULL);
CREATE OR REPLACE MACRO remark(x, note) AS CASE
    WHEN x IS NULL THEN concat('undefined', ': ' || note)
    WHEN isnan(x) THEN 'undefined: not a number'
    WHEN isinf(x) THEN if(x > 0, 'infinite', 'minus infinite')
    WHEN note LIKE 'defined in%' THEN note
END;
-- A time in seconds as whole microseconds, half to even, so that times can be compared exactly.
CREATE OR REPLACE MACRO microseconds(seconds) AS round_even(seconds * 1e6, 0)::BIGINT;
-- Whether an amount is more than a part of a whole, both in whole microseconds: exact for parts of up to six decimals.
CREATE OR REPLACE MACRO more_than_part(amount, part, whole) AS amount * 1000000 > round_even(part * 1e6, 0)::BIGINT * whole;

-- input phones (specs/term_discovery/tables.yaml): The phone tokens of the corpus, from a forced
--   alignment. A line given twice counts once.
CREATE TABLE IF NOT EXISTS "phones" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- input words (specs/term_discovery/tables.yaml): The word tokens of the corpus (F_goldLex). A line
--   given twice counts once.
CREATE TABLE IF NOT EXISTS "words" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE, "label" VARCHAR);

-- input fragments (specs/term_discovery/tables.yaml): Discovered fragments, one row per member of a
--   cluster (C_disc).
CREATE TABLE IF NOT EXISTS "fragments" (line BIGINT, "cluster" VARCHAR, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- input utterances (specs/term_discovery/tables.yaml): The utterances of the corpus.
CREATE TABLE IF NOT EXISTS "utterances" (line BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- input folds (specs/term_discovery/tables.yaml): Intervals of the corpus that make a fold; a blank line
--   ends a fold.
CREATE TABLE IF NOT EXISTS "folds" (line BIGINT, "fold" BIGINT, "file" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- input talkers (specs/term_discovery/tables.yaml): Who speaks in each recording.
CREATE TABLE IF NOT EXISTS "talkers" (line BIGINT, "file" VARCHAR, "talker" VARCHAR);

-- relation phone_codes (specs/term_discovery/relations.yaml): One character per phone label.
CREATE TABLE "phone_codes_42ce8ab5" AS
SELECT label,
    chr((CASE WHEN count(*) OVER () <= 94 THEN 33 WHEN count(*) OVER () <= 20000 THEN 19968 ELSE 131072 END
        + row_number() OVER (ORDER BY label) - 1)::INTEGER) AS code
FROM (SELECT DISTINCT label FROM "phones");

-- relation phone_tokens (specs/term_discovery/relations.yaml): The phone tokens of the corpus, numbered
--   within their file.
CREATE TABLE "phone_tokens_fc023f78" AS
SELECT file, onset, "offset", label, code, label IN ['SIL', 'SPN']::VARCHAR[] AS silent,
    row_number() OVER (PARTITION BY file ORDER BY onset, "offset") AS phone
FROM "phones"
JOIN "phone_codes_42ce8ab5" USING (label);

-- relation fragment_spans, F_disc (specs/term_discovery/relations.yaml): The distinct fragments as spans
--   of phone numbers, empty where no phone is kept.
CREATE TABLE "fragment_spans_d98f9347" AS
WITH intervals AS (
    SELECT DISTINCT file, onset, "offset" FROM "fragments"
),
overlapped AS (
SELECT interval_.*,
    first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
    last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
FROM intervals AS interval_
ASOF LEFT JOIN "phone_tokens_fc023f78" AS first_
    ON interval_.file = first_.file
    AND interval_.onset < first_."offset"
ASOF LEFT JOIN "phone_tokens_fc023f78" AS last_
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
        -- a single phone is tested once
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

-- relation phone_strings (specs/term_discovery/relations.yaml): For each phone, the codes of it and of
--   the 15 that follow.
CREATE TABLE "phone_strings_dd7ea1a3" AS
WITH one AS (SELECT file, phone, onset, code AS codes FROM "phone_tokens_fc023f78"),
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

-- relation fragment_texts, F_disc, T (specs/term_discovery/relations.yaml): The fragments that have a
--   transcription.
CREATE TABLE "fragment_texts_d61e5c7a" AS
WITH transcribed AS (
SELECT span_."file", span_."onset", span_."offset", span_."first_phone", span_."last_phone", string_.onset AS first_onset,
    left(string_.codes, (last_phone - first_phone + 1)::INTEGER) || coalesce(tail_.codes, '') AS text
FROM "fragment_spans_d98f9347" AS span_
LEFT JOIN (
    SELECT long_."file", long_."onset", long_."offset", long_."first_phone", long_."last_phone",
        string_agg(left(string_.codes, (last_phone - piece + 1)::INTEGER), '' ORDER BY piece) AS codes
    FROM (
        SELECT *, unnest(range(first_phone + 16, last_phone + 1, 16)) AS piece
        FROM "fragment_spans_d98f9347"
        WHERE last_phone - first_phone >= 16
    ) AS long_
    JOIN "phone_strings_dd7ea1a3" AS string_
        ON long_.file = string_.file
        AND long_.piece = string_.phone
    GROUP BY ALL
) AS tail_ USING ("file", "onset", "offset", "first_phone", "last_phone")
JOIN "phone_strings_dd7ea1a3" AS string_
    ON span_.file = string_.file
    AND span_.first_phone = string_.phone
WHERE first_phone <= last_phone
)
SELECT transcribed.*, last_."offset" AS last_offset
FROM transcribed
JOIN "phone_tokens_fc023f78" AS last_
    ON last_.file = transcribed.file
    AND last_.phone = transcribed.last_phone;

-- relation cluster_members, C_disc (specs/term_discovery/relations.yaml): The clusters with the
--   transcriptions of their members.
CREATE TABLE "cluster_members_b8b0eedb" AS
SELECT cluster, file, onset, "offset", first_phone, last_phone, text
FROM "fragments"
JOIN "fragment_texts_d61e5c7a" USING (file, onset, "offset");

-- relation cluster_types (specs/term_discovery/relations.yaml): The distinct transcriptions of each
--   cluster, and how many members have each.
CREATE TABLE "cluster_types_1376104c" AS
WITH left_out AS (
    SELECT coalesce(string_agg(code, ''), '') AS codes FROM "phone_codes_42ce8ab5" WHERE label IN ['SIL']::VARCHAR[]
)
SELECT cluster, translate(text, codes, '') AS text, count(*) AS members
FROM "cluster_members_b8b0eedb", left_out
GROUP BY ALL;

-- relation cluster_pairs, P_disc (specs/term_discovery/relations.yaml): The pairs of members of each
--   cluster, by the edit distance of their transcriptions.
-- "cluster_pairs_rows_e1ee5c2f" is what the Python function pairwise_edit_distance makes of the rows of
--   SELECT cluster, text, members AS weight
--   FROM "cluster_types_1376104c"
--   ORDER BY cluster
CREATE TABLE "cluster_pairs_d71ec5a6" AS
SELECT cluster, distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT cluster, distance, length, weight AS pairs
    FROM "cluster_pairs_rows_e1ee5c2f"
    UNION ALL
    SELECT cluster, 0, length(text), members * (members - 1) // 2
    FROM "cluster_types_1376104c"
    WHERE members > 1
)
GROUP BY ALL;

-- metric ned, statistics per unit (specs/term_discovery/metrics.yaml): How different are the
--   transcriptions of fragments of one cluster? 0 is identical, 1 all different.
CREATE TABLE "ned_units_3a1d3cf6" AS
SELECT "cluster",
    exact_sum((if(length = 0, 1, distance / length)) * (pairs)) AS "total",
    sum(pairs) FILTER (WHERE (if(length = 0, 1, distance / length)) IS NOT NULL) AS "pairs"
FROM "cluster_pairs_d71ec5a6" AS counted_rows
GROUP BY ALL;

-- metric ned, scores (specs/term_discovery/metrics.yaml): How different are the transcriptions of
--   fragments of one cluster? 0 is identical, 1 all different.
CREATE TABLE "ned_d0ea5b8a" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("total"), 0) AS "total",
        coalesce(sum("pairs"), 0) AS "pairs"
    FROM "ned_units_3a1d3cf6"
GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(total, pairs) AS "value",
    pairs AS "pairs",
    nullif(concat_ws(', ', CASE WHEN sums."total" = 0 THEN 'total = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END), '') AS note
FROM sums;

-- relation phone_coverage, cover(P_disc) (specs/term_discovery/relations.yaml): Each phone token, and
--   whether some fragment's transcription holds it.
CREATE TABLE "phone_coverage_9fad13a4" AS
WITH reach AS (
    SELECT file, first_phone AS phone, max(last_phone) AS last_phone
    FROM "fragment_texts_d61e5c7a"
    GROUP BY ALL
)
SELECT file, onset, "offset", label, silent,
    coalesce(max(last_phone) OVER (PARTITION BY file ORDER BY phone) >= phone, false) AS covered
FROM "phone_tokens_fc023f78"
LEFT JOIN reach USING (file, phone);

-- metric coverage, statistics per unit (specs/term_discovery/metrics.yaml): Which part of the corpus'
--   phones is in some fragment?
CREATE TABLE "coverage_units_2ab9c6b9" AS
SELECT "file",
    count(*) FILTER (WHERE covered) AS "numerator",
    count(*) AS "denominator"
FROM "phone_coverage_9fad13a4" AS counted_rows
WHERE NOT silent
GROUP BY ALL;

-- metric coverage, scores (specs/term_discovery/metrics.yaml): Which part of the corpus' phones is in
--   some fragment?
CREATE TABLE "coverage_e01626b6" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("numerator"), 0) AS "numerator",
        coalesce(sum("denominator"), 0) AS "denominator"
    FROM "coverage_units_2ab9c6b9"
GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(numerator, denominator) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."numerator" = 0 THEN 'numerator = 0' END, CASE WHEN sums."denominator" = 0 THEN 'denominator = 0' END), '') AS note
FROM sums;

-- relation fragment_keys (specs/term_discovery/relations.yaml): Which fragments are the same token in
--   grouping.
CREATE TABLE "fragment_keys_8aa323fc" AS
WITH spans AS (
    SELECT DISTINCT file, first_phone, last_phone, text, first_onset, last_offset
    FROM "fragment_texts_d61e5c7a"
)
,
suspects AS (
    SELECT text, first_onset, last_offset FROM spans GROUP BY ALL HAVING count(*) > 1
),
timed AS (
    SELECT span_.file, first_phone, last_phone, text,
        string_agg(concat(phone_.onset, ' ', phone_."offset"), ',' ORDER BY phone_.phone) AS times
    FROM (
        SELECT *, unnest(range(first_phone, last_phone + 1)) AS phone
        FROM spans
        SEMI JOIN suspects USING (text, first_onset, last_offset)
    ) AS span_
    JOIN "phone_tokens_fc023f78" AS phone_
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
FROM spans
LEFT JOIN same USING (file, first_phone, last_phone);

-- relation grouping_tokens, flat(P_clus), flat(P_goldclus) (specs/term_discovery/relations.yaml): The
--   tokens of the fragments, and in which sets of pairs each occurs.
CREATE TABLE "grouping_tokens_ddcabf9d" AS
WITH sizes AS (
    SELECT cluster, count(*) > 1 AS has_mate FROM "cluster_members_b8b0eedb" GROUP BY ALL
),
in_clusters AS (
SELECT fragment_.*, files > 1 OR earliest_offset <= onset OR latest_onset >= "offset" AS has_partner
FROM "cluster_members_b8b0eedb" AS fragment_
JOIN (
    SELECT cluster, text, file, min("offset") AS earliest_offset, max(onset) AS latest_onset,
        count(*) OVER (PARTITION BY cluster, text) AS files
    FROM "cluster_members_b8b0eedb"
    GROUP BY cluster, text, file
) USING (cluster, text, file)
),
anywhere AS (
SELECT fragment_.*, files > 1 OR earliest_offset <= onset OR latest_onset >= "offset" AS has_partner
FROM "fragment_texts_d61e5c7a" AS fragment_
JOIN (
    SELECT text, file, min("offset") AS earliest_offset, max(onset) AS latest_onset,
        count(*) OVER (PARTITION BY text) AS files
    FROM "fragment_texts_d61e5c7a"
    GROUP BY text, file
) USING (text, file)
),
found AS (
    SELECT file, first_phone, last_phone, bool_or(has_mate) AS in_found, bool_or(has_partner) AS in_both
    FROM in_clusters
    JOIN sizes USING (cluster)
    GROUP BY ALL
),
gold AS (
    SELECT file, first_phone, last_phone, text, bool_or(has_partner) AS in_gold FROM anywhere GROUP BY ALL
)
SELECT text, token_file, token_phone,
    bool_or(in_found) AS in_found, bool_or(in_gold) AS in_gold, bool_or(in_both) AS in_both
FROM gold
JOIN found USING (file, first_phone, last_phone)
JOIN "fragment_keys_8aa323fc" USING (file, first_phone, last_phone)
GROUP BY ALL;

-- metric grouping, statistics per unit (specs/term_discovery/metrics.yaml): Are fragments of equal
--   transcription in one cluster, and only they?
CREATE TABLE "grouping_units_87ba22b2" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_both) AS "hits"
FROM "grouping_tokens_ddcabf9d" AS counted_rows
GROUP BY ALL;

-- metric grouping, scores (specs/term_discovery/metrics.yaml): Are fragments of equal transcription in
--   one cluster, and only they?
CREATE TABLE "grouping_cd6c9bdc" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "grouping_units_87ba22b2"
GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation word_tokens, F_goldLex (specs/term_discovery/relations.yaml): The word tokens with their
--   transcriptions.
CREATE TABLE "word_tokens_200c321e" AS
WITH tokens AS (
    SELECT file, onset, "offset", label,
        row_number() OVER (PARTITION BY file ORDER BY onset, "offset", label) AS word,
        max("offset") OVER (PARTITION BY file ORDER BY onset, "offset", label) AS reach
    FROM "words"
    WHERE label NOT IN ['SIL']::VARCHAR[]
),
overlapped AS (
SELECT interval_.*,
    first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
    last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
FROM tokens AS interval_
ASOF LEFT JOIN "phone_tokens_fc023f78" AS first_
    ON interval_.file = first_.file
    AND interval_.onset < first_."offset"
ASOF LEFT JOIN "phone_tokens_fc023f78" AS last_
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
    JOIN "phone_strings_dd7ea1a3" AS string_
        ON long_.file = string_.file
        AND long_.piece = string_.phone
    GROUP BY ALL
) AS tail_ USING ("file", "word")
JOIN "phone_strings_dd7ea1a3" AS string_
    ON span_.file = string_.file
    AND span_.first_phone = string_.phone
WHERE first_phone <= last_phone
)
SELECT tokens.*, transcribed.text
FROM tokens
LEFT JOIN transcribed USING (file, word);

-- relation fragment_words (specs/term_discovery/relations.yaml): Each fragment with the word that it
--   overlaps most.
CREATE TABLE "fragment_words_6c57fb3d" AS
-- words may begin together, or end within one another: the first and the last of those that do
WITH reaching AS (
    SELECT file, reach, min(word) AS word FROM "word_tokens_200c321e" GROUP BY ALL
),
beginning AS (
    SELECT file, onset, max(word) AS word FROM "word_tokens_200c321e" GROUP BY ALL
),
candidates AS (
    SELECT fragment_."file", fragment_."onset", fragment_."offset", unnest(range(first_.word, last_.word + 1)) AS word
    FROM "fragment_texts_d61e5c7a" AS fragment_
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
    JOIN "word_tokens_200c321e" AS word_
        ON candidate_.file = word_.file
        AND candidate_.word = word_.word
    WHERE candidate_.onset < word_."offset" AND candidate_."offset" > word_.onset
    GROUP BY ALL
),
matched AS (
    SELECT fragment_.*, word_.word, word_.onset AS word_onset, word_."offset" AS word_offset,
        word_.label AS word_label, coalesce(fragment_.text = word_.text, false) AS hit
    FROM "fragment_texts_d61e5c7a" AS fragment_
    LEFT JOIN chosen USING ("file", "onset", "offset")
    LEFT JOIN "word_tokens_200c321e" AS word_
        ON fragment_.file = word_.file
        AND chosen.word = word_.word
)
SELECT *, hit AND row_number() OVER (PARTITION BY file, word, hit ORDER BY onset, "offset") = 1 AS credited
FROM matched;

-- relation type_outcomes (specs/term_discovery/relations.yaml): The distinct transcriptions of the
--   fragments, and the distinct words.
CREATE TABLE "type_outcomes_739a2bc1" AS
SELECT text AS type, true AS in_found, false AS in_gold, bool_or(hit) AS hit
FROM "fragment_words_6c57fb3d"
GROUP BY ALL
UNION ALL
SELECT DISTINCT label AS type, false AS in_found, true AS in_gold, false AS hit
FROM "word_tokens_200c321e";

-- metric type, statistics per unit (specs/term_discovery/metrics.yaml): Were words of the lexicon found,
--   and nothing else?
CREATE TABLE "type_units_89ff34a6" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "type_outcomes_739a2bc1" AS counted_rows
GROUP BY ALL;

-- metric type, scores (specs/term_discovery/metrics.yaml): Were words of the lexicon found, and nothing
--   else?
CREATE TABLE "type_21e9693c" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "type_units_89ff34a6"
GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation token_outcomes (specs/term_discovery/relations.yaml): Found fragments against word tokens,
--   as hits, false alarms and misses.
CREATE TABLE "token_outcomes_56aa566f" AS
SELECT file, fragment_.onset, fragment_."offset",
    coalesce(fragment_.length, length(word_.text)) AS length,
    coalesce(word_.onset, fragment_.word_onset) AS word_onset,
    coalesce(word_."offset", fragment_.word_offset) AS word_offset,
    coalesce(word_.label, fragment_.word_label) AS word_label,
    CASE WHEN word_.word IS NULL THEN 'false alarm' WHEN fragment_.onset IS NULL THEN 'miss' ELSE 'hit' END AS outcome
FROM (
    SELECT *, length(text) AS length, if(credited, word, NULL) AS hit_word FROM "fragment_words_6c57fb3d"
) AS fragment_
FULL JOIN (SELECT *, word AS hit_word FROM "word_tokens_200c321e") AS word_
    USING (file, hit_word);

-- metric token, statistics per unit (specs/term_discovery/metrics.yaml): Were word tokens found exactly?
CREATE TABLE "token_units_53391492" AS
SELECT "file",
    count(*) FILTER (WHERE outcome <> 'miss') AS "found",
    count(*) FILTER (WHERE outcome <> 'false alarm') AS "gold",
    count(*) FILTER (WHERE outcome = 'hit') AS "hits"
FROM "token_outcomes_56aa566f" AS counted_rows
GROUP BY ALL;

-- metric token, scores (specs/term_discovery/metrics.yaml): Were word tokens found exactly?
CREATE TABLE "token_90a68e37" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "token_units_53391492"
GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation boundary_outcomes, B_disc, B_gold (specs/term_discovery/relations.yaml): The boundaries of
--   fragments and words.
CREATE TABLE "boundary_outcomes_f71550dc" AS
SELECT file, time,
    bool_or(side = 'found') AS in_found,
    bool_or(side = 'gold') AS in_gold,
    bool_or(side = 'found' AND kind = 'onset') AND bool_or(side = 'gold' AND kind = 'onset')
        OR bool_or(side = 'found' AND kind = 'offset') AND bool_or(side = 'gold' AND kind = 'offset') AS hit
FROM (
    SELECT file, first_onset AS time, 'found' AS side, 'onset' AS kind FROM "fragment_texts_d61e5c7a"
    UNION ALL
    SELECT file, last_offset, 'found', 'offset' FROM "fragment_texts_d61e5c7a"
    UNION ALL
    SELECT file, onset, 'gold', 'onset' FROM "word_tokens_200c321e"
    UNION ALL
    SELECT file, "offset", 'gold', 'offset' FROM "word_tokens_200c321e"
)
GROUP BY ALL;

-- metric boundary, statistics per unit (specs/term_discovery/metrics.yaml): Do fragments begin and end
--   where words do?
CREATE TABLE "boundary_units_5ed5f7fb" AS
SELECT "file",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "boundary_outcomes_f71550dc" AS counted_rows
GROUP BY ALL;

-- metric boundary, scores (specs/term_discovery/metrics.yaml): Do fragments begin and end where words
--   do?
CREATE TABLE "boundary_d5497f2a" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "boundary_units_5ed5f7fb"
GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation submission_sizes (specs/term_discovery/relations.yaml): How large what is scored is.
CREATE TABLE "submission_sizes_93dca9bd" AS
SELECT count(DISTINCT cluster) AS clusters, count(*) AS members FROM "fragments" GROUP BY ALL
UNION ALL BY NAME
SELECT count(*) AS fragments, count(*) FILTER (WHERE first_phone IS NULL) AS fragments_empty
FROM "fragment_spans_d98f9347"
GROUP BY ALL
UNION ALL BY NAME
SELECT sum(pairs) AS pairs FROM "cluster_pairs_d71ec5a6" GROUP BY ALL
UNION ALL BY NAME
SELECT count(DISTINCT text) AS types FROM "fragment_texts_d61e5c7a" GROUP BY ALL
UNION ALL BY NAME
SELECT count(*) AS words, count(DISTINCT label) AS word_types FROM "word_tokens_200c321e" GROUP BY ALL;

-- metric sizes, statistics per unit (specs/term_discovery/metrics.yaml): How large is what is scored?
CREATE TABLE "sizes_units_bd23e717" AS
SELECT
    sum(clusters) AS "clusters",
    sum(members) AS "members",
    sum(fragments) AS "fragments",
    sum(fragments_empty) AS "fragments_empty",
    sum(pairs) AS "pairs",
    sum(types) AS "types",
    sum(words) AS "words",
    sum(word_types) AS "word_types"
FROM "submission_sizes_93dca9bd" AS counted_rows
GROUP BY ALL;

-- metric sizes, scores (specs/term_discovery/metrics.yaml): How large is what is scored?
CREATE TABLE "sizes_3e6b5bf0" AS
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
    FROM "sizes_units_bd23e717"
GROUP BY ALL
)
SELECT scope, slice, breakdown,
    clusters AS "clusters",
    members AS "members",
    fragments AS "fragments",
    fragments_empty AS "fragments_empty",
    pairs AS "pairs",
    types AS "types",
    words AS "words",
    word_types AS "word_types",
    nullif(concat_ws(', ', CASE WHEN sums."clusters" = 0 THEN 'clusters = 0' END, CASE WHEN sums."members" = 0 THEN 'members = 0' END, CASE WHEN sums."fragments" = 0 THEN 'fragments = 0' END, CASE WHEN sums."fragments_empty" = 0 THEN 'fragments_empty = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END, CASE WHEN sums."types" = 0 THEN 'types = 0' END, CASE WHEN sums."words" = 0 THEN 'words = 0' END, CASE WHEN sums."word_types" = 0 THEN 'word_types = 0' END), '') AS note
FROM sums;

-- relation transcriptions (specs/term_discovery/relations.yaml): The distinct transcriptions in phone
--   labels.
CREATE TABLE "transcriptions_5de4bcab" AS
SELECT text, string_agg(label, ' ' ORDER BY place) AS transcription
FROM (
    SELECT *, unnest(range(1, length(text) + 1)) AS place
    FROM (SELECT DISTINCT text FROM "fragment_texts_d61e5c7a")
) AS type_
JOIN "phone_codes_42ce8ab5" AS code_ ON substring(text, place, 1) = code_.code
GROUP BY ALL;

-- relation fragment_verdicts (specs/term_discovery/relations.yaml): Each fragment with its
--   transcription, its word, and the verdicts on it.
CREATE TABLE "fragment_verdicts_b7710e48" AS
WITH gold AS (
    SELECT DISTINCT file, onset AS time, 'onset' AS kind FROM "word_tokens_200c321e"
    UNION ALL
    SELECT DISTINCT file, "offset", 'offset' FROM "word_tokens_200c321e"
),
type_hits AS (
    SELECT text, bool_or(hit) AS type_hit FROM "fragment_words_6c57fb3d" GROUP BY ALL
),
verdicts AS (
    SELECT fragment_.file, fragment_.onset, fragment_."offset", transcription, length(text) AS length,
        word_label, word_onset, word_offset, credited AS token_hit, type_hit,
        first_.time IS NOT NULL AS onset_hit, last_.time IS NOT NULL AS offset_hit
    FROM "fragment_words_6c57fb3d" AS fragment_
    JOIN "transcriptions_5de4bcab" USING (text)
    JOIN type_hits USING (text)
    LEFT JOIN (SELECT *, time AS first_onset FROM gold WHERE kind = 'onset') AS first_
        USING (file, first_onset)
    LEFT JOIN (SELECT *, time AS last_offset FROM gold WHERE kind = 'offset') AS last_
        USING (file, last_offset)
)
SELECT cluster, file, onset, "offset", transcription, length, word_label, word_onset, word_offset,
    token_hit, type_hit, onset_hit, offset_hit
FROM "fragments"
LEFT JOIN verdicts USING (file, onset, "offset");

-- relation cluster_scores (specs/term_discovery/relations.yaml): Each cluster with its size, its types
--   and its NED.
CREATE TABLE "cluster_scores_5442186b" AS
WITH sizes AS (
    SELECT cluster, count(*) AS members, count(DISTINCT text) AS types
    FROM "cluster_members_b8b0eedb"
    GROUP BY ALL
),
pairs AS (
    SELECT cluster, sum(pairs)::BIGINT AS pairs,
        ratio(exact_sum(pairs * if(length = 0, 1, distance / length)), sum(pairs)) AS ned
    FROM "cluster_pairs_d71ec5a6"
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
    FROM "ned_d0ea5b8a"
)
UNION ALL
SELECT 1 AS position, 0 AS variant, breakdown, place, 'coverage' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "coverage_e01626b6"
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
    FROM "grouping_cd6c9bdc"
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
    FROM "type_21e9693c"
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
    FROM "token_90a68e37"
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
    FROM "boundary_d5497f2a"
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
    FROM "sizes_3e6b5bf0"
)
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

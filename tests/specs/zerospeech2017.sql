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

-- relation file_talkers (specs/term_discovery/exact_relations.yaml): The talker of each file.
CREATE TABLE "file_talkers_fb99de15" AS
SELECT file, regexp_extract(file, '', 1) AS talker
FROM (SELECT DISTINCT file FROM "phones")
WHERE '' <> '' AND regexp_matches(file, '');

-- relation fragments_of_fold (specs/term_discovery/relations.yaml): The fragments of each fold, with the
--   clusters in which they make pairs.
CREATE TABLE "fragments_of_fold_3056f93b" AS
SELECT row_.*, talker
FROM "fragments" AS row_
LEFT JOIN "file_talkers_fb99de15" AS talker_ ON talker_.file = row_.file;

-- relation phones_of_fold (specs/term_discovery/relations.yaml): The phones of each fold.
CREATE TABLE "phones_of_fold_0156eeb6" AS
SELECT row_.*, talker
FROM "phones" AS row_
LEFT JOIN "file_talkers_fb99de15" AS talker_ ON talker_.file = row_.file;

-- relation phone_tokens (specs/term_discovery/relations.yaml): The phone tokens of the corpus, numbered
--   within their file.
CREATE TABLE "phone_tokens_fbe98ae6" AS
SELECT file, onset, "offset", label, code, label IN ['SIL', 'SPN']::VARCHAR[] AS silent,
    row_number() OVER (PARTITION BY file ORDER BY onset, "offset") AS phone
FROM "phones_of_fold_0156eeb6"
JOIN "phone_codes_42ce8ab5" USING (label);

-- relation fragment_spans, F_disc (specs/term_discovery/relations.yaml): The distinct fragments as spans
--   of phone numbers, empty where no phone is kept.
CREATE TABLE "fragment_spans_698cc07f" AS
WITH intervals AS (
    SELECT DISTINCT file, onset, "offset" FROM "fragments_of_fold_3056f93b"
),
overlapped AS (
    SELECT interval_.*,
        first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
        last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
    FROM intervals AS interval_
    ASOF LEFT JOIN "phone_tokens_fbe98ae6" AS first_
        ON interval_.file = first_.file
        AND interval_.onset < first_."offset"
    ASOF LEFT JOIN "phone_tokens_fbe98ae6" AS last_
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

-- relation phone_strings (specs/term_discovery/relations.yaml): For each phone, the codes of it and of
--   the 15 that follow.
CREATE TABLE "phone_strings_a86f2001" AS
WITH one AS (SELECT file, phone, onset, code AS codes FROM "phone_tokens_fbe98ae6"),
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
CREATE TABLE "fragment_texts_9d9783ca" AS
WITH transcribed AS (
    SELECT span_."file", span_."onset", span_."offset", span_."first_phone", span_."last_phone", string_.onset AS first_onset,
        left(string_.codes, (last_phone - first_phone + 1)::INTEGER) || coalesce(tail_.codes, '') AS text
    FROM "fragment_spans_698cc07f" AS span_
    LEFT JOIN (
        SELECT long_."file", long_."onset", long_."offset", long_."first_phone", long_."last_phone",
            string_agg(left(string_.codes, (last_phone - piece + 1)::INTEGER), '' ORDER BY piece) AS codes
        FROM (
            SELECT *, unnest(range(first_phone + 16, last_phone + 1, 16)) AS piece
            FROM "fragment_spans_698cc07f"
            WHERE last_phone - first_phone >= 16
        ) AS long_
        JOIN "phone_strings_a86f2001" AS string_
            ON long_.file = string_.file
            AND long_.piece = string_.phone
        GROUP BY ALL
    ) AS tail_ USING ("file", "onset", "offset", "first_phone", "last_phone")
    JOIN "phone_strings_a86f2001" AS string_
        ON span_.file = string_.file
        AND span_.first_phone = string_.phone
    WHERE first_phone <= last_phone
)
SELECT transcribed.*, last_."offset" AS last_offset
FROM transcribed
JOIN "phone_tokens_fbe98ae6" AS last_
    ON last_.file = transcribed.file
    AND last_.phone = transcribed.last_phone;

-- relation cluster_members, C_disc (specs/term_discovery/relations.yaml): The clusters with the
--   transcriptions of their members.
CREATE TABLE "cluster_members_33663840" AS
SELECT cluster, file, onset, "offset", first_phone, last_phone, text
FROM "fragments_of_fold_3056f93b"
JOIN "fragment_texts_9d9783ca" USING (file, onset, "offset");

-- relation cluster_types (specs/term_discovery/relations.yaml): The distinct transcriptions of each
--   cluster, and how many members have each.
CREATE TABLE "cluster_types_d44d04ea" AS
WITH left_out AS (
    SELECT coalesce(string_agg(code, ''), '') AS codes FROM "phone_codes_42ce8ab5" WHERE label IN ['SIL']::VARCHAR[]
)
SELECT cluster, translate(text, codes, '') AS text, count(*) AS members
FROM "cluster_members_33663840", left_out
GROUP BY ALL;

-- relation cluster_pairs, P_disc (specs/term_discovery/relations.yaml): The pairs of members of each
--   cluster, by the edit distance of their transcriptions.
-- "cluster_pairs_rows_fc824121" is what the Python function pairwise_edit_distance makes of the rows of
--   SELECT cluster, text, members AS weight
--   FROM "cluster_types_d44d04ea"
--   ORDER BY cluster
CREATE TABLE "cluster_pairs_87d8345e" AS
SELECT cluster, distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT cluster, distance, length, weight AS pairs
    FROM "cluster_pairs_rows_fc824121"
    UNION ALL
    SELECT cluster, 0, length(text), members * (members - 1) // 2
    FROM "cluster_types_d44d04ea"
    WHERE members > 1
)
GROUP BY ALL;

-- metric ned, statistics per unit (specs/term_discovery/metrics.yaml): How different are the
--   transcriptions of fragments of one cluster? 0 is identical, 1 all different.
CREATE TABLE "ned_units_b0b48cfd" AS
SELECT "cluster",
    exact_sum((if(length = 0, 1, distance / length)) * (pairs)) AS "total",
    sum(pairs) FILTER (WHERE (if(length = 0, 1, distance / length)) IS NOT NULL) AS "pairs"
FROM "cluster_pairs_87d8345e" AS counted_rows
GROUP BY ALL;

-- metric ned, scores (specs/term_discovery/metrics.yaml): How different are the transcriptions of
--   fragments of one cluster? 0 is identical, 1 all different.
CREATE TABLE "ned_f36f2526" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("total"), 0) AS "total",
        coalesce(sum("pairs"), 0) AS "pairs"
    FROM "ned_units_b0b48cfd"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(total, pairs) AS "value",
    pairs AS "pairs",
    nullif(concat_ws(', ', CASE WHEN sums."total" = 0 THEN 'total = 0' END, CASE WHEN sums."pairs" = 0 THEN 'pairs = 0' END), '') AS note
FROM sums;

-- relation phone_coverage, cover(P_disc) (specs/term_discovery/relations.yaml): Each phone token, and
--   whether some fragment's transcription holds it.
CREATE TABLE "phone_coverage_41d1a4e3" AS
WITH reach AS (
    SELECT file, first_phone AS phone, max(last_phone) AS last_phone
    FROM "fragment_texts_9d9783ca"
    GROUP BY ALL
)
SELECT file, onset, "offset", label, silent,
    coalesce(max(last_phone) OVER (PARTITION BY file ORDER BY phone) >= phone, false) AS covered
FROM "phone_tokens_fbe98ae6"
LEFT JOIN reach USING (file, phone);

-- metric coverage, statistics per unit (specs/term_discovery/metrics.yaml): Which part of the corpus'
--   phones is in some fragment?
CREATE TABLE "coverage_units_3beed4a6" AS
SELECT "file",
    count(*) FILTER (WHERE covered) AS "numerator",
    count(*) AS "denominator"
FROM "phone_coverage_41d1a4e3" AS counted_rows
WHERE NOT silent
GROUP BY ALL;

-- metric coverage, scores (specs/term_discovery/metrics.yaml): Which part of the corpus' phones is in
--   some fragment?
CREATE TABLE "coverage_5bf4d69b" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("numerator"), 0) AS "numerator",
        coalesce(sum("denominator"), 0) AS "denominator"
    FROM "coverage_units_3beed4a6"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(numerator, denominator) AS "value",
    nullif(concat_ws(', ', CASE WHEN sums."numerator" = 0 THEN 'numerator = 0' END, CASE WHEN sums."denominator" = 0 THEN 'denominator = 0' END), '') AS note
FROM sums;

-- relation spoken_spans (specs/term_discovery/relations.yaml): The spans of phones that fragments are.
CREATE TABLE "spoken_spans_28ab8e37" AS
SELECT file, first_phone, last_phone, text, first_onset, last_offset, max(onset) AS onset, min("offset") AS "offset"
FROM "fragment_texts_9d9783ca"
GROUP BY ALL;

-- relation span_partners (specs/term_discovery/relations.yaml): The spans of fragments, and whether
--   these have partners anywhere.
CREATE TABLE "span_partners_d3172471" AS
SELECT file, first_phone, last_phone, text, has_partner AS in_gold
FROM (
    SELECT fragment_.*, files > 1 OR earliest_offset <= onset OR latest_onset >= "offset" AS has_partner
    FROM "spoken_spans_28ab8e37" AS fragment_
    JOIN (
        SELECT text, file, min("offset") AS earliest_offset, max(onset) AS latest_onset,
            count(*) OVER (PARTITION BY text) AS files
        FROM "spoken_spans_28ab8e37"
        GROUP BY text, file
    ) USING (text, file)
);

-- relation member_partners (specs/term_discovery/relations.yaml): The members of clusters, and whether
--   each has a partner of equal transcription there.
CREATE TABLE "member_partners_bca482d5" AS
SELECT cluster, file, first_phone, last_phone, has_partner
FROM (
    SELECT fragment_.*, files > 1 OR earliest_offset <= onset OR latest_onset >= "offset" AS has_partner
    FROM "cluster_members_33663840" AS fragment_
    JOIN (
        SELECT cluster, text, file, min("offset") AS earliest_offset, max(onset) AS latest_onset,
            count(*) OVER (PARTITION BY cluster, text) AS files
        FROM "cluster_members_33663840"
        GROUP BY cluster, text, file
    ) USING (cluster, text, file)
);

-- relation clustered_spans (specs/term_discovery/relations.yaml): The spans of the members of clusters,
--   and whether these have partners there.
CREATE TABLE "clustered_spans_b33a618b" AS
WITH sizes AS (
    SELECT cluster, count(*) > 1 AS has_mate FROM "member_partners_bca482d5" GROUP BY ALL
)
SELECT file, first_phone, last_phone, bool_or(has_mate) AS in_found, bool_or(has_partner) AS in_both
FROM "member_partners_bca482d5"
JOIN sizes USING (cluster)
GROUP BY ALL;

-- relation span_sets (specs/term_discovery/relations.yaml): The spans of the members of clusters, and
--   in which sets of pairs each occurs.
CREATE TABLE "span_sets_683556c6" AS
SELECT file, first_phone, last_phone, text, in_found, in_gold, in_both
FROM "span_partners_d3172471"
JOIN "clustered_spans_b33a618b" USING (file, first_phone, last_phone);

-- relation fragment_keys (specs/term_discovery/relations.yaml): Which fragments are the same token in
--   grouping.
CREATE TABLE "fragment_keys_c214b9a3" AS
WITH suspects AS (
    SELECT text, first_onset, last_offset FROM "spoken_spans_28ab8e37" GROUP BY ALL HAVING count(*) > 1
),
timed AS (
    SELECT span_.file, first_phone, last_phone, text,
        string_agg(concat(phone_.onset, ' ', phone_."offset"), ',' ORDER BY phone_.phone) AS times
    FROM (
        SELECT *, unnest(range(first_phone, last_phone + 1)) AS phone
        FROM "spoken_spans_28ab8e37"
        SEMI JOIN suspects USING (text, first_onset, last_offset)
    ) AS span_
    JOIN "phone_tokens_fbe98ae6" AS phone_
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
FROM "spoken_spans_28ab8e37"
LEFT JOIN same USING (file, first_phone, last_phone);

-- relation grouping_tokens, flat(P_clus), flat(P_goldclus) (specs/term_discovery/relations.yaml): The
--   tokens of the fragments, and in which sets of pairs each occurs.
CREATE TABLE "grouping_tokens_295369d6" AS
SELECT text, token_file, token_phone,
    bool_or(in_found) AS in_found, bool_or(in_gold) AS in_gold, bool_or(in_both) AS in_both
FROM "span_sets_683556c6"
JOIN "fragment_keys_c214b9a3" USING (file, first_phone, last_phone)
GROUP BY ALL;

-- metric grouping, statistics per unit (specs/term_discovery/metrics.yaml): Are fragments of equal
--   transcription in one cluster, and only they?
CREATE TABLE "grouping_units_ed5fb945" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE in_both) AS "hits"
FROM "grouping_tokens_295369d6" AS counted_rows
GROUP BY ALL;

-- metric grouping, scores (specs/term_discovery/metrics.yaml): Are fragments of equal transcription in
--   one cluster, and only they?
CREATE TABLE "grouping_24da4017" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "grouping_units_ed5fb945"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation words_of_fold (specs/term_discovery/relations.yaml): The words of each fold.
CREATE TABLE "words_of_fold_3a3c94a3" AS
SELECT row_.*, talker
FROM "words" AS row_
LEFT JOIN "file_talkers_fb99de15" AS talker_ ON talker_.file = row_.file;

-- relation word_tokens, F_goldLex (specs/term_discovery/relations.yaml): The word tokens with their
--   transcriptions.
CREATE TABLE "word_tokens_0e0f37c6" AS
WITH tokens AS (
    SELECT file, onset, "offset", label,
        row_number() OVER (PARTITION BY file ORDER BY onset, "offset", label) AS word,
        max("offset") OVER (PARTITION BY file ORDER BY onset, "offset", label) AS reach
    FROM "words_of_fold_3a3c94a3"
    WHERE label NOT IN ['SIL']::VARCHAR[]
),
overlapped AS (
    SELECT interval_.*,
        first_.phone AS first_phone, first_.onset AS first_onset, first_."offset" AS first_offset,
        last_.phone AS last_phone, last_.onset AS last_onset, last_."offset" AS last_offset
    FROM tokens AS interval_
    ASOF LEFT JOIN "phone_tokens_fbe98ae6" AS first_
        ON interval_.file = first_.file
        AND interval_.onset < first_."offset"
    ASOF LEFT JOIN "phone_tokens_fbe98ae6" AS last_
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
        JOIN "phone_strings_a86f2001" AS string_
            ON long_.file = string_.file
            AND long_.piece = string_.phone
        GROUP BY ALL
    ) AS tail_ USING ("file", "word")
    JOIN "phone_strings_a86f2001" AS string_
        ON span_.file = string_.file
        AND span_.first_phone = string_.phone
    WHERE first_phone <= last_phone
)
SELECT tokens.*, transcribed.text
FROM tokens
LEFT JOIN transcribed USING (file, word);

-- relation fragment_words (specs/term_discovery/relations.yaml): Each fragment with the word that it
--   overlaps most.
CREATE TABLE "fragment_words_3cde6e18" AS
-- words can have `reach` or `onset` in common: the lowest number begins the range, the highest ends it
WITH reaching AS (
    SELECT file, reach, min(word) AS word FROM "word_tokens_0e0f37c6" GROUP BY ALL
),
beginning AS (
    SELECT file, onset, max(word) AS word FROM "word_tokens_0e0f37c6" GROUP BY ALL
),
candidates AS (
    SELECT fragment_."file", fragment_."onset", fragment_."offset", unnest(range(first_.word, last_.word + 1)) AS word
    FROM "fragment_texts_9d9783ca" AS fragment_
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
    JOIN "word_tokens_0e0f37c6" AS word_
        ON candidate_.file = word_.file
        AND candidate_.word = word_.word
    WHERE candidate_.onset < word_."offset" AND candidate_."offset" > word_.onset
    GROUP BY ALL
),
matched AS (
    SELECT fragment_.*, word_.word, word_.onset AS word_onset, word_."offset" AS word_offset,
        word_.label AS word_label, coalesce(fragment_.text = word_.text, false) AS hit
    FROM "fragment_texts_9d9783ca" AS fragment_
    LEFT JOIN chosen USING ("file", "onset", "offset")
    LEFT JOIN "word_tokens_0e0f37c6" AS word_
        ON fragment_.file = word_.file
        AND chosen.word = word_.word
)
SELECT *, hit AND row_number() OVER (PARTITION BY file, word, hit ORDER BY onset, "offset") = 1 AS credited
FROM matched;

-- relation type_outcomes (specs/term_discovery/relations.yaml): The distinct transcriptions of the
--   fragments, and the distinct words.
CREATE TABLE "type_outcomes_dc74ace7" AS
SELECT text AS type, true AS in_found, false AS in_gold, bool_or(hit) AS hit
FROM "fragment_words_3cde6e18"
GROUP BY ALL
UNION ALL
SELECT DISTINCT label AS type, false AS in_found, true AS in_gold, false AS hit
FROM "word_tokens_0e0f37c6";

-- metric type, statistics per unit (specs/term_discovery/metrics.yaml): Were words of the lexicon found,
--   and nothing else?
CREATE TABLE "type_units_07d61f3a" AS
SELECT
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "type_outcomes_dc74ace7" AS counted_rows
GROUP BY ALL;

-- metric type, scores (specs/term_discovery/metrics.yaml): Were words of the lexicon found, and nothing
--   else?
CREATE TABLE "type_dbf12a40" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "type_units_07d61f3a"
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
CREATE TABLE "token_outcomes_ca5de54e" AS
SELECT file, fragment_.onset, fragment_."offset",
    coalesce(fragment_.length, length(word_.text)) AS length,
    coalesce(word_.onset, fragment_.word_onset) AS word_onset,
    coalesce(word_."offset", fragment_.word_offset) AS word_offset,
    coalesce(word_.label, fragment_.word_label) AS word_label,
    CASE WHEN word_.word IS NULL THEN 'false alarm' WHEN fragment_.onset IS NULL THEN 'miss' ELSE 'hit' END AS outcome
FROM (
    SELECT *, length(text) AS length, if(credited, word, NULL) AS hit_word FROM "fragment_words_3cde6e18"
) AS fragment_
FULL JOIN (SELECT *, word AS hit_word FROM "word_tokens_0e0f37c6") AS word_
    USING (file, hit_word);

-- metric token, statistics per unit (specs/term_discovery/metrics.yaml): Were word tokens found exactly?
CREATE TABLE "token_units_97354b5c" AS
SELECT "file",
    count(*) FILTER (WHERE outcome <> 'miss') AS "found",
    count(*) FILTER (WHERE outcome <> 'false alarm') AS "gold",
    count(*) FILTER (WHERE outcome = 'hit') AS "hits"
FROM "token_outcomes_ca5de54e" AS counted_rows
GROUP BY ALL;

-- metric token, scores (specs/term_discovery/metrics.yaml): Were word tokens found exactly?
CREATE TABLE "token_904f841f" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "token_units_97354b5c"
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
CREATE TABLE "boundary_outcomes_b4fb3c88" AS
SELECT file, time,
    bool_or(side = 'found') AS in_found,
    bool_or(side = 'gold') AS in_gold,
    bool_or(side = 'found' AND kind = 'onset') AND bool_or(side = 'gold' AND kind = 'onset')
        OR bool_or(side = 'found' AND kind = 'offset') AND bool_or(side = 'gold' AND kind = 'offset') AS hit
FROM (
    SELECT file, first_onset AS time, 'found' AS side, 'onset' AS kind FROM "fragment_texts_9d9783ca"
    UNION ALL
    SELECT file, last_offset, 'found', 'offset' FROM "fragment_texts_9d9783ca"
    UNION ALL
    SELECT file, onset, 'gold', 'onset' FROM "word_tokens_0e0f37c6"
    UNION ALL
    SELECT file, "offset", 'gold', 'offset' FROM "word_tokens_0e0f37c6"
)
GROUP BY ALL;

-- metric boundary, statistics per unit (specs/term_discovery/metrics.yaml): Do fragments begin and end
--   where words do?
CREATE TABLE "boundary_units_e385eda9" AS
SELECT "file",
    count(*) FILTER (WHERE in_found) AS "found",
    count(*) FILTER (WHERE in_gold) AS "gold",
    count(*) FILTER (WHERE hit) AS "hits"
FROM "boundary_outcomes_b4fb3c88" AS counted_rows
GROUP BY ALL;

-- metric boundary, scores (specs/term_discovery/metrics.yaml): Do fragments begin and end where words
--   do?
CREATE TABLE "boundary_b5b67bc2" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("found"), 0) AS "found",
        coalesce(sum("gold"), 0) AS "gold",
        coalesce(sum("hits"), 0) AS "hits"
    FROM "boundary_units_e385eda9"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(hits, found) AS "precision",
    ratio(hits, gold) AS "recall",
    fscore(precision, recall) AS "fscore",
    nullif(concat_ws(', ', CASE WHEN sums."found" = 0 THEN 'found = 0' END, CASE WHEN sums."gold" = 0 THEN 'gold = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END), '') AS note
FROM sums;

-- relation submission_sizes (specs/term_discovery/relations.yaml): How large what is scored is.
CREATE TABLE "submission_sizes_05d43fe1" AS
SELECT count(DISTINCT cluster) AS clusters, count(*) AS members FROM "fragments_of_fold_3056f93b" GROUP BY ALL
UNION ALL BY NAME
SELECT count(*) AS fragments, count(*) FILTER (WHERE first_phone IS NULL) AS fragments_empty
FROM "fragment_spans_698cc07f"
GROUP BY ALL
UNION ALL BY NAME
SELECT sum(pairs) AS pairs FROM "cluster_pairs_87d8345e" GROUP BY ALL
UNION ALL BY NAME
SELECT count(DISTINCT text) AS types FROM "fragment_texts_9d9783ca" GROUP BY ALL
UNION ALL BY NAME
SELECT count(*) AS words, count(DISTINCT label) AS word_types FROM "word_tokens_0e0f37c6" GROUP BY ALL;

-- metric sizes, statistics per unit (specs/term_discovery/metrics.yaml): How large is what is scored?
CREATE TABLE "sizes_units_82490409" AS
SELECT
    sum(clusters) AS "clusters",
    sum(members) AS "members",
    sum(fragments) AS "fragments",
    sum(fragments_empty) AS "fragments_empty",
    sum(pairs) AS "pairs",
    sum(types) AS "types",
    sum(words) AS "words",
    sum(word_types) AS "word_types"
FROM "submission_sizes_05d43fe1" AS counted_rows
GROUP BY ALL;

-- metric sizes, scores (specs/term_discovery/metrics.yaml): How large is what is scored?
CREATE TABLE "sizes_d1295280" AS
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
    FROM "sizes_units_82490409"
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
CREATE TABLE "transcriptions_3f019ad1" AS
SELECT text, string_agg(label, ' ' ORDER BY place) AS transcription
FROM (
    SELECT *, unnest(range(1, length(text) + 1)) AS place
    FROM (SELECT DISTINCT text FROM "fragment_texts_9d9783ca")
) AS type_
JOIN "phone_codes_42ce8ab5" AS code_ ON substring(text, place, 1) = code_.code
GROUP BY ALL;

-- relation fragment_verdicts (specs/term_discovery/relations.yaml): Each fragment with its
--   transcription, its word, and the verdicts on it.
CREATE TABLE "fragment_verdicts_ad031111" AS
WITH gold AS (
    SELECT DISTINCT file, onset AS time, 'onset' AS kind FROM "word_tokens_0e0f37c6"
    UNION ALL
    SELECT DISTINCT file, "offset", 'offset' FROM "word_tokens_0e0f37c6"
),
type_hits AS (
    SELECT text, bool_or(hit) AS type_hit FROM "fragment_words_3cde6e18" GROUP BY ALL
),
verdicts AS (
    SELECT fragment_.file, fragment_.onset, fragment_."offset", transcription, length(text) AS length,
        word_label, word_onset, word_offset, credited AS token_hit, type_hit,
        first_.time IS NOT NULL AS onset_hit, last_.time IS NOT NULL AS offset_hit
    FROM "fragment_words_3cde6e18" AS fragment_
    JOIN "transcriptions_3f019ad1" USING (text)
    JOIN type_hits USING (text)
    LEFT JOIN (SELECT *, time AS first_onset FROM gold WHERE kind = 'onset') AS first_
        USING (file, first_onset)
    LEFT JOIN (SELECT *, time AS last_offset FROM gold WHERE kind = 'offset') AS last_
        USING (file, last_offset)
)
SELECT cluster, file, onset, "offset", transcription, length, word_label, word_onset, word_offset,
    token_hit, type_hit, onset_hit, offset_hit
FROM "fragments_of_fold_3056f93b"
LEFT JOIN verdicts USING (file, onset, "offset");

-- relation cluster_scores (specs/term_discovery/relations.yaml): Each cluster with its size, its types
--   and its NED.
CREATE TABLE "cluster_scores_92e69e2e" AS
WITH sizes AS (
    SELECT cluster, count(*) AS members, count(DISTINCT text) AS types
    FROM "cluster_members_33663840"
    GROUP BY ALL
),
pairs AS (
    SELECT cluster, sum(pairs)::BIGINT AS pairs,
        ratio(exact_sum(pairs * if(length = 0, 1, distance / length)), sum(pairs)) AS ned
    FROM "cluster_pairs_87d8345e"
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
    FROM "ned_f36f2526"
)
UNION ALL
SELECT 1 AS position, 0 AS variant, breakdown, place, 'coverage' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "coverage_5bf4d69b"
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
    FROM "grouping_24da4017"
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
    FROM "type_dbf12a40"
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
    FROM "token_904f841f"
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
    FROM "boundary_b5b67bc2"
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
    FROM "sizes_d1295280"
)
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

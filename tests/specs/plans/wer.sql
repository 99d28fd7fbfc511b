-- input reference (specs/named_entities/tables.yaml): One row per token of the reference transcript, in
--   the order of the file, with the entity that the token is part of.
CREATE TABLE IF NOT EXISTS "reference" (line BIGINT, "document" VARCHAR, "segment" VARCHAR, "token" VARCHAR, "entity" BIGINT, "tag" VARCHAR, "speaker" VARCHAR, "segment_onset" DOUBLE, "segment_offset" DOUBLE, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR, "alternation" BIGINT, "branch" BIGINT, "number" BIGINT);

-- input hypothesis (specs/named_entities/tables.yaml): One row per token of a recogniser's output, in
--   the order of the file, with the entity that a tagger made it part of.
CREATE TABLE IF NOT EXISTS "hypothesis" (line BIGINT, "document" VARCHAR, "segment" VARCHAR, "token" VARCHAR, "entity" BIGINT, "tag" VARCHAR, "speaker" VARCHAR, "segment_onset" DOUBLE, "segment_offset" DOUBLE, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR, "alternation" BIGINT, "branch" BIGINT, "number" BIGINT);

-- input times (specs/named_entities/tables.yaml): One row per token of the recogniser, with the time at
--   which it was heard. The times place the words in segments and limit the runs of identical words
--   (anchor_window). The words must be those of the hypothesis, so that a tagger that changes words is
--   detected.
CREATE TABLE IF NOT EXISTS "times" (line BIGINT, "document" VARCHAR, "token" VARCHAR, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR);

-- input alignment (specs/named_entities/tables.yaml): One row per block of an alignment that is used in
--   place of an alignment by the engine. The blocks divide both texts in order. Words are counted from 0 in
--   the segment or, if no segment is named, in the document.
CREATE TABLE IF NOT EXISTS "alignment" (line BIGINT, "document" VARCHAR, "segment" VARCHAR, "ref_begin" BIGINT, "ref_end" BIGINT, "hyp_begin" BIGINT, "hyp_end" BIGINT, "ref_word" VARCHAR, "hyp_word" VARCHAR, "number" BIGINT);

-- input pronunciations (specs/named_entities/tables.yaml): One row per word with its phones. If a word
--   has several rows, the first counts. Words without a row get their phones from the spelling rules of the
--   parameter letter_sounds.
CREATE TABLE IF NOT EXISTS "pronunciations" (line BIGINT, "word" VARCHAR, "phones" VARCHAR);

-- relation segments (specs/named_entities/shared/words.yaml)
-- The segments of the reference, numbered from 0 in the order of their document. A document without segments
--   is one segment with the name ''. `ignored`: the segment has the token `ignored_text` and is not scored.
CREATE TABLE "segments_e1a064e8" AS
SELECT document, coalesce(segment, '') AS segment,
    row_number() OVER (PARTITION BY document ORDER BY min(line), min(number)) - 1 AS segment_number,
    min(segment_onset) AS onset, max(segment_offset) AS "offset", coalesce(min(speaker), '') AS speaker, min(channel) AS channel,
    count(segment) > 0 AS named, bool_or(coalesce(token = 'IGNORE_TIME_SEGMENT_IN_SCORING', false)) AS ignored, min(line) AS line
FROM "reference"
GROUP BY document, coalesce(segment, '');

-- relation spellings (specs/named_entities/shared/words.yaml)
-- The distinct tokens of all transcripts, each with the list of words that it is. By the parameters, a token
--   is split at hyphens, punctuation is removed and letters are put in capitals: `Hand-made.` is the words
--   HAND and MADE, `U.S.` is US. A token of punctuation only has no words. `@` is a word that stands for
--   nothing (an empty alternative in the formats of sclite).
CREATE TABLE "spellings_7404ce9c" AS
SELECT token, optional, token <> nfc_normalize(token) AS respelt, list_filter(
    parts,
    lambda word: word <> '') AS words
FROM (
    SELECT token, optional,
        [spelt] AS parts
    FROM (
        SELECT token, FALSE AND token LIKE '(_%)' AS optional,
            nfc_normalize(if(optional, token[2:-2], token)) AS plain,
            upper(plain) AS spelt
        FROM (
            SELECT token FROM "reference"
            UNION SELECT token FROM "hypothesis"
            UNION SELECT token FROM "times"
        )
        WHERE token IS NOT NULL
    )
);

-- relation reference_lexemes (specs/named_entities/shared/words.yaml)
-- The words of the reference in segments that are scored, including the words of all alternatives: in `{ a /
--   b }`, both a and b.
CREATE TABLE "reference_lexemes_3d7447c7" AS
SELECT word_.document, segment_number, word_.line, number, part, word, optional, entity, alternation, branch,
    word_.onset, duration
FROM (
    SELECT token_.* REPLACE (coalesce(number, line) AS number), word, part, optional
    FROM "reference" AS token_
    JOIN (
        SELECT token, optional, unnest(words) AS word, unnest(range(len(words))) AS part
        FROM "spellings_7404ce9c"
    ) AS spelling_ USING (token)
) AS word_
JOIN "segments_e1a064e8" AS segment_
    ON word_.document = segment_.document AND coalesce(word_.segment, '') = segment_.segment AND NOT ignored;

-- relation segment_faults (specs/named_entities/shared/words.yaml)
-- The documents and segments that are in only one of the two files, and the inputs that the chosen alignment
--   cannot handle, each with an error message. There must be no rows; while there are any, nothing is
--   aligned.
CREATE TABLE "segment_faults_d5f5ef97" AS
WITH hypothesis_segments AS (
    SELECT document, coalesce(segment, '') AS segment, min(line) AS line, count(segment) > 0 AS named,
        bool_or(onset IS NOT NULL) AS timed
    FROM "hypothesis"
    GROUP BY ALL
),
documents AS (
    SELECT document, ref_.line AS ref_line, hyp_.line AS hyp_line, ref_.named AS ref_named, hyp_.named AS hyp_named,
        ref_.timed AND hyp_.timed AS timed
    FROM (SELECT document, min(line) AS line, bool_or(named) AS named, bool_or("offset" IS NOT NULL) AS timed
        FROM "segments_e1a064e8" GROUP BY ALL) AS ref_
    FULL JOIN (SELECT document, min(line) AS line, bool_or(named) AS named, bool_or(timed) AS timed
        FROM hypothesis_segments GROUP BY ALL) AS hyp_ USING (document)
)
SELECT 'reference' AS side, ref_line AS line, concat('document ', document, ' is not in the hypothesis') AS fault
FROM documents
WHERE hyp_line IS NULL
UNION ALL
SELECT 'hypothesis', hyp_line, concat('document ', document, ' is not in the reference')
FROM documents
WHERE ref_line IS NULL
UNION ALL
SELECT 'hypothesis', hyp_line, concat('document ', document, CASE
    WHEN hyp_named THEN ' has segments, and in the reference it has none'
    ELSE ' has no segments; in the reference it has, and both sides need times to part it' END,
    '; to align it as a whole set align_within=document')
FROM documents
WHERE (hyp_named AND NOT ref_named) OR (ref_named AND NOT hyp_named AND NOT timed)
UNION ALL
SELECT side, line, concat('segment ', segment, ' of document ', document, ' is not in the ',
    if(side = 'reference', 'hypothesis', 'reference'))
FROM (
    SELECT if(hyp_.line IS NULL, 'reference', 'hypothesis') AS side, coalesce(ref_.line, hyp_.line) AS line, segment, document
    FROM "segments_e1a064e8" AS ref_
    FULL JOIN hypothesis_segments AS hyp_ USING (document, segment)
    WHERE ref_.line IS NULL OR (hyp_.line IS NULL AND NOT ignored)
)
JOIN documents USING (document)
WHERE ref_named AND hyp_named;

-- relation hypothesis_lexemes (specs/named_entities/shared/words.yaml)
-- The words of the hypothesis, including the words of all alternatives, each with its segment of the
--   reference. A word belongs to the segment of the same name. Without a name, the midpoint of its time
--   decides, as in sclite: it belongs to the first segment that ends after the midpoint, and behind the last
--   end to the last segment. With segments at 0–2 s and 3–5 s, a word with its midpoint at 2.5 s is in the
--   second. With align_within = document, words have no segment. There are no rows while documents or
--   segments of the two files differ (segment_faults).
CREATE TABLE "hypothesis_lexemes_6254d8ce" AS
WITH unplaced AS (
    SELECT token_.* REPLACE (coalesce(number, line) AS number), word, part, optional
    FROM "hypothesis" AS token_
    JOIN (
        SELECT token, optional, unnest(words) AS word, unnest(range(len(words))) AS part
        FROM "spellings_7404ce9c"
    ) AS spelling_ USING (token)
    WHERE NOT EXISTS (FROM "segment_faults_d5f5ef97")
)
, named AS (
    SELECT unplaced.*, segment_number, ignored
    FROM unplaced
    LEFT JOIN "segments_e1a064e8" AS segment_
        ON unplaced.document = segment_.document AND coalesce(unplaced.segment, '') = segment_.segment
),
timed AS (
    SELECT word_.* EXCLUDE (middle, side) REPLACE (ending_.segment_number AS segment_number, ending_.ignored AS ignored)
    FROM (
        SELECT *, onset + coalesce(duration, 0) / 2e0 AS middle,
            if(document IN (SELECT document FROM "segments_e1a064e8" WHERE channel IS NOT NULL), coalesce(channel, ''), '') AS side
        FROM named
        WHERE segment_number IS NULL
    ) AS word_
    ASOF JOIN (
        SELECT *, coalesce(channel, '') AS side,
            if(segment_number = max(segment_number) OVER (PARTITION BY document, channel), 'inf'::DOUBLE, "offset") AS ending
        FROM "segments_e1a064e8"
        WHERE "offset" IS NOT NULL
    ) AS ending_ ON word_.document = ending_.document AND word_.side = ending_.side AND middle < ending
)
SELECT document, segment_number, line, number, part, word, optional, entity, alternation, branch, onset, duration
FROM (FROM named WHERE segment_number IS NOT NULL UNION ALL FROM timed)
WHERE NOT ignored;

-- relation chosen_branches (specs/named_entities/shared/words.yaml)
-- One row per alternation, with the alternative that is scored: those of both texts that together give the
--   alignment with the least cost.
-- "chosen_branches_rows_929c2adc" is what the Python function cheapest_branches makes of the rows of
--   WITH words AS (
--       SELECT 0 AS side, document, segment_number, number, part, word AS text, optional, alternation, branch FROM "reference_lexemes_3d7447c7"
--       UNION ALL
--       SELECT 1, document, segment_number, number, part, word, optional, alternation, branch FROM "hypothesis_lexemes_6254d8ce"
--   )
--   SELECT document, segment_number, side, text, optional,
--       coalesce(alternation, -1) AS alternation, coalesce(branch, -1) AS branch
--   FROM words
--   SEMI JOIN (FROM words WHERE alternation IS NOT NULL) AS parted USING (document, segment_number)
--   ORDER BY document, segment_number, side, number, part
CREATE TABLE "chosen_branches_70ed6d4e" AS
FROM "chosen_branches_rows_929c2adc";

-- relation segment_spans (specs/named_entities/shared/words.yaml)
-- The segments, each with its number of words on both sides and the position of its first word in the
--   document on both sides. Words of alternatives count only if their branch was chosen.
CREATE TABLE "segment_spans_32706aa2" AS
SELECT document, segment, segment_number, speaker, onset, "offset", ref_words, hyp_words,
    (sum(ref_words) OVER upto - ref_words)::BIGINT AS ref_first,
    (sum(hyp_words) OVER upto - hyp_words)::BIGINT AS hyp_first
FROM (
    SELECT * EXCLUDE (words), coalesce(ref_.words, 0) AS ref_words, coalesce(hyp_.words, 0) AS hyp_words
    FROM "segments_e1a064e8"
    LEFT JOIN (
        SELECT document, segment_number, count(*) AS words
        FROM (
            SELECT *
            FROM "reference_lexemes_3d7447c7"
            WHERE word <> '@' AND (alternation IS NULL OR (document, segment_number, alternation, branch) IN (
                SELECT document, segment_number, alternation, branch FROM "chosen_branches_70ed6d4e" WHERE side = 0))
        )
        GROUP BY ALL
    ) AS ref_ USING (document, segment_number)
    LEFT JOIN (
        SELECT document, segment_number, count(*) AS words
        FROM (
            SELECT *
            FROM "hypothesis_lexemes_6254d8ce"
            WHERE word <> '@' AND (alternation IS NULL OR (document, segment_number, alternation, branch) IN (
                SELECT document, segment_number, alternation, branch FROM "chosen_branches_70ed6d4e" WHERE side = 1))
        )
        GROUP BY ALL
    ) AS hyp_ USING (document, segment_number)
)
WINDOW upto AS (PARTITION BY document ORDER BY segment_number ROWS UNBOUNDED PRECEDING);

-- relation reference_words (specs/named_entities/shared/words.yaml)
-- The words of the reference that are aligned, numbered from 0 within their document, with the midpoint of
--   their time. A word without a time gets an estimate: word k of the K words of a segment is at (k + 0.5) /
--   K of its duration, k counted from 0. In a segment of 10 words from 20 to 30 s, the third word is at 22.5
--   s.
CREATE TABLE "reference_words_35e33ecb" AS
SELECT document, ref_first + segment_position AS position, segment, segment_number, segment_position, word, entity,
    optional, line, coalesce(word_.onset + coalesce(duration, 0) / 2e0,
        span_.onset + (segment_position + 0.5e0) / ref_words * (span_."offset" - span_.onset)) AS time
FROM (
    SELECT *, row_number() OVER (PARTITION BY document, segment_number ORDER BY number, part) - 1 AS segment_position
    FROM (
        SELECT *
        FROM "reference_lexemes_3d7447c7"
        WHERE word <> '@' AND (alternation IS NULL OR (document, segment_number, alternation, branch) IN (
            SELECT document, segment_number, alternation, branch FROM "chosen_branches_70ed6d4e" WHERE side = 0))
    )
) AS word_
JOIN "segment_spans_32706aa2" AS span_ USING (document, segment_number);

-- relation hypothesis_words (specs/named_entities/shared/words.yaml)
-- The words of the hypothesis that are aligned, numbered from 0 within their document, with the midpoint of
--   their time, NULL where the input has no times.
CREATE TABLE "hypothesis_words_8616e30a" AS
SELECT document, hyp_first + segment_position AS position, segment, segment_number, segment_position, word, entity,
    optional, line, word_.onset + coalesce(duration, 0) / 2e0 AS time
FROM (
    SELECT *, row_number() OVER (PARTITION BY document, segment_number ORDER BY number, part) - 1 AS segment_position
    FROM (
        SELECT *
        FROM "hypothesis_lexemes_6254d8ce"
        WHERE word <> '@' AND (alternation IS NULL OR (document, segment_number, alternation, branch) IN (
            SELECT document, segment_number, alternation, branch FROM "chosen_branches_70ed6d4e" WHERE side = 1))
    )
) AS word_
JOIN "segment_spans_32706aa2" AS span_ USING (document, segment_number);

-- relation edit_blocks (specs/named_entities/shared/alignment.yaml)
-- One row per block of the alignment of single words with the least cost, with ties broken as sclite does
--   (aligner=sclite).
-- "edit_blocks_rows_6d00e55a" is what the Python function cheapest_edits makes of the rows of
--   SELECT document, unit, side, word AS text, optional
--   FROM (
--       SELECT document, segment_number AS unit, 0 AS side, position, word, optional FROM "reference_words_35e33ecb"
--       UNION ALL
--       SELECT document, segment_number, 1, position, word, optional FROM "hypothesis_words_8616e30a"
--   )
--   ORDER BY document, unit, side, position
CREATE TABLE "edit_blocks_611a620d" AS
FROM "edit_blocks_rows_6d00e55a";

-- relation blocks (specs/named_entities/shared/alignment.yaml)
-- The alignment: the blocks of each document, which divide the words of both texts in order. A block has one
--   word on each side (a pair), words on one side only (a deletion or an insertion), or several on a side (a
--   split or merge). The source is the input `alignment`, or the aligner that the parameters choose, with the
--   anchors. `correct`: the block is a pair of equal words. A word that may be left out (`optional_words`)
--   and is left out is correct too. `correct_before` is the number of correct blocks before this one in the
--   document: the word errors between two blocks are then a difference of two numbers.
CREATE TABLE "blocks_55a4691b" AS
WITH parted AS (
    SELECT document, unit AS segment_number,
        (sum("left") OVER upto)::BIGINT AS ref_end, ref_end - "left" AS ref_begin,
        (sum("right") OVER upto)::BIGINT AS hyp_end, hyp_end - "right" AS hyp_begin, row_number() OVER upto - 1 AS block,
        correct, count_if(correct) OVER upto - correct::BIGINT AS correct_before
    FROM (
        SELECT document, unit, false AS anchored, block, "left", "right", correct FROM "edit_blocks_611a620d"
    )
    WINDOW upto AS (PARTITION BY document ORDER BY unit, anchored, block ROWS UNBOUNDED PRECEDING)
)
SELECT placed.* EXCLUDE (segment_number), segment, speaker
FROM parted AS placed
JOIN "segments_e1a064e8" USING (document, segment_number);

-- relation reference_tagged (specs/named_entities/shared/words.yaml)
-- The tagged entities of the reference, with their type and with the positions of their words after
--   normalisation. The flags mark entities that are refused: tokens with different tags, tokens in different
--   segments, or other words between their words.
CREATE TABLE "reference_tagged_e67d9507" AS
WITH types AS (
    SELECT upper(trim(split_part(entry, '=', 1))) AS tag, trim(split_part(entry, '=', 2)) AS type
    FROM (SELECT unnest(['ENAMEX PERSON=PERSON', 'ENAMEX ORGANIZATION=ORGANIZATION', 'ENAMEX LOCATION=LOCATION', 'TIMEX DATE=DATE', 'TIMEX TIME=TIME', 'NUMEX MONEY=MONEY', 'NUMEX PERCENT=PERCENT', 'P=PERSON', 'O=ORGANIZATION', 'L=LOCATION', 'D=DATE', 'T=TIME', 'M=MONEY', 'PER=PERSON', 'ORG=ORGANIZATION', 'LOC=LOCATION', 'PERSON=PERSON', 'ORGANIZATION=ORGANIZATION', 'LOCATION=LOCATION', 'DATE=DATE', 'TIME=TIME', 'MONEY=MONEY', 'PERCENT=PERCENT']::VARCHAR[]) AS entry)
),
entities AS (
    SELECT document, entity, min(tag) AS tag, count(DISTINCT tag) AS tags, min(line) AS line,
        count(DISTINCT coalesce(segment, '')) AS segments
    FROM "reference"
    WHERE entity IS NOT NULL
    GROUP BY ALL
),
kept AS (
    SELECT document, entity, min(position) AS first, max(position) + 1 AS last, count(*) AS words
    FROM "reference_words_35e33ecb"
    WHERE entity IS NOT NULL
    GROUP BY ALL
)
SELECT document, entity, entities.tag, line, coalesce(types.type, if(other_.type IS NOT NULL, upper(entities.tag), NULL)) AS type,
    first, last, coalesce(words, 0) AS words, tags > 1 AS two_tags, segments > 1 AS two_segments,
    coalesce(last - first > words, false) AS parted
FROM entities
LEFT JOIN kept USING (document, entity)
LEFT JOIN types ON types.tag = upper(entities.tag)
LEFT JOIN types AS other_ ON other_.tag = '*';

-- relation reference_entities (specs/named_entities/shared/words.yaml)
-- The entities of the reference that have at least one word, numbered from 0 within their document by their
--   first word.
CREATE TABLE "reference_entities_7a15f6dc" AS
SELECT tagged_.document, row_number() OVER (PARTITION BY tagged_.document ORDER BY first) - 1 AS entity, type, first, last,
    segment_.segment, speaker
FROM "reference_tagged_e67d9507" AS tagged_
JOIN "reference_words_35e33ecb" AS word_ ON tagged_.document = word_.document AND first = position
LEFT JOIN "segments_e1a064e8" AS segment_ ON word_.document = segment_.document AND word_.segment_number = segment_.segment_number;

-- relation word_outcomes (specs/named_entities/shared/words.yaml)
-- The blocks of the alignment with their numbers of correct words, substitutions, deletions and insertions,
--   from which the word error rate is computed. A split or merge of m reference and n hypothesis words is
--   min(m, n) substitutions and |m − n| deletions or insertions. `region` is inside when the block has a word
--   of an entity of the reference or lies between two of its words, else outside.
CREATE TABLE "word_outcomes_3d41c9d4" AS
SELECT block_.document, block_.segment, block_.speaker, if(coalesce(ref_begin < last, false), 'inside', 'outside') AS region,
    correct::INTEGER AS correct, ref_end - ref_begin AS words,
    if(correct, 0, least(ref_end - ref_begin, hyp_end - hyp_begin)) AS substitutions,
    if(correct, 0, greatest(ref_end - ref_begin - (hyp_end - hyp_begin), 0)) AS deletions,
    if(correct, 0, greatest(hyp_end - hyp_begin - (ref_end - ref_begin), 0)) AS insertions
FROM "blocks_55a4691b" AS block_
ASOF LEFT JOIN "reference_entities_7a15f6dc" AS entity_ ON block_.document = entity_.document AND ref_end > first;

-- metric wer, statistics per unit (specs/named_entities/shared/wer.yaml)
-- Word error rate: (substitutions + deletions + insertions) / words of the reference, over the alignment of
--   both texts. 0 is perfect; it exceeds 1 when many words are inserted.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "wer_units_15f33896" AS
SELECT "region", "document", "segment",
    sum(correct) AS "correct",
    sum(substitutions) AS "substitutions",
    sum(deletions) AS "deletions",
    sum(insertions) AS "insertions",
    sum(words) AS "words"
FROM "word_outcomes_3d41c9d4" AS counted_rows
GROUP BY ALL;

-- metric wer, scores (specs/named_entities/shared/wer.yaml)
-- Word error rate: (substitutions + deletions + insertions) / words of the reference, over the alignment of
--   both texts. 0 is perfect; it exceeds 1 when many words are inserted.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "wer_df059348" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        NULL AS "region",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("substitutions"), 0) AS "substitutions",
        coalesce(sum("deletions"), 0) AS "deletions",
        coalesce(sum("insertions"), 0) AS "insertions",
        coalesce(sum("words"), 0) AS "words"
    FROM "wer_units_15f33896"
    GROUP BY ALL
    UNION ALL
    SELECT
        json_object() AS scope,
        json_object('region', "region") AS slice,
        1 AS breakdown,
        "region" AS "region",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("substitutions"), 0) AS "substitutions",
        coalesce(sum("deletions"), 0) AS "deletions",
        coalesce(sum("insertions"), 0) AS "insertions",
        coalesce(sum("words"), 0) AS "words"
    FROM "wer_units_15f33896"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(substitutions + deletions + insertions, words) AS "value",
    ratio(correct, words) AS "word_correctness",
    correct AS "correct",
    substitutions AS "substitutions",
    deletions AS "deletions",
    insertions AS "insertions",
    words AS "words",
    nullif(concat_ws(', ', CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."substitutions" = 0 THEN 'substitutions = 0' END, CASE WHEN sums."deletions" = 0 THEN 'deletions = 0' END, CASE WHEN sums."insertions" = 0 THEN 'insertions = 0' END, CASE WHEN sums."words" = 0 THEN 'words = 0' END), '') AS note
FROM sums;

-- relation aligned_words (specs/named_entities/shared/evidence.yaml)
-- The blocks of the alignment with the words of both sides as text. The outcome is correct, substituted,
--   deleted, inserted, or split or merged.
CREATE TABLE "aligned_words_2b42b788" AS
SELECT block_.document, segment, speaker, block, ref_begin, ref_end, hyp_begin, hyp_end, ref_words, hyp_words, CASE
        WHEN correct THEN 'correct'
        WHEN ref_begin = ref_end THEN 'inserted'
        WHEN hyp_begin = hyp_end THEN 'deleted'
        WHEN ref_end - ref_begin = 1 AND hyp_end - hyp_begin = 1 THEN 'substituted'
        ELSE 'split or merged'
    END AS outcome
FROM "blocks_55a4691b" AS block_
LEFT JOIN (
    SELECT said_.document, block, string_agg(word, ' ' ORDER BY position) AS ref_words
    FROM "reference_words_35e33ecb" AS said_
    ASOF JOIN (FROM "blocks_55a4691b" WHERE ref_begin < ref_end) AS of_ ON said_.document = of_.document AND position >= ref_begin
    GROUP BY ALL
) AS ref_ USING (document, block)
LEFT JOIN (
    SELECT said_.document, block, string_agg(word, ' ' ORDER BY position) AS hyp_words
    FROM "hypothesis_words_8616e30a" AS said_
    ASOF JOIN (FROM "blocks_55a4691b" WHERE hyp_begin < hyp_end) AS of_ ON said_.document = of_.document AND position >= hyp_begin
    GROUP BY ALL
) AS hyp_ USING (document, block);

-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
SELECT 0 AS position, 0 AS variant, breakdown, place, 'wer' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
        {'place': 1, 'component': 'word_correctness', 'value': "word_correctness"::DOUBLE},
        {'place': 2, 'component': 'correct', 'value': "correct"::DOUBLE},
        {'place': 3, 'component': 'substitutions', 'value': "substitutions"::DOUBLE},
        {'place': 4, 'component': 'deletions', 'value': "deletions"::DOUBLE},
        {'place': 5, 'component': 'insertions', 'value': "insertions"::DOUBLE},
        {'place': 6, 'component': 'words', 'value': "words"::DOUBLE}
    ], recursive := true)
    FROM "wer_df059348"
)
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

-- ## steps of cer
Suite_cer, SQL_macros_that_the_steps_use, ratio, finite, remark, slice_order, reference, hypothesis, times,
metadata, segments, text_checks, written_words, word_characters, chosen_branches, words, edit_blocks, blocks,
word_outcomes, cer_units, segment_speakers, cer, aligned_words, word_errors, changed_words, the_scores

-- ## steps of formatting
Suite_formatting, cer.SQL_macros_that_the_steps_use, cer.ratio, fscore, cer.finite, cer.remark,
cer.slice_order, cer.reference, cer.hypothesis, cer.times, cer.metadata, cer.segments, text_checks,
written_words, chosen_branches, words, edit_blocks, blocks, word_outcomes, wer_units, cer.segment_speakers,
wer, written_tokens, formatted_words, token_signs, word_signs, paired_words, sign_outcomes, punctuation_units,
punctuation, capitals_units, capitals, written_words_2, chosen_branches_2, words_2, edit_blocks_2, blocks_2,
word_outcomes_2, wer_units_2, wer_2, formatting, cer.aligned_words, cer.word_errors, cer.changed_words,
the_scores

-- ## steps of meeting
Suite_meeting, cer.SQL_macros_that_the_steps_use, cer.ratio, cer.finite, cer.remark, cer.slice_order,
reference, hypothesis, glm, uem, utterances, meeting_faults, written_words, stream_words, streams,
cp_distances, cp_assignment, cp_blocks, cp_outcomes, cpwer_units, cpwer, untimed_documents, tcp_words,
tcp_distances, tcp_assignment, tcp_blocks, tcp_outcomes, tcpwer_units, tcpwer, orc_sizes, orc_first_streams,
orc_best_division, orc_division, orc_utterances, orc_blocks, orc_outcomes, orcwer_units, orcwer, cp_alignment,
the_scores

-- ## steps of mixed
Suite_mixed, cer.SQL_macros_that_the_steps_use, cer.ratio, cer.finite, cer.remark, cer.slice_order,
cer.reference, cer.hypothesis, cer.times, cer.metadata, cer.segments, text_checks, cer.written_words,
characters_and_words, chosen_branches, words, cer.edit_blocks, cer.blocks, cer.word_outcomes, mixed_units,
cer.segment_speakers, mixed, cer.aligned_words, cer.word_errors, cer.changed_words, the_scores

-- ## steps of muc_ne
Suite_muc_ne, cer.SQL_macros_that_the_steps_use, formatting.fscore, cer.ratio, cer.finite, cer.remark,
cer.slice_order, cer.reference, cer.hypothesis, cer.times, pronunciations, cer.metadata, cer.segments,
formatting.text_checks, written_words, chosen_branches, words, tagged_entities, text_entities, word_sounds,
phonetic_blocks, blocks, aligned_entities, compared_pairs, mapped_pairs, entity_outcomes, slot_outcomes,
slots_units, cer.segment_speakers, slots, entities_units, entities, muc_errors_units, muc_errors, entities_2,
confusion, cer.aligned_words, the_scores

-- ## steps of multi_reference
Suite_multi_reference, cer.SQL_macros_that_the_steps_use, cer.ratio, cer.finite, cer.remark, cer.slice_order,
reference, hypothesis, cer.times, cer.metadata, compared_texts, reference_tokens, scored_tokens, segments,
text_checks, written_words, muc_ne.chosen_branches, muc_ne.words, edit_blocks, cer.blocks, word_outcomes,
wer_units, wer, reference_errors, best_segments, best_segment_units, best_segment, best_recordings,
best_recording_units, best_recording, annotators_units, annotators, aligned_words, the_scores

-- ## steps of speech_ne
Suite_speech_ne, cer.SQL_macros_that_the_steps_use, formatting.fscore, cer.ratio, cer.finite, cer.remark,
cer.slice_order, cer.reference, cer.hypothesis, cer.times, muc_ne.pronunciations, cer.metadata, cer.segments,
formatting.text_checks, muc_ne.written_words, muc_ne.chosen_branches, muc_ne.words, muc_ne.tagged_entities,
muc_ne.text_entities, muc_ne.word_sounds, muc_ne.phonetic_blocks, muc_ne.blocks, muc_ne.aligned_entities,
compared_pairs, muc_ne.mapped_pairs, entity_outcomes, slot_outcomes, muc_ne.slots_units, cer.segment_speakers,
muc_ne.slots, muc_ne.entities_units, muc_ne.entities, entities_2, muc_ne.confusion, cer.aligned_words,
the_scores

-- ## steps of wer
Suite_wer, cer.SQL_macros_that_the_steps_use, cer.ratio, cer.finite, cer.remark, cer.slice_order,
cer.reference, cer.hypothesis, cer.times, cer.metadata, cer.segments, formatting.text_checks,
cer.written_words, muc_ne.chosen_branches, muc_ne.words, multi_reference.edit_blocks, cer.blocks,
cer.word_outcomes, wer_units, cer.segment_speakers, wer, cer.aligned_words, cer.word_errors,
cer.changed_words, the_scores

-- ## steps of wordlists
Suite_wordlists, cer.SQL_macros_that_the_steps_use, cer.ratio, exact_sum, formatting.fscore, cer.finite,
cer.remark, cer.slice_order, cer.reference, cer.hypothesis, lists, cer.times, cer.metadata, cer.segments,
formatting.text_checks, written_words, muc_ne.chosen_branches, muc_ne.words, multi_reference.edit_blocks,
cer.blocks, cer.word_outcomes, wer.wer_units, cer.segment_speakers, wer.wer, list_phrases, list_occurrences,
list_word_outcomes, b_wer_units, b_wer, u_wer_units, u_wer, list_outcomes, list_counts, phrases_units,
phrases, cer.aligned_words, cer.word_errors, cer.changed_words, the_scores

-- ## cer.Suite_cer
-- Suite cer: Character error rate: the number of substituted, deleted and inserted characters, divided by the
--   number of characters of the reference. The alignment has the fewest errors.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, times, metadata (not read:
--   transcript, alignment, pronunciations, glm); also the tables …_rows_…, which Python functions make
-- Order: each of the 15 steps reads inputs and steps above it. Metrics: word_outcomes → cer

-- ## cer.SQL_macros_that_the_steps_use
-- SQL macros that the steps use

-- ## cer.ratio
-- Quotient a / b as a DOUBLE. It is NULL if b is 0; the score is then undefined.
CREATE OR REPLACE MACRO ratio(a, b) AS (
    (a)::DOUBLE / nullif((b)::DOUBLE, 0)
);

-- ## cer.finite
-- The value x, or NULL if x is infinite or not a number. The results table scores has only finite values.
CREATE OR REPLACE MACRO finite(x) AS (
    if(isfinite(x), x, NULL)
);

-- ## cer.remark
-- Note in the results table scores on a component with the value x: the reason why x is undefined, or that x is infinite. If x is a finite number, it keeps only a note of the form "defined in 3 of 4 units".
CREATE OR REPLACE MACRO remark(x, note) AS (
    CASE
    WHEN x IS NULL THEN concat('undefined', ': ' || note)
    WHEN isnan(x) THEN 'undefined: not a number'
    WHEN isinf(x) THEN if(x > 0, 'infinite', 'minus infinite')
    WHEN note LIKE 'defined in%' THEN note
    END
);

-- ## cer.slice_order
-- Key by which rows of scores are ordered: for each column of a slice its name and its value. Numbers are ordered as numbers, also those that a file has as text, and come before other texts. A column without a value comes last.
CREATE OR REPLACE MACRO slice_order(slice) AS (
    list_transform(list_zip(json_keys(slice), json_extract_string(slice, '$.*')), lambda pair: {
        'name': pair[1],
        'number': if(regexp_full_match(pair[2], '-?\d+(\.\d+)?([eE][-+]?\d+)?|-Infinity'),
            coalesce(try_cast(pair[2] AS DOUBLE), 'Infinity'), 'Infinity'),
        'text': pair[2]
    })
);

-- ## cer.reference
-- input reference (specs/transcripts/tables.yaml): One row per token of the reference transcript, in the
--   order of the file, with the entity that contains the token. The transcript of one recording, or one text,
--   is a document.
CREATE TABLE IF NOT EXISTS "reference" (line BIGINT, "document" VARCHAR, "segment" VARCHAR, "token" VARCHAR, "entity" BIGINT, "tag" VARCHAR, "speaker" VARCHAR, "segment_onset" DOUBLE, "segment_offset" DOUBLE, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR, "alternation" BIGINT, "branch" BIGINT, "number" BIGINT, "attached" BOOLEAN);

-- ## cer.hypothesis
-- input hypothesis (specs/transcripts/tables.yaml): Words that a recogniser put out, one row per token,
--   in the order of the file; with entities, if a tagger has marked some.
CREATE TABLE IF NOT EXISTS "hypothesis" (line BIGINT, "document" VARCHAR, "segment" VARCHAR, "token" VARCHAR, "entity" BIGINT, "tag" VARCHAR, "speaker" VARCHAR, "segment_onset" DOUBLE, "segment_offset" DOUBLE, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR, "alternation" BIGINT, "branch" BIGINT, "number" BIGINT, "attached" BOOLEAN);

-- ## cer.times
-- input times (specs/transcripts/tables.yaml): One row per token of the output of a recogniser, with its
--   time. The times assign words to segments, and limit the distance of runs of identical words
--   (anchor_window). This input must have the same words as the hypothesis, so that a tagger that changes
--   words is detected.
CREATE TABLE IF NOT EXISTS "times" (line BIGINT, "document" VARCHAR, "token" VARCHAR, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR, "alternation" BIGINT, "branch" BIGINT);

-- ## cer.metadata
-- input metadata (specs/transcripts/tables.yaml): One row per document, with properties of any name,
--   such as gender or channel. --by may name any column of this table.
CREATE TABLE IF NOT EXISTS "metadata" (line BIGINT, "document" VARCHAR, "speaker" VARCHAR);

-- ## cer.segments
-- relation segments (specs/transcripts/shared/words.yaml)
-- The segments of the reference, numbered from 0 in the order of their document. A document without segments
--   is one segment with the name ''. `ignored`: the segment has the token `ignored_text`, in capital or small
--   letters, with or without its underscores, and is not scored.
-- The speaker is the first that is known: of the input `metadata`; by the parameter `speaker_pattern`, in the
--   name of the segment or else of the document; of the reference; and the document, if it is the beginning
--   of the name of its segments (`named_after`), and at least two such documents have at least two segments.
--   Fewer than 6 segments have no intervals, so that their speakers are not in doubt.
CREATE TABLE "segments" AS
WITH named AS (
    SELECT *, coalesce(nullif(regexp_extract(segment, '', 1), ''),
            nullif(regexp_extract(document, '', 1), '')) AS matched_speaker,
        starts_with(segment, document) AND substr(segment, length(document) + 1, 1) IN ('', '-', '_') AS named_after
    FROM (
        SELECT document, coalesce(segment, '') AS segment,
            row_number() OVER (PARTITION BY document ORDER BY min(coalesce(number, line))) - 1 AS segment_number,
            min(segment_onset) AS onset, max(segment_offset) AS "offset", min(channel) AS channel, count(segment) > 0 AS named,
            bool_or(coalesce(upper(token) IN (upper('IGNORE_TIME_SEGMENT_IN_SCORING'), replace(upper('IGNORE_TIME_SEGMENT_IN_SCORING'), '_', '')), false)) AS ignored,
            min(speaker) AS first_speaker, max(speaker) AS last_speaker, min(line) AS line
        FROM "reference"
        GROUP BY document, coalesce(segment, '')
    )
),
spoken AS (
    SELECT named.*, coalesce(metadata_.speaker, matched_speaker, first_speaker) AS known_speaker,
        if(named_after AND 1 < (
            SELECT count(*)
            FROM (SELECT document FROM named WHERE named_after AND first_speaker IS NULL GROUP BY ALL HAVING count(*) > 1)
        ), named.document, NULL) AS name_speaker
    FROM named
    LEFT JOIN "metadata" AS metadata_
        ON metadata_.document = if(named_after AND named.document NOT IN (SELECT document FROM "metadata"), segment, named.document)
)
SELECT document, segment, segment_number, onset, "offset", coalesce(known_speaker, name_speaker, '') AS speaker, first_speaker,
    last_speaker, channel, named, ignored, line, known_speaker IS NULL AND name_speaker IS NOT NULL
        AND row_number() OVER (PARTITION BY known_speaker IS NULL AND name_speaker IS NOT NULL ORDER BY document, segment) = 1 AS example,
    CASE WHEN '' <> '' AND matched = 0 THEN 'unmatched' WHEN segments < 6 OR NOT all_named_after THEN 'none' WHEN units = 1 THEN 'one' WHEN units = segments THEN 'each' ELSE 'none' END AS doubt
FROM spoken
CROSS JOIN (
    SELECT count(*) AS segments, count(matched_speaker) AS matched, bool_and(named_after) AS all_named_after,
        count(DISTINCT coalesce(known_speaker, name_speaker, document)) AS units
    FROM spoken
);

-- ## cer.text_checks
-- relation text_checks (specs/transcripts/shared/words.yaml)
-- How the documents and segments of the two texts fit, where they do not simply have the same names. `kind`:
--   fault a document or segment is in only one of the texts, or cannot be aligned; then nothing is aligned
--   missing the hypothesis lacks a document or segment, whose words count as deletions (missing = deletions)
--   extra the reference lacks a document or segment, which is left out (extra = ignore) recording the
--   document of a segment of the hypothesis is named after the segment, as `ann` after `ann-1` in the text of
--   Kaldi; one document of the reference has the segment by time the segments of the document only have
--   numbers and, by their times, are others in the two texts: there are more in one, or less than half of a
--   hypothesis segment is in the reference segment with its number. Words are assigned to segments by time
--   backwards words of the document begin before the word above them; their order is kept respelt a token is
--   not written in the form of Unicode in which words are compared (unicode_form)
CREATE TABLE "text_checks" AS
WITH recordings AS (
    SELECT stray_.document, segment, min(segment_.document) AS recording, 'recording' AS kind
    FROM (
        SELECT DISTINCT document, segment
        FROM "hypothesis"
        WHERE document NOT IN (SELECT document FROM "segments")
            AND starts_with(segment, document) AND substr(segment, length(document) + 1, 1) IN ('', '-', '_')
    ) AS stray_
    JOIN "segments" AS segment_ USING (segment)
    GROUP BY ALL
    HAVING count(*) = 1
),
tokens AS NOT MATERIALIZED (
    SELECT 'reference' AS side, * FROM "reference"
    UNION ALL BY NAME
    SELECT 'hypothesis' AS side, * FROM (
        SELECT token_.* REPLACE (coalesce(recording, document) AS document)
        FROM "hypothesis" AS token_
        LEFT JOIN (SELECT document, segment, recording FROM recordings WHERE kind = 'recording') AS check_ USING (document, segment)
    )
    UNION ALL BY NAME  -- texts of meetings have no alternations
    (SELECT NULL::BIGINT AS alternation, NULL::BIGINT AS branch, NULL::BOOLEAN AS attached LIMIT 0)
),
hypothesis_segments AS (
    SELECT document, coalesce(segment, '') AS segment, min(line) AS line, count(segment) > 0 AS named, min(channel) AS channel,
        row_number() OVER (PARTITION BY document ORDER BY min(coalesce(number, line))) - 1 AS segment_number,
        bool_or(onset IS NOT NULL) AS timed,
        coalesce(min(segment_onset), min(onset)) AS begin, coalesce(max(segment_offset), max(onset + duration)) AS "end"
    FROM tokens
    WHERE side = 'hypothesis'
    GROUP BY document, coalesce(segment, '')
),
pairs AS (
    SELECT document, segment_number, coalesce(ref_.line, hyp_.line) AS line, ref_.line IS NULL OR hyp_.line IS NULL
            OR 2 * (least("offset", "end") - greatest(onset, begin)) < "end" - begin AS misfit,
        coalesce(ref_.segment = hyp_.segment, true) AND coalesce(ref_.segment, hyp_.segment) = (segment_number + 1)::VARCHAR
            AND (ref_.line IS NULL OR onset + "offset" IS NOT NULL) AND (hyp_.line IS NULL OR begin + "end" IS NOT NULL) AS numbered
    FROM "segments" AS ref_
    FULL JOIN hypothesis_segments AS hyp_ USING (document, segment_number)
    WHERE document IN (SELECT document FROM "segments") AND document IN (SELECT document FROM hypothesis_segments)
),
by_time AS (
    SELECT document, min(line) AS line
    FROM pairs
    GROUP BY ALL
    HAVING bool_and(numbered) AND bool_or(misfit) AND 'segment' = 'segment'
),
documents AS (
    SELECT document, ref_.line AS ref_line, hyp_.line AS hyp_line, ref_.named AS ref_named, hyp_.named AS hyp_named,
        ref_.timed AND hyp_.timed AS timed
    FROM (SELECT document, min(line) AS line, bool_or(named) AS named, bool_or("offset" IS NOT NULL) AS timed
        FROM "segments" GROUP BY ALL) AS ref_
    FULL JOIN (SELECT document, min(line) AS line, bool_or(named) AS named, bool_or(timed) AS timed
        FROM hypothesis_segments GROUP BY ALL) AS hyp_ USING (document)
)
SELECT 'reference' AS side, document, ref_line AS line, 'fault' AS kind,
    concat('document ', document, ' is not in the hypothesis', others, '; with missing=deletions, its words count as deletions') AS fault
FROM documents, (
    SELECT ', which has ' || string_agg(document, ', ' ORDER BY hyp_line) FILTER (number <= 3) || if(count(*) > 3, ', …', '') AS others
    FROM (SELECT *, row_number() OVER (ORDER BY hyp_line, document) AS number FROM documents WHERE ref_line IS NULL))
WHERE hyp_line IS NULL
UNION ALL
SELECT 'hypothesis', document, hyp_line, 'fault', concat('document ', document, ' is not in the reference', coalesce((
    SELECT concat(', but ', min(document), ' is; write the name in the same case, or set name_case=fold')
    FROM "segments" AS other_
    WHERE lower(other_.document) = lower(documents.document)
    HAVING count(*) > 0), '; extra=ignore leaves it out'))
FROM documents
WHERE ref_line IS NULL
UNION ALL
SELECT side, document, min(line), 'backwards', concat(document, ' (', count(*), if(count(*) = 1, ' word', ' words'), ' of the ', side, ')')
FROM (
    SELECT side, document, line,
        onset < lag(onset) OVER (PARTITION BY side, document, lower(channel), alternation, branch ORDER BY coalesce(number, line)) AS backwards
    FROM tokens
    WHERE onset IS NOT NULL
)
WHERE backwards
GROUP BY side, document
UNION ALL
SELECT NULL, NULL, NULL, 'respelt', token
FROM (SELECT token FROM tokens UNION SELECT token FROM "times")
WHERE token <> nfc_normalize(token)
UNION ALL
SELECT side, document, min(line), 'fault', concat('an entity begins or ends inside of a word of document ', document,
    ', before ', arg_min(token, line), '; compare characters (compared=mixed), or separate words by blanks')
FROM tokens
WHERE attached AND 'characters' = 'words'
GROUP BY side, document
UNION ALL
SELECT 'hypothesis', document, line, 'by time', NULL FROM by_time
UNION ALL
SELECT 'hypothesis', document, hyp_line, 'fault', concat('document ', document, CASE
    WHEN hyp_named THEN ' has segments, but in the reference it has none; '
    ELSE concat(' is read without segments, but in the reference it has segments; give the times of the words in both texts, ',
        'or read the segments of JSON (::whisper_segments or ::service_segments), or ') END,
    'set align_within=document to align it as a whole')
FROM documents
WHERE 'segment' = 'segment' AND (hyp_named AND NOT ref_named OR ref_named AND NOT hyp_named AND NOT timed)
UNION ALL
SELECT if(hyp_.line IS NULL, 'reference', 'hypothesis'), document, coalesce(ref_.line, hyp_.line),
    CASE WHEN hyp_.line IS NULL THEN 'fault' WHEN ref_.line IS NULL THEN 'fault' ELSE 'fault' END,
    concat('segment ', segment, ' of document ', document, CASE
        WHEN hyp_.line IS NULL THEN ' is not in the hypothesis; with missing=deletions, its words count as deletions' ||
            if(segment = (ref_.segment_number + 1)::VARCHAR, ' (if the texts have no names but only numbers, give them names: those after a missing text are shifted)', '')
        WHEN ref_.line IS NULL THEN ' is not in the reference; extra=ignore leaves it out'
        ELSE concat(' is of channel ', hyp_.channel, ', but in the reference of another channel; give the segments of both texts the same names') END)
FROM "segments" AS ref_
FULL JOIN hypothesis_segments AS hyp_ USING (document, segment)
JOIN documents USING (document)
WHERE 'segment' = 'segment' AND document NOT IN (SELECT document FROM by_time) AND (lower(ref_.channel) <> lower(hyp_.channel)
    OR ref_named AND hyp_named AND (ref_.line IS NULL OR (hyp_.line IS NULL AND NOT ignored)))
UNION ALL
SELECT 'reference', document, line, 'fault', concat('segment ', segment, ' of document ', document,
    ' is not scored, but with align_within=document the hypothesis words during it are not known; set align_within=segment')
FROM "segments"
WHERE ignored AND 'segment' = 'document'
UNION ALL
SELECT side, document, min(line), 'fault', concat('document ', document,
    ' has alternatives and several segments, but alternatives are chosen within a segment; set align_within=segment')
FROM tokens
WHERE alternation IS NOT NULL AND 'segment' = 'document' AND document IN (SELECT document FROM "segments" WHERE segment_number > 0)
GROUP BY side, document
UNION ALL BY NAME
FROM recordings;

-- ## cer.written_words
-- relation written_words (specs/transcripts/shared/words.yaml)
-- The words of both texts as they are written, after case, punctuation and hyphens, including the words of
--   all alternatives. Each has its segment of the reference.
-- If the hypothesis names the segment of a word, the word belongs to the segment of this name. Otherwise, as
--   in sclite, the word belongs to the first segment of its channel that ends after the midpoint of the word,
--   or to the last segment if none does. With segments at 0–2 s and 3–5 s, a word with its midpoint at 2.5 s
--   is in the second, and is `outside`. The case of channels is ignored. With align_within = document, words
--   of the hypothesis have no segment.
-- In a document `by_time` (text_checks), the segments of the hypothesis are others than those of the
--   reference, so that their names are not used. A word without a time then gets one: word k (from 0) of the
--   K words of a segment is at (k + 0.5) / K of the duration of the segment.
-- Words stay in order, and alternatives together, as in sclite: the words of an alternation have the latest
--   of their midpoints, and no word has a midpoint before that of an earlier word of its channel. The end of
--   a segment is rounded to 32 bits, as sclite reads it from an STM file: a midpoint of 1.7 s is before the
--   end 1.7 s, which is 1.70000005 s.
-- Words of a channel that the reference lacks, and words without a time, belong to no segment. There is one
--   row for all such words of a channel, with an error message (`fault`).
-- There are no words of the hypothesis if the documents or segments of the two files do not fit
--   (text_checks).
CREATE TABLE "written_words" AS
WITH heard AS (
    FROM (
        SELECT token_.* REPLACE (coalesce(recording, document) AS document)
        FROM (
            SELECT token_.* REPLACE (coalesce(number, line) AS number, coalesce(attached AND part = 0, false) AS attached), word, coalesce(part, 0) AS part, coalesce(optional, false) AS optional
            FROM "hypothesis" AS token_
            LEFT JOIN (
                SELECT token, optional, unnest(if(words = [], [NULL], words)) AS word, unnest(range(greatest(len(words), 1))) AS part
                FROM (
                    SELECT token, optional,
                        list_filter([spelt],
                            lambda word: word <> '') AS words
                    FROM (
                        SELECT token, false AS optional,
                            nfc_normalize(token) AS plain,
                            translate(upper(lower(translate(plain, 'ıİ', chr(3) || chr(4)))), chr(3) || chr(4), 'ıİ') AS spelt
                        FROM (
                            SELECT DISTINCT token FROM "hypothesis"
                        )
                        WHERE token IS NOT NULL
                    )
                )
            ) AS spelling_ USING (token)
            WHERE word IS NOT NULL OR branch IS NOT NULL
        ) AS token_
        LEFT JOIN (SELECT document, segment, recording FROM "text_checks" WHERE kind = 'recording') AS check_ USING (document, segment)
    )
    WHERE NOT EXISTS (FROM "text_checks" WHERE kind = 'fault')
),
named AS (
    SELECT heard.*, if('segment' = 'document', 0, segment_number) AS segment_number,
        'segment' = 'segment' AND ignored AS ignored, false AS outside
    FROM heard
    LEFT JOIN "segments" AS segment_
        ON heard.document = segment_.document AND coalesce(heard.segment, '') = segment_.segment
            AND heard.document NOT IN (SELECT document FROM "text_checks" WHERE kind = 'by time')
),
endings AS (
    SELECT document, channel_of_words, segment_number, ignored, onset, reach, if(last, 'inf'::DOUBLE, reach) AS ending
    FROM (
        SELECT *, lower(coalesce(channel, '')) AS channel_of_words, max("offset") OVER upto AS reach,
            lead(segment_number) OVER in_order IS NULL AS last, coalesce("offset" > max("offset") OVER before, true) AS later
        FROM (SELECT * REPLACE ("offset"::FLOAT::DOUBLE AS "offset") FROM "segments")
        WHERE "offset" IS NOT NULL
        WINDOW in_order AS (PARTITION BY document, lower(channel) ORDER BY segment_number),
            upto AS (in_order ROWS UNBOUNDED PRECEDING),
            before AS (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    WHERE last OR later
),
only_channels AS (
    SELECT document, coalesce(min(lower(ref_.channel)), '') AS only_channel
    FROM "segments" AS ref_
    JOIN (SELECT document, count(channel) AS channels FROM named GROUP BY ALL) USING (document)
    GROUP BY document, channels
    HAVING count(ref_.channel) = 0 OR channels = 0 AND count(DISTINCT lower(ref_.channel)) = 1
),
timed AS (
    SELECT word_.* REPLACE (ending_.segment_number AS segment_number, ending_.ignored AS ignored,
        middle < ending_.onset OR middle >= reach AS outside)
    FROM (
        SELECT * REPLACE (if(middle IS NULL, NULL, max(coalesce(latest, middle)) OVER (
                PARTITION BY document, lower(channel) ORDER BY number, part ROWS UNBOUNDED PRECEDING)) AS middle),
            coalesce(only_channel, lower(coalesce(channel, ''))) AS channel_of_words
        FROM (
            SELECT *, coalesce(onset + coalesce(duration, 0) / 2e0, segment_onset + (row_number() OVER (within ORDER BY number, part)
                - 0.5e0) / count(*) OVER within * (segment_offset - segment_onset)) AS middle
            FROM named
            WHERE segment_number IS NULL
            WINDOW within AS (PARTITION BY document, segment)
        )
        LEFT JOIN (
            SELECT document, alternation, max(onset + coalesce(duration, 0) / 2e0) AS latest
            FROM named
            WHERE alternation IS NOT NULL
            GROUP BY ALL
        ) AS alternation_ USING (document, alternation)
        LEFT JOIN only_channels USING (document)
    ) AS word_
    ASOF LEFT JOIN endings AS ending_
        ON word_.document = ending_.document AND word_.channel_of_words = ending_.channel_of_words AND middle < ending
)
SELECT 1 AS side, document, segment_number, line, number, part, word, attached, optional, entity, alternation, branch, onset, duration, outside, NULL::VARCHAR AS fault
FROM (FROM named WHERE segment_number IS NOT NULL UNION ALL BY NAME FROM timed WHERE segment_number IS NOT NULL)
WHERE NOT ignored
UNION ALL BY NAME
SELECT 1 AS side, document, min(line) AS line, concat(CASE
    WHEN middle IS NULL THEN 'words without a time in document '
    WHEN channel_of_words = '' THEN 'words without a channel in document '
    ELSE concat('channel ', min(channel), ' is not in the reference of document ') END,
    document, ' (', count(*), if(count(*) = 1, ' word', ' words'), ')') AS fault
FROM timed
WHERE segment_number IS NULL
GROUP BY document, channel_of_words, middle IS NULL
UNION ALL BY NAME
SELECT 0 AS side, word_.document, segment_number, word_.line, number, part, word, attached, optional, entity, alternation, branch,
    word_.onset, duration, false AS outside
FROM (
    SELECT token_.* REPLACE (coalesce(number, line) AS number, coalesce(attached AND part = 0, false) AS attached), word, coalesce(part, 0) AS part, coalesce(optional, false) AS optional
    FROM "reference" AS token_
    LEFT JOIN (
        SELECT token, optional, unnest(if(words = [], [NULL], words)) AS word, unnest(range(greatest(len(words), 1))) AS part
        FROM (
            SELECT token, optional,
                list_filter([spelt],
                    lambda word: word <> '') AS words
            FROM (
                SELECT token, false AS optional,
                    nfc_normalize(token) AS plain,
                    translate(upper(lower(translate(plain, 'ıİ', chr(3) || chr(4)))), chr(3) || chr(4), 'ıİ') AS spelt
                FROM (
                    SELECT DISTINCT token FROM "reference"
                )
                WHERE token IS NOT NULL
            )
        )
    ) AS spelling_ USING (token)
    WHERE word IS NOT NULL OR branch IS NOT NULL
) AS word_
JOIN "segments" AS segment_
    ON word_.document = segment_.document AND coalesce(word_.segment, '') = segment_.segment AND NOT ignored;

-- ## cer.word_characters
-- relation word_characters (specs/transcripts/shared/words.yaml)
-- The characters of both texts. Before those of a word there is a blank, if blanks are compared and the text
--   has one there.
CREATE TABLE "word_characters" AS
SELECT * EXCLUDE (symbols, blank_entity) REPLACE (unnest(symbols) AS word, (part << 32) + unnest(range(len(symbols))) AS part,
    unnest(list_transform(symbols, lambda symbol: if(symbol = ' ', blank_entity, entity))) AS entity)
FROM (
    SELECT *, if(word IS NULL, [NULL], if(attached OR 'keep' = 'remove', [], [' ']) || string_split(word, '')) AS symbols,
        if(entity = lag(entity) OVER (PARTITION BY side, document, segment_number ORDER BY number, part), entity, NULL) AS blank_entity
    FROM "written_words"
);

-- ## cer.chosen_branches
-- relation chosen_branches (specs/transcripts/shared/words.yaml)
-- One row per alternation, with the alternative that is scored. The alternatives are chosen in both texts so
--   that the cost of the alignment is minimal.
-- "chosen_branches_rows" is what the Python function cheapest_branches (substitution_cost = 1,
--   deletion_cost = 1, insertion_cost = 1, optional_cost = 0) makes of the rows of
--   SELECT document, segment_number, side, word AS text, optional, false AS fragment,
--       coalesce(alternation, -1) AS alternation, coalesce(branch, -1) AS branch
--   FROM "word_characters" AS word_
--   SEMI JOIN (FROM "word_characters" WHERE alternation IS NOT NULL) AS parted USING (document, segment_number)
--   ORDER BY document, segment_number, side, number, part
CREATE TABLE "chosen_branches" AS
FROM "chosen_branches_rows";

-- ## cer.words
-- relation words (specs/transcripts/shared/words.yaml)
-- The words of both texts that are aligned, numbered from 0 within their document: of alternatives, the words
--   of the chosen one. If characters are compared, the blank before the first word of a text that is aligned
--   is left out.
-- `time` is the midpoint of the word. For a reference word without a time it is estimated: word k (from 0) of
--   the K words of a segment is at (k + 0.5) / K of the duration of the segment. In a segment of 10 words
--   from 20 to 30 s, the third word is at 22.5 s.
CREATE TABLE "words" AS
WITH scored AS (
    FROM "word_characters"
    WHERE word IS NOT NULL AND (alternation IS NULL OR (side, document, segment_number, alternation, branch) IN (
        SELECT side, document, segment_number, alternation, branch FROM "chosen_branches"))
    QUALIFY 'characters' <> 'characters' OR word <> ' '
        OR row_number() OVER (PARTITION BY side, document, segment_number ORDER BY segment_number, number, part) > 1
),
spans AS (
    SELECT side, document, segment_number, count(*) AS words,
        (sum(count(*)) OVER (PARTITION BY side, document ORDER BY segment_number) - count(*))::BIGINT AS first
    FROM scored
    GROUP BY side, document, segment_number
)
SELECT side, document, span_.first + segment_position AS position, segment, segment_number, segment_position, word, entity,
    optional, word_.line, number, word_.onset, duration, coalesce(word_.onset + coalesce(duration, 0) / 2e0, if(side = 0,
        segment_.onset + (segment_position + 0.5e0) / words * (segment_."offset" - segment_.onset), NULL)) AS time
FROM (
    SELECT *, row_number() OVER (PARTITION BY side, document, segment_number ORDER BY number, part) - 1 AS segment_position
    FROM scored
) AS word_
JOIN spans AS span_ USING (side, document, segment_number)
JOIN "segments" AS segment_ USING (document, segment_number);

-- ## cer.edit_blocks
-- relation edit_blocks (specs/transcripts/shared/alignment.yaml)
-- One row per block of the alignment of single words that has the least cost, with the tie-breaking of sclite
--   (aligner=sclite).
-- "edit_blocks_rows" is what the Python function cheapest_edits (substitution_cost = 1,
--   deletion_cost = 1, insertion_cost = 1, optional_cost = 0) makes of the rows of
--   SELECT document, unit, side, word AS text, optional
--   FROM (
--       SELECT *, segment_number AS unit FROM "words"
--   )
--   ORDER BY document, unit, side, position
CREATE TABLE "edit_blocks" AS
FROM "edit_blocks_rows";

-- ## cer.blocks
-- relation blocks (specs/transcripts/shared/alignment.yaml)
-- The alignment: the blocks of each document, which divide the words of both texts in order. A block has one
--   word of each text (a pair), words of only one text (a deletion or an insertion), or several words of a
--   text (a split or merge). The blocks come from the input `alignment` or, without this input, from the
--   parameter `aligner` and the anchors. The inputs `alignment` and `times` belong to the hypothesis, and are
--   not used if the transcript is scored.
-- `correct`: the block is a pair of equal words, a compound (`merge_compounds`), or an optional word that the
--   other text lacks (`optional_words`). `correct_before` is the number of correct blocks before the block in
--   its document, so that the number of word errors between two blocks is a difference of two numbers.
CREATE TABLE "blocks" AS
WITH unit_blocks AS NOT MATERIALIZED (
    SELECT *, false AS anchored FROM "edit_blocks"
),
units AS (
    SELECT document, unit, anchored,
        coalesce(sum(sum("left")) OVER before, 0)::BIGINT AS ref_first,
        coalesce(sum(sum("right")) OVER before, 0)::BIGINT AS hyp_first,
        coalesce(sum(count(*)) OVER before, 0)::BIGINT AS blocks,
        coalesce(sum(count_if(correct)) OVER before, 0)::BIGINT AS correct_blocks
    FROM unit_blocks
    GROUP BY document, unit, anchored
    WINDOW before AS (
        PARTITION BY document ORDER BY unit, anchored ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT document, unit AS segment_number,
        ref_first + left_end AS ref_end, ref_end - "left" AS ref_begin,
        hyp_first + right_end AS hyp_end, hyp_end - "right" AS hyp_begin,
        blocks + block AS block, correct, correct_blocks + correct_before AS correct_before
    FROM unit_blocks
    JOIN units USING (document, unit, anchored)
)
SELECT placed.* EXCLUDE (segment_number), segment, speaker
FROM numbered AS placed
JOIN "segments" USING (document, segment_number);

-- ## cer.word_outcomes
-- relation word_outcomes (specs/transcripts/shared/words.yaml)
-- The blocks of the alignment in each segment, inside and outside of the entities of the reference, with
--   their numbers of correct words, substitutions, deletions and insertions, from which the word error rate
--   is computed. A block of m reference words and n hypothesis words (a split or merge) counts as min(m, n)
--   substitutions and |m − n| deletions or insertions, unless it is a compound: ICE CREAM and ICECREAM are
--   two correct reference words and one correct hypothesis word. An optional word that one text lacks is a
--   correct word of both.
-- A block is inside if it has a word of a reference entity or lies between two words of the entity. If the
--   reference tags no entity, there are no regions. `entity_type` is the type of the first such entity. If
--   the parameter `tags` does not have its tag, the tag is the type.
-- One more row per segment says whether it has an error. It has no region, because a segment can have both
--   regions.
CREATE TABLE "word_outcomes" AS
WITH types AS (
    SELECT upper(trim(split_part(entry, '=', 1))) AS tag, trim(split_part(entry, '=', 2)) AS type
    FROM (SELECT unnest(['ENAMEX PERSON=PERSON', 'ENAMEX ORGANIZATION=ORGANIZATION', 'ENAMEX LOCATION=LOCATION', 'TIMEX DATE=DATE', 'TIMEX TIME=TIME', 'NUMEX MONEY=MONEY', 'NUMEX PERCENT=PERCENT', 'P=PERSON', 'O=ORGANIZATION', 'L=LOCATION', 'D=DATE', 'T=TIME', 'M=MONEY', 'PER=PERSON', 'ORG=ORGANIZATION', 'LOC=LOCATION', 'PERSON=PERSON', 'ORGANIZATION=ORGANIZATION', 'LOCATION=LOCATION', 'DATE=DATE', 'TIME=TIME', 'MONEY=MONEY', 'PERCENT=PERCENT']::VARCHAR[]) AS entry)
),
entity_types AS (
    SELECT document, entity, coalesce(min(type), upper(min(entity_.tag)), '') AS type
    FROM "reference" AS entity_
    LEFT JOIN types ON types.tag = upper(entity_.tag)
    WHERE entity IS NOT NULL
    GROUP BY document, entity
),
entity_words AS (
    SELECT document, position, type, entity = lag(entity) OVER (PARTITION BY document ORDER BY position) AS continues
    FROM "words"
    JOIN entity_types USING (document, entity)
    WHERE side = 0
)
SELECT document, segment, speaker, if(EXISTS (FROM entity_types), if(entity_type IS NULL, 'outside', 'inside'), NULL) AS region, entity_type,
    sum(if(correct, greatest(ref_end - ref_begin, 1), 0))::BIGINT AS correct,
    sum(if(correct, greatest(hyp_end - hyp_begin, 1), 0))::BIGINT AS hypothesis_correct,
    sum(ref_end - ref_begin)::BIGINT AS words,
    sum(if(correct, 0, least(ref_end - ref_begin, hyp_end - hyp_begin)))::BIGINT AS substitutions,
    sum(if(correct, 0, greatest(ref_end - ref_begin - (hyp_end - hyp_begin), 0)))::BIGINT AS deletions,
    sum(if(correct, 0, greatest(hyp_end - hyp_begin - (ref_end - ref_begin), 0)))::BIGINT AS insertions,
    0 AS segments, 0 AS wrong_segments
FROM (
    SELECT block_.*, coalesce(if(ref_begin < ref_end OR continues, word_.type, NULL), later_.type) AS entity_type
    FROM "blocks" AS block_
    LEFT JOIN entity_words AS word_ ON block_.document = word_.document AND ref_begin = position
    LEFT JOIN (
        SELECT document, block, arg_min(type, position) AS type
        FROM (SELECT document, block, unnest(range(ref_begin + 1, ref_end)) AS position FROM "blocks" WHERE ref_end - ref_begin > 1)
        JOIN entity_words USING (document, position)
        GROUP BY ALL
    ) AS later_ ON block_.document = later_.document AND block_.block = later_.block
)
GROUP BY ALL
UNION ALL
SELECT document, segment, speaker, NULL, NULL, 0, 0, 0, 0, 0, 0, 1, (wrong_.segment IS NOT NULL)::BIGINT
FROM "segments"
LEFT JOIN (SELECT DISTINCT document, segment FROM "blocks" WHERE NOT correct) AS wrong_ USING (document, segment)
WHERE NOT ignored;

-- ## cer.cer_units
-- metric cer, statistics per unit (specs/transcripts/cer/cer.yaml)
-- Character error rate (CER): (substitutions + deletions + insertions) / number of characters of the
--   reference. 0 is perfect. It can exceed 1 if many characters are inserted.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "cer_units" AS
SELECT "region", "document", "segment",
    sum(correct) AS "correct",
    sum(hypothesis_correct) AS "hypothesis_correct",
    sum(substitutions) AS "substitutions",
    sum(deletions) AS "deletions",
    sum(insertions) AS "insertions",
    sum(words) AS "words",
    sum(segments) AS "segments",
    sum(wrong_segments) AS "wrong_segments"
FROM "word_outcomes" AS counted_rows
GROUP BY ALL;

-- ## cer.segment_speakers
-- relation segment_speakers (specs/transcripts/shared/words.yaml)
-- One row per segment of the reference, with its speaker.
CREATE TABLE "segment_speakers" AS
SELECT document, segment, nullif(speaker, '') AS speaker FROM "segments";

-- ## cer.cer
-- metric cer, scores (specs/transcripts/cer/cer.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "cer" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        NULL AS "region",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("hypothesis_correct"), 0) AS "hypothesis_correct",
        coalesce(sum("substitutions"), 0) AS "substitutions",
        coalesce(sum("deletions"), 0) AS "deletions",
        coalesce(sum("insertions"), 0) AS "insertions",
        coalesce(sum("words"), 0) AS "words",
        coalesce(sum("segments"), 0) AS "segments",
        coalesce(sum("wrong_segments"), 0) AS "wrong_segments"
    FROM "cer_units"
    GROUP BY ALL
    UNION ALL
    SELECT
        json_object() AS scope,
        json_object('region', "region") AS slice,
        1 AS breakdown,
        "region" AS "region",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("hypothesis_correct"), 0) AS "hypothesis_correct",
        coalesce(sum("substitutions"), 0) AS "substitutions",
        coalesce(sum("deletions"), 0) AS "deletions",
        coalesce(sum("insertions"), 0) AS "insertions",
        coalesce(sum("words"), 0) AS "words",
        coalesce(sum("segments"), 0) AS "segments",
        coalesce(sum("wrong_segments"), 0) AS "wrong_segments"
    FROM "cer_units"
    WHERE NOT ("region" IS NULL)
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(substitutions + deletions + insertions, words) AS "value",
    ratio(correct, words) AS "word_correctness",
    ratio(substitutions + deletions + insertions, correct + substitutions + deletions + insertions) AS "mer",
    1 - ratio(correct, words) * coalesce(ratio(hypothesis_correct, hypothesis_correct + substitutions + insertions), 0) AS "wil",
    ratio(correct, words) * coalesce(ratio(hypothesis_correct, hypothesis_correct + substitutions + insertions), 0) AS "wip",
    ratio(wrong_segments, segments) AS "ser",
    correct AS "correct",
    substitutions AS "substitutions",
    deletions AS "deletions",
    insertions AS "insertions",
    words AS "words",
    CASE WHEN words = 0 THEN 'the reference has no characters' ELSE nullif(concat_ws(', ', CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."hypothesis_correct" = 0 THEN 'hypothesis_correct = 0' END, CASE WHEN sums."substitutions" = 0 THEN 'substitutions = 0' END, CASE WHEN sums."deletions" = 0 THEN 'deletions = 0' END, CASE WHEN sums."insertions" = 0 THEN 'insertions = 0' END, CASE WHEN sums."words" = 0 THEN 'words = 0' END, CASE WHEN sums."segments" = 0 THEN 'segments = 0' END, CASE WHEN sums."wrong_segments" = 0 THEN 'wrong_segments = 0' END), '') END AS note
FROM sums;

-- ## cer.aligned_words
-- relation aligned_words (specs/transcripts/shared/evidence.yaml)
-- Evidence: the blocks of the alignment, each with its words of both texts, their times, and its outcome:
--   correct, substituted, deleted, inserted, or split or merged. The words of a block are spoken from the
--   start of its first word to the end of its last word. The speaker of hypothesis words is the speaker of
--   the line of the first, if there is one.
CREATE TABLE "aligned_words" AS
SELECT block_.document, segment, block_.speaker, block, ref_begin, ref_end, hyp_begin, hyp_end, ref_words, hyp_words, CASE
        WHEN correct THEN 'correct'
        WHEN ref_begin = ref_end THEN 'inserted'
        WHEN hyp_begin = hyp_end THEN 'deleted'
        WHEN ref_end - ref_begin = 1 AND hyp_end - hyp_begin = 1 THEN 'substituted'
        ELSE 'split or merged'
    END AS outcome, line_.speaker AS hyp_speaker, segment_.onset AS segment_onset, segment_."offset" AS segment_offset, ref_onset, ref_offset,
    hyp_onset, hyp_offset
FROM "blocks" AS block_
LEFT JOIN "segments" AS segment_ USING (document, segment)
LEFT JOIN (
    SELECT said_.document, block, string_agg(word, ' ' ORDER BY position) AS ref_words,
        min(onset) AS ref_onset, max(onset + coalesce(duration, 0)) AS ref_offset, min(said_.line) AS ref_line
    FROM (FROM "words" WHERE side = 0) AS said_
    ASOF JOIN (FROM "blocks" WHERE ref_begin < ref_end) AS of_ ON said_.document = of_.document AND position >= ref_begin
    GROUP BY ALL
) AS ref_ USING (document, block)
LEFT JOIN (
    SELECT said_.document, block, string_agg(word, ' ' ORDER BY position) AS hyp_words,
        min(onset) AS hyp_onset, max(onset + coalesce(duration, 0)) AS hyp_offset, min(said_.line) AS hyp_line
    FROM (FROM "words" WHERE side = 1) AS said_
    ASOF JOIN (FROM "blocks" WHERE hyp_begin < hyp_end) AS of_ ON said_.document = of_.document AND position >= hyp_begin
    GROUP BY ALL
) AS hyp_ USING (document, block)
LEFT JOIN (
    SELECT document, line, if(min(speaker) = max(speaker), min(speaker), NULL) AS speaker
    FROM (
        SELECT token_.* REPLACE (coalesce(recording, document) AS document)
        FROM "hypothesis" AS token_
        LEFT JOIN (SELECT document, segment, recording FROM "text_checks" WHERE kind = 'recording') AS check_ USING (document, segment)
    )
    GROUP BY ALL
) AS line_ ON block_.document = line_.document AND hyp_line = line_.line;

-- ## cer.word_errors
-- relation word_errors (specs/transcripts/shared/evidence.yaml)
-- The words that are wrong, and the places between words where words are inserted. Word n has the position 2n
--   + 1, and the place before it the position 2n. The errors of a block of several words belong to its first
--   word.
CREATE TABLE "word_errors" AS
SELECT document, segment, 2 * word + 1 AS position, if(word = ref_begin, greatest(ref_end - ref_begin, hyp_end - hyp_begin), 0) AS errors
FROM (
    SELECT document, segment, ref_begin, ref_end, hyp_begin, hyp_end, unnest(range(ref_begin, ref_end)) AS word
    FROM "blocks"
    WHERE NOT correct
)
UNION ALL
SELECT document, segment, 2 * ref_begin, hyp_end - hyp_begin
FROM "blocks"
WHERE NOT correct AND ref_begin = ref_end;

-- ## cer.changed_words
-- relation changed_words (specs/transcripts/shared/evidence.yaml)
-- The words that the normaliser changes, inserts or removes. Without normalisation there are none.
CREATE TABLE "changed_words" AS
SELECT NULL::VARCHAR AS side, NULL::VARCHAR AS document, NULL::VARCHAR AS segment, NULL::BIGINT AS line, NULL::VARCHAR AS written, NULL::VARCHAR AS normalized
LIMIT 0;

-- ## cer.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'cer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'word_correctness', 'value': "word_correctness"::DOUBLE},
                {'place': 2, 'component': 'mer', 'value': "mer"::DOUBLE},
                {'place': 3, 'component': 'wil', 'value': "wil"::DOUBLE},
                {'place': 4, 'component': 'wip', 'value': "wip"::DOUBLE},
                {'place': 5, 'component': 'ser', 'value': "ser"::DOUBLE},
                {'place': 6, 'component': 'correct', 'value': "correct"::DOUBLE},
                {'place': 7, 'component': 'substitutions', 'value': "substitutions"::DOUBLE},
                {'place': 8, 'component': 'deletions', 'value': "deletions"::DOUBLE},
                {'place': 9, 'component': 'insertions', 'value': "insertions"::DOUBLE},
                {'place': 10, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "cer"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## formatting.Suite_formatting
-- Suite formatting: Punctuation and capital letters of transcripts, at the words that both texts have. The
--   words are aligned without punctuation and without case.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, times, metadata (not read:
--   transcript, alignment, pronunciations, glm); also the tables …_rows_…, which Python functions make
-- Order: each of the 33 steps reads inputs and steps above it. Metrics: word_outcomes → wer; sign_outcomes →
--   punctuation; paired_words → capitals; other metrics → formatting

-- ## formatting.fscore
-- F score, the harmonic mean of precision p and recall r. It is NULL if p or r is NULL, and 0 if both are 0.
CREATE OR REPLACE MACRO fscore(p, r) AS (
    CASE
    WHEN p IS NULL OR r IS NULL THEN NULL
    WHEN p + r = 0 THEN 0
    ELSE 2 * p * r / (p + r)
    END
);

-- ## formatting.text_checks, like cer.text_checks except:
@@ -100 +100 @@
-WHERE attached AND 'characters' = 'words'
+WHERE attached AND 'words' = 'words'

-- ## formatting.written_words, like cer.written_words except:
@@ -1 +1,2 @@
--- relation written_words (specs/transcripts/shared/words.yaml)
+-- relation written_words, case = fold, hyphen = split, punctuation = remove
+--   (specs/transcripts/shared/words.yaml)
@@ -31 +32 @@
-                        list_filter([spelt],
+                        list_filter(list_transform(regexp_split_to_array(regexp_replace(regexp_replace(regexp_replace(spelt, '^([^\p{L}\p{N}]*)[-−–](\p{Sc}?\p{N})', '\1' || chr(1) || '\2'), '(\p{N})[.](\p{N})', '\1' || chr(2) || '\2', 'g'), '(\p{N})[.](\p{N})', '\1' || chr(2) || '\2', 'g'), '[-‐‑–—]+'), lambda part: translate(trim(regexp_replace(replace(part, '’', ''''), '[^\p{L}\p{M}\p{N}\x01\x02'']', '', 'g'), '''-'), chr(1) || chr(2), '-.')),
@@ -125 +126 @@
-                list_filter([spelt],
+                list_filter(list_transform(regexp_split_to_array(regexp_replace(regexp_replace(regexp_replace(spelt, '^([^\p{L}\p{N}]*)[-−–](\p{Sc}?\p{N})', '\1' || chr(1) || '\2'), '(\p{N})[.](\p{N})', '\1' || chr(2) || '\2', 'g'), '(\p{N})[.](\p{N})', '\1' || chr(2) || '\2', 'g'), '[-‐‑–—]+'), lambda part: translate(trim(regexp_replace(replace(part, '’', ''''), '[^\p{L}\p{M}\p{N}\x01\x02'']', '', 'g'), '''-'), chr(1) || chr(2), '-.')),

-- ## formatting.chosen_branches
-- relation chosen_branches, case = fold, hyphen = split, punctuation = remove
--   (specs/transcripts/shared/words.yaml)
-- One row per alternation, with the alternative that is scored. The alternatives are chosen in both texts so
--   that the cost of the alignment is minimal.
-- "chosen_branches_rows" is what the Python function cheapest_branches (substitution_cost = 4,
--   deletion_cost = 3, insertion_cost = 3, optional_cost = 2) makes of the rows of
--   SELECT document, segment_number, side, word AS text, optional, false AS fragment,
--       coalesce(alternation, -1) AS alternation, coalesce(branch, -1) AS branch
--   FROM "written_words" AS word_
--   SEMI JOIN (FROM "written_words" WHERE alternation IS NOT NULL) AS parted USING (document, segment_number)
--   ORDER BY document, segment_number, side, number, part
CREATE TABLE "chosen_branches" AS
FROM "chosen_branches_rows";

-- ## formatting.words, like cer.words except:
@@ -1 +1,2 @@
--- relation words (specs/transcripts/shared/words.yaml)
+-- relation words, case = fold, hyphen = split, punctuation = remove
+--   (specs/transcripts/shared/words.yaml)
@@ -10 +11 @@
-    FROM "word_characters"
+    FROM "written_words"
@@ -13 +14 @@
-    QUALIFY 'characters' <> 'characters' OR word <> ' '
+    QUALIFY 'words' <> 'characters' OR word <> ' '

-- ## formatting.edit_blocks
-- relation edit_blocks, case = fold, hyphen = split, punctuation = remove
--   (specs/transcripts/shared/alignment.yaml)
-- One row per block of the alignment of single words that has the least cost, with the tie-breaking of sclite
--   (aligner=sclite).
-- "edit_blocks_rows" is what the Python function cheapest_edits (substitution_cost = 4,
--   deletion_cost = 3, insertion_cost = 3, optional_cost = 2) makes of the rows of
--   SELECT document, unit, side, word AS text, optional
--   FROM (
--       SELECT *, segment_number AS unit FROM "words"
--   )
--   ORDER BY document, unit, side, position
CREATE TABLE "edit_blocks" AS
FROM "edit_blocks_rows";

-- ## formatting.blocks, like cer.blocks except:
@@ -1 +1,2 @@
--- relation blocks (specs/transcripts/shared/alignment.yaml)
+-- relation blocks, case = fold, hyphen = split, punctuation = remove
+--   (specs/transcripts/shared/alignment.yaml)

-- ## formatting.word_outcomes, like cer.word_outcomes except:
@@ -1 +1,2 @@
--- relation word_outcomes (specs/transcripts/shared/words.yaml)
+-- relation word_outcomes, case = fold, hyphen = split, punctuation = remove
+--   (specs/transcripts/shared/words.yaml)

-- ## formatting.wer_units
-- metric wer, statistics per unit, case = fold, hyphen = split, punctuation = remove
--   (specs/transcripts/shared/wer.yaml)
-- Word error rate (WER): (substitutions + deletions + insertions) / number of reference words. 0 is perfect.
--   It can exceed 1. The alignment has the lowest cost (costs), not always the fewest errors.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "wer_units" AS
SELECT "region", "document", "segment",
    sum(correct) AS "correct",
    sum(hypothesis_correct) AS "hypothesis_correct",
    sum(substitutions) AS "substitutions",
    sum(deletions) AS "deletions",
    sum(insertions) AS "insertions",
    sum(words) AS "words",
    sum(segments) AS "segments",
    sum(wrong_segments) AS "wrong_segments"
FROM "word_outcomes" AS counted_rows
GROUP BY ALL;

-- ## formatting.wer, like cer.cer except:
@@ -1 +1,2 @@
--- metric cer, scores (specs/transcripts/cer/cer.yaml)
+-- metric wer, scores, case = fold, hyphen = split, punctuation = remove
+--   (specs/transcripts/shared/wer.yaml)
@@ -6 +7 @@
-CREATE TABLE "cer" AS
+CREATE TABLE "wer" AS
@@ -21 +22 @@
-    FROM "cer_units"
+    FROM "wer_units"
@@ -37 +38 @@
-    FROM "cer_units"
+    FROM "wer_units"
@@ -53 +54 @@
-    CASE WHEN words = 0 THEN 'the reference has no characters' ELSE nullif(concat_ws(', ', CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."hypothesis_correct" = 0 THEN 'hypothesis_correct = 0' END, CASE WHEN sums."substitutions" = 0 THEN 'substitutions = 0' END, CASE WHEN sums."deletions" = 0 THEN 'deletions = 0' END, CASE WHEN sums."insertions" = 0 THEN 'insertions = 0' END, CASE WHEN sums."words" = 0 THEN 'words = 0' END, CASE WHEN sums."segments" = 0 THEN 'segments = 0' END, CASE WHEN sums."wrong_segments" = 0 THEN 'wrong_segments = 0' END), '') END AS note
+    CASE WHEN words = 0 THEN 'the reference has no words' WHEN segments = 0 THEN 'a segment can have several regions' ELSE nullif(concat_ws(', ', CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."hypothesis_correct" = 0 THEN 'hypothesis_correct = 0' END, CASE WHEN sums."substitutions" = 0 THEN 'substitutions = 0' END, CASE WHEN sums."deletions" = 0 THEN 'deletions = 0' END, CASE WHEN sums."insertions" = 0 THEN 'insertions = 0' END, CASE WHEN sums."words" = 0 THEN 'words = 0' END, CASE WHEN sums."segments" = 0 THEN 'segments = 0' END, CASE WHEN sums."wrong_segments" = 0 THEN 'wrong_segments = 0' END), '') END AS note

-- ## formatting.written_tokens
-- relation written_tokens (specs/transcripts/formatting/formatting.yaml)
-- One row per token of both texts.
CREATE TABLE "written_tokens" AS
SELECT 0 AS side, document, coalesce(number, line) AS number, nfc_normalize(token) AS token, alternation,
    regexp_matches(token, '[\p{L}\p{M}\p{N}]') AS lettered
FROM "reference"
WHERE token IS NOT NULL
UNION ALL
SELECT 1 AS side, document, coalesce(number, line) AS number, nfc_normalize(token) AS token, alternation,
    regexp_matches(token, '[\p{L}\p{M}\p{N}]') AS lettered
FROM (
    SELECT token_.* REPLACE (coalesce(recording, document) AS document)
    FROM "hypothesis" AS token_
    LEFT JOIN (SELECT document, segment, recording FROM "text_checks" WHERE kind = 'recording') AS check_ USING (document, segment)
)
WHERE token IS NOT NULL;

-- ## formatting.formatted_words
-- relation formatted_words (specs/transcripts/formatting/formatting.yaml)
-- The words of both texts as their tokens write them. A word is as many letters and digits of its token as it
--   has itself, after those of the words before it: of the token Well-known, the words WELL and KNOWN are
--   written Well and known. A word that normalisation has changed is not found in its token.
CREATE TABLE "formatted_words" AS
SELECT side, document, position, number, word, first, if(stripped = plain, written, NULL) AS written,
    if(stripped = plain, written[1] <> lower(written[1]), NULL) AS capital
FROM (
    SELECT word_.*, letters[first + 1:first + len(plain)] AS written, translate(upper(lower(translate(written, 'ıİ', chr(3) || chr(4)))), chr(3) || chr(4), 'ıİ') AS stripped
    FROM (
        SELECT side, document, position, number, word, regexp_replace(word, '[^\p{L}\p{M}\p{N}]', '', 'g') AS plain,
            coalesce(sum(len(plain)) OVER (PARTITION BY side, document, number ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::BIGINT AS first
        FROM "words"
    ) AS word_
    JOIN (
        SELECT side, document, number, regexp_replace(token, '[^\p{L}\p{M}\p{N}]', '', 'g') AS letters FROM "written_tokens"
    ) USING (side, document, number)
);

-- ## formatting.token_signs
-- relation token_signs (specs/transcripts/formatting/formatting.yaml)
-- The signs of each distinct token, with the number of letters and digits before the sign. A sign between two
--   letters or digits of one word, as in 1.5 and ann@mail.org, is part of the word. Between characters of
--   scripts without blanks, it is not.
CREATE TABLE "token_signs" AS
SELECT DISTINCT token, character AS sign, letters
FROM (
    SELECT token, character, count_if(regexp_matches(character, '[\p{L}\p{M}\p{N}]')) OVER before AS letters,
        lag(character, 1, ' ') OVER in_token || lead(character, 1, ' ') OVER in_token AS around
    FROM (
        SELECT token, unnest(string_split(token, '')) AS character, unnest(range(len(string_split(token, '')))) AS place
        FROM (SELECT DISTINCT token FROM "written_tokens")
        WHERE regexp_matches(token, '\p{P}|\p{S}')
    )
    WINDOW in_token AS (PARTITION BY token ORDER BY place), before AS (in_token ROWS UNBOUNDED PRECEDING)
)
WHERE list_contains(['.', ',', '?', '!', ':', ';', '…', '¿', '¡', '。', '，', '、', '？', '！', '：', '；', '।', '؟', '،']::VARCHAR[], character)
    AND (regexp_matches(around, '[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}]') OR NOT regexp_matches(around, '^[\p{L}\p{M}\p{N}]+$'));

-- ## formatting.word_signs
-- relation word_signs (specs/transcripts/formatting/formatting.yaml)
-- The signs of each word. A sign before all letters of its token belongs to the first word of the token, any
--   other sign to the word before it. The signs of a token without letters belong to the word before the
--   token.
CREATE TABLE "word_signs" AS
SELECT DISTINCT side, word_.document, position, sign
FROM (
    SELECT side, document, sign, (number << 24) + greatest(letters - 1, 0) AS place
    FROM "written_tokens"
    JOIN "token_signs" USING (token)
    WHERE (lettered OR alternation IS NULL)
        AND (NOT lettered OR (side, document, number) IN (SELECT side, document, number FROM "words"))
) AS sign_
ASOF JOIN (SELECT side, document, position, (number << 24) + first AS place FROM "formatted_words") AS word_
    USING (side, document, place);

-- ## formatting.paired_words
-- relation paired_words (specs/transcripts/formatting/formatting.yaml)
-- The pairs of equal words, each with its spellings and signs in both texts.
CREATE TABLE "paired_words" AS
SELECT block_.document, segment, speaker, ref_.word, ref_.written AS ref_written, hyp_.written AS hyp_written,
    ref_.capital AS ref_capital, hyp_.capital AS hyp_capital, ref_.signs AS ref_signs, hyp_.signs AS hyp_signs
FROM "blocks" AS block_
JOIN (
    SELECT document, position, any_value(word) AS word, any_value(written) AS written, any_value(capital) AS capital,
        coalesce(string_agg(sign, '' ORDER BY sign), '') AS signs
    FROM "formatted_words"
    LEFT JOIN "word_signs" USING (side, document, position)
    WHERE side = 0
    GROUP BY document, position
) AS ref_ ON block_.document = ref_.document AND ref_begin = ref_.position
JOIN (
    SELECT document, position, any_value(word) AS word, any_value(written) AS written, any_value(capital) AS capital,
        coalesce(string_agg(sign, '' ORDER BY sign), '') AS signs
    FROM "formatted_words"
    LEFT JOIN "word_signs" USING (side, document, position)
    WHERE side = 1
    GROUP BY document, position
) AS hyp_ ON block_.document = hyp_.document AND hyp_begin = hyp_.position
WHERE correct AND ref_end - ref_begin = 1 AND hyp_end - hyp_begin = 1;

-- ## formatting.sign_outcomes
-- relation sign_outcomes (specs/transcripts/formatting/formatting.yaml)
-- The signs of the words that both texts have. Of the signs that only one text has at a word, the first of
--   the one text replaces the first of the other, the second the second, and so on, in the order of Unicode.
CREATE TABLE "sign_outcomes" AS
SELECT document, segment, speaker, sign, count_if(contains(ref_signs, sign))::BIGINT AS possible,
    count_if(contains(hyp_signs, sign))::BIGINT AS actual,
    count_if(contains(ref_signs, sign) AND contains(hyp_signs, sign))::BIGINT AS correct,
    count_if(strpos(ref_alone, sign) BETWEEN 1 AND length(hyp_alone))::BIGINT AS substituted,
    count_if(strpos(hyp_alone, sign) BETWEEN 1 AND length(ref_alone))::BIGINT AS replacing
FROM (
    SELECT document, segment, speaker, ref_signs, hyp_signs, translate(ref_signs, hyp_signs, '') AS ref_alone,
        translate(hyp_signs, ref_signs, '') AS hyp_alone, unnest(string_split(ref_signs || hyp_alone, '')) AS sign
    FROM "paired_words"
    WHERE ref_signs || hyp_signs <> ''
)
GROUP BY ALL;

-- ## formatting.punctuation_units
-- metric punctuation, statistics per unit (specs/transcripts/formatting/formatting.yaml)
-- Punctuation error rate at the words that both texts have: signs that are substituted, missing or spurious,
--   divided by these and the correct signs. Also precision, recall and F score, all of them also for each
--   sign (slices sign). A word has a sign or has it not. In a slice, a substitution is counted with the sign
--   of the reference. 0 is perfect. The form is that of NeMo's punctuation error rate, which aligns signs
--   together with all words.
CREATE TABLE "punctuation_units" AS
SELECT "sign", "document", "segment",
    sum("correct") AS "correct",
    sum("possible") AS "possible",
    sum("actual") AS "actual",
    sum("substituted") AS "substituted",
    sum("replacing") AS "replacing"
FROM "sign_outcomes" AS counted_rows
GROUP BY ALL;

-- ## formatting.punctuation
-- metric punctuation, scores (specs/transcripts/formatting/formatting.yaml)
CREATE TABLE "punctuation" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        NULL AS "sign",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual",
        coalesce(sum("substituted"), 0) AS "substituted",
        coalesce(sum("replacing"), 0) AS "replacing"
    FROM "punctuation_units"
    GROUP BY ALL
    UNION ALL
    SELECT
        json_object() AS scope,
        json_object('sign', "sign") AS slice,
        1 AS breakdown,
        "sign" AS "sign",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual",
        coalesce(sum("substituted"), 0) AS "substituted",
        coalesce(sum("replacing"), 0) AS "replacing"
    FROM "punctuation_units"
    WHERE NOT ("sign" IS NULL)
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(possible + actual - 2 * correct - replacing, possible + actual - correct - replacing) AS "value",
    ratio(correct, actual) AS "precision",
    ratio(correct, possible) AS "recall",
    fscore(precision, recall) AS "fscore",
    correct AS "correct",
    substituted AS "substituted",
    possible - correct - substituted AS "missing",
    actual - correct - replacing AS "spurious",
    CASE WHEN possible + actual = 0 THEN 'no word that both texts have has a sign' WHEN actual = 0 THEN 'the hypothesis has no such sign' WHEN possible = 0 THEN 'the reference has no such sign' ELSE nullif(concat_ws(', ', CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."possible" = 0 THEN 'possible = 0' END, CASE WHEN sums."actual" = 0 THEN 'actual = 0' END, CASE WHEN sums."substituted" = 0 THEN 'substituted = 0' END, CASE WHEN sums."replacing" = 0 THEN 'replacing = 0' END), '') END AS note
FROM sums;

-- ## formatting.capitals_units
-- metric capitals, statistics per unit (specs/transcripts/formatting/formatting.yaml)
-- Case error rate: share of the words that both texts have and write differently in case, such as US and us.
--   Precision, recall and F score are those of words that begin with a capital letter. Words that
--   normalisation changes are left out. 0 is perfect.
CREATE TABLE "capitals_units" AS
SELECT "document", "segment",
    count(*) AS "words",
    count_if(ref_written <> hyp_written) AS "errors",
    count_if(ref_capital AND hyp_capital) AS "correct",
    count_if(ref_capital) AS "possible",
    count_if(hyp_capital) AS "actual"
FROM "paired_words" AS counted_rows
WHERE ref_written IS NOT NULL AND hyp_written IS NOT NULL
GROUP BY ALL;

-- ## formatting.capitals
-- metric capitals, scores (specs/transcripts/formatting/formatting.yaml)
CREATE TABLE "capitals" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("words"), 0) AS "words",
        coalesce(sum("errors"), 0) AS "errors",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual"
    FROM "capitals_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(errors, words) AS "value",
    ratio(correct, actual) AS "precision",
    ratio(correct, possible) AS "recall",
    fscore(precision, recall) AS "fscore",
    words AS "words",
    CASE WHEN words = 0 THEN 'the texts have no word in common' WHEN words > 0 THEN 'no word begins with a capital letter' ELSE nullif(concat_ws(', ', CASE WHEN sums."words" = 0 THEN 'words = 0' END, CASE WHEN sums."errors" = 0 THEN 'errors = 0' END, CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."possible" = 0 THEN 'possible = 0' END, CASE WHEN sums."actual" = 0 THEN 'actual = 0' END), '') END AS note
FROM sums;

-- ## formatting.written_words_2, like cer.written_words except:
@@ -1,20 +1,3 @@
--- relation written_words (specs/transcripts/shared/words.yaml)
--- The words of both texts as they are written, after case, punctuation and hyphens, including the words of
---   all alternatives. Each has its segment of the reference.
--- If the hypothesis names the segment of a word, the word belongs to the segment of this name. Otherwise, as
---   in sclite, the word belongs to the first segment of its channel that ends after the midpoint of the word,
---   or to the last segment if none does. With segments at 0–2 s and 3–5 s, a word with its midpoint at 2.5 s
---   is in the second, and is `outside`. The case of channels is ignored. With align_within = document, words
---   of the hypothesis have no segment.
--- In a document `by_time` (text_checks), the segments of the hypothesis are others than those of the
---   reference, so that their names are not used. A word without a time then gets one: word k (from 0) of the
---   K words of a segment is at (k + 0.5) / K of the duration of the segment.
--- Words stay in order, and alternatives together, as in sclite: the words of an alternation have the latest
---   of their midpoints, and no word has a midpoint before that of an earlier word of its channel. The end of
---   a segment is rounded to 32 bits, as sclite reads it from an STM file: a midpoint of 1.7 s is before the
---   end 1.7 s, which is 1.70000005 s.
--- Words of a channel that the reference lacks, and words without a time, belong to no segment. There is one
---   row for all such words of a channel, with an error message (`fault`).
--- There are no words of the hypothesis if the documents or segments of the two files do not fit
---   (text_checks).
-CREATE TABLE "written_words" AS
+-- relation written_words, case = keep, hyphen = keep, punctuation = keep
+--   (specs/transcripts/shared/words.yaml)
+CREATE TABLE "written_words_2" AS
@@ -36 +19 @@
-                            translate(upper(lower(translate(plain, 'ıİ', chr(3) || chr(4)))), chr(3) || chr(4), 'ıİ') AS spelt
+                            plain AS spelt
@@ -130 +113 @@
-                    translate(upper(lower(translate(plain, 'ıİ', chr(3) || chr(4)))), chr(3) || chr(4), 'ıİ') AS spelt
+                    plain AS spelt

-- ## formatting.chosen_branches_2
-- relation chosen_branches, case = keep, hyphen = keep, punctuation = keep
--   (specs/transcripts/shared/words.yaml)
-- "chosen_branches_rows_2" is what the Python function cheapest_branches (substitution_cost = 4,
--   deletion_cost = 3, insertion_cost = 3, optional_cost = 2) makes of the rows of
--   SELECT document, segment_number, side, word AS text, optional, false AS fragment,
--       coalesce(alternation, -1) AS alternation, coalesce(branch, -1) AS branch
--   FROM "written_words_2" AS word_
--   SEMI JOIN (FROM "written_words_2" WHERE alternation IS NOT NULL) AS parted USING (document, segment_number)
--   ORDER BY document, segment_number, side, number, part
CREATE TABLE "chosen_branches_2" AS
FROM "chosen_branches_rows_2";

-- ## formatting.words_2
-- relation words, case = keep, hyphen = keep, punctuation = keep (specs/transcripts/shared/words.yaml)
CREATE TABLE "words_2" AS
WITH scored AS (
    FROM "written_words_2"
    WHERE word IS NOT NULL AND (alternation IS NULL OR (side, document, segment_number, alternation, branch) IN (
        SELECT side, document, segment_number, alternation, branch FROM "chosen_branches_2"))
    QUALIFY 'words' <> 'characters' OR word <> ' '
        OR row_number() OVER (PARTITION BY side, document, segment_number ORDER BY segment_number, number, part) > 1
),
spans AS (
    SELECT side, document, segment_number, count(*) AS words,
        (sum(count(*)) OVER (PARTITION BY side, document ORDER BY segment_number) - count(*))::BIGINT AS first
    FROM scored
    GROUP BY side, document, segment_number
)
SELECT side, document, span_.first + segment_position AS position, segment, segment_number, segment_position, word, entity,
    optional, word_.line, number, word_.onset, duration, coalesce(word_.onset + coalesce(duration, 0) / 2e0, if(side = 0,
        segment_.onset + (segment_position + 0.5e0) / words * (segment_."offset" - segment_.onset), NULL)) AS time
FROM (
    SELECT *, row_number() OVER (PARTITION BY side, document, segment_number ORDER BY number, part) - 1 AS segment_position
    FROM scored
) AS word_
JOIN spans AS span_ USING (side, document, segment_number)
JOIN "segments" AS segment_ USING (document, segment_number);

-- ## formatting.edit_blocks_2
-- relation edit_blocks, case = keep, hyphen = keep, punctuation = keep
--   (specs/transcripts/shared/alignment.yaml)
-- "edit_blocks_rows_2" is what the Python function cheapest_edits (substitution_cost = 4,
--   deletion_cost = 3, insertion_cost = 3, optional_cost = 2) makes of the rows of
--   SELECT document, unit, side, word AS text, optional
--   FROM (
--       SELECT *, segment_number AS unit FROM "words_2"
--   )
--   ORDER BY document, unit, side, position
CREATE TABLE "edit_blocks_2" AS
FROM "edit_blocks_rows_2";

-- ## formatting.blocks_2
-- relation blocks, case = keep, hyphen = keep, punctuation = keep
--   (specs/transcripts/shared/alignment.yaml)
CREATE TABLE "blocks_2" AS
WITH unit_blocks AS NOT MATERIALIZED (
    SELECT *, false AS anchored FROM "edit_blocks_2"
),
units AS (
    SELECT document, unit, anchored,
        coalesce(sum(sum("left")) OVER before, 0)::BIGINT AS ref_first,
        coalesce(sum(sum("right")) OVER before, 0)::BIGINT AS hyp_first,
        coalesce(sum(count(*)) OVER before, 0)::BIGINT AS blocks,
        coalesce(sum(count_if(correct)) OVER before, 0)::BIGINT AS correct_blocks
    FROM unit_blocks
    GROUP BY document, unit, anchored
    WINDOW before AS (
        PARTITION BY document ORDER BY unit, anchored ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT document, unit AS segment_number,
        ref_first + left_end AS ref_end, ref_end - "left" AS ref_begin,
        hyp_first + right_end AS hyp_end, hyp_end - "right" AS hyp_begin,
        blocks + block AS block, correct, correct_blocks + correct_before AS correct_before
    FROM unit_blocks
    JOIN units USING (document, unit, anchored)
)
SELECT placed.* EXCLUDE (segment_number), segment, speaker
FROM numbered AS placed
JOIN "segments" USING (document, segment_number);

-- ## formatting.word_outcomes_2
-- relation word_outcomes, case = keep, hyphen = keep, punctuation = keep
--   (specs/transcripts/shared/words.yaml)
CREATE TABLE "word_outcomes_2" AS
WITH types AS (
    SELECT upper(trim(split_part(entry, '=', 1))) AS tag, trim(split_part(entry, '=', 2)) AS type
    FROM (SELECT unnest(['ENAMEX PERSON=PERSON', 'ENAMEX ORGANIZATION=ORGANIZATION', 'ENAMEX LOCATION=LOCATION', 'TIMEX DATE=DATE', 'TIMEX TIME=TIME', 'NUMEX MONEY=MONEY', 'NUMEX PERCENT=PERCENT', 'P=PERSON', 'O=ORGANIZATION', 'L=LOCATION', 'D=DATE', 'T=TIME', 'M=MONEY', 'PER=PERSON', 'ORG=ORGANIZATION', 'LOC=LOCATION', 'PERSON=PERSON', 'ORGANIZATION=ORGANIZATION', 'LOCATION=LOCATION', 'DATE=DATE', 'TIME=TIME', 'MONEY=MONEY', 'PERCENT=PERCENT']::VARCHAR[]) AS entry)
),
entity_types AS (
    SELECT document, entity, coalesce(min(type), upper(min(entity_.tag)), '') AS type
    FROM "reference" AS entity_
    LEFT JOIN types ON types.tag = upper(entity_.tag)
    WHERE entity IS NOT NULL
    GROUP BY document, entity
),
entity_words AS (
    SELECT document, position, type, entity = lag(entity) OVER (PARTITION BY document ORDER BY position) AS continues
    FROM "words_2"
    JOIN entity_types USING (document, entity)
    WHERE side = 0
)
SELECT document, segment, speaker, if(EXISTS (FROM entity_types), if(entity_type IS NULL, 'outside', 'inside'), NULL) AS region, entity_type,
    sum(if(correct, greatest(ref_end - ref_begin, 1), 0))::BIGINT AS correct,
    sum(if(correct, greatest(hyp_end - hyp_begin, 1), 0))::BIGINT AS hypothesis_correct,
    sum(ref_end - ref_begin)::BIGINT AS words,
    sum(if(correct, 0, least(ref_end - ref_begin, hyp_end - hyp_begin)))::BIGINT AS substitutions,
    sum(if(correct, 0, greatest(ref_end - ref_begin - (hyp_end - hyp_begin), 0)))::BIGINT AS deletions,
    sum(if(correct, 0, greatest(hyp_end - hyp_begin - (ref_end - ref_begin), 0)))::BIGINT AS insertions,
    0 AS segments, 0 AS wrong_segments
FROM (
    SELECT block_.*, coalesce(if(ref_begin < ref_end OR continues, word_.type, NULL), later_.type) AS entity_type
    FROM "blocks_2" AS block_
    LEFT JOIN entity_words AS word_ ON block_.document = word_.document AND ref_begin = position
    LEFT JOIN (
        SELECT document, block, arg_min(type, position) AS type
        FROM (SELECT document, block, unnest(range(ref_begin + 1, ref_end)) AS position FROM "blocks_2" WHERE ref_end - ref_begin > 1)
        JOIN entity_words USING (document, position)
        GROUP BY ALL
    ) AS later_ ON block_.document = later_.document AND block_.block = later_.block
)
GROUP BY ALL
UNION ALL
SELECT document, segment, speaker, NULL, NULL, 0, 0, 0, 0, 0, 0, 1, (wrong_.segment IS NOT NULL)::BIGINT
FROM "segments"
LEFT JOIN (SELECT DISTINCT document, segment FROM "blocks_2" WHERE NOT correct) AS wrong_ USING (document, segment)
WHERE NOT ignored;

-- ## formatting.wer_units_2
-- metric wer, statistics per unit, case = keep, hyphen = keep, punctuation = keep
--   (specs/transcripts/shared/wer.yaml)
CREATE TABLE "wer_units_2" AS
SELECT "region", "document", "segment",
    sum(correct) AS "correct",
    sum(hypothesis_correct) AS "hypothesis_correct",
    sum(substitutions) AS "substitutions",
    sum(deletions) AS "deletions",
    sum(insertions) AS "insertions",
    sum(words) AS "words",
    sum(segments) AS "segments",
    sum(wrong_segments) AS "wrong_segments"
FROM "word_outcomes_2" AS counted_rows
GROUP BY ALL;

-- ## formatting.wer_2, like formatting.wer except:
@@ -1,7 +1,2 @@
--- metric wer, scores, case = fold, hyphen = split, punctuation = remove
---   (specs/transcripts/shared/wer.yaml)
--- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
---   slice, and the components computed from these sums. With then = mean, the components are first computed
---   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
---   a slice.
-CREATE TABLE "wer" AS
+-- metric wer, scores, case = keep, hyphen = keep, punctuation = keep (specs/transcripts/shared/wer.yaml)
+CREATE TABLE "wer_2" AS
@@ -22 +17 @@
-    FROM "wer_units"
+    FROM "wer_units_2"
@@ -38 +33 @@
-    FROM "wer_units"
+    FROM "wer_units_2"

-- ## formatting.formatting
-- metric formatting, scores (specs/transcripts/formatting/formatting.yaml)
-- Cost of formatting: word error rate of the texts as they are written, minus word error rate without
--   punctuation and case.
-- The scores of the metric: components computed from components of other metrics, which are joined by slice
--   and fold. A metric without slices has the same value in every slice of the first metric.
CREATE TABLE "formatting" AS
SELECT formatted.scope, formatted.slice, formatted.breakdown,
    formatted.value - plain.value AS "value",
    formatted.value AS "formatted",
    plain.value AS "plain",
    nullif(concat_ws('; ', formatted.note, plain.note), '') AS note
FROM "wer_2" AS formatted
LEFT JOIN "wer" AS plain
    ON plain.slice = formatted.slice;

-- ## formatting.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'wer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'word_correctness', 'value': "word_correctness"::DOUBLE},
                {'place': 2, 'component': 'mer', 'value': "mer"::DOUBLE},
                {'place': 3, 'component': 'wil', 'value': "wil"::DOUBLE},
                {'place': 4, 'component': 'wip', 'value': "wip"::DOUBLE},
                {'place': 5, 'component': 'ser', 'value': "ser"::DOUBLE},
                {'place': 6, 'component': 'correct', 'value': "correct"::DOUBLE},
                {'place': 7, 'component': 'substitutions', 'value': "substitutions"::DOUBLE},
                {'place': 8, 'component': 'deletions', 'value': "deletions"::DOUBLE},
                {'place': 9, 'component': 'insertions', 'value': "insertions"::DOUBLE},
                {'place': 10, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "wer"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'punctuation' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'precision', 'value': "precision"::DOUBLE},
                {'place': 2, 'component': 'recall', 'value': "recall"::DOUBLE},
                {'place': 3, 'component': 'fscore', 'value': "fscore"::DOUBLE},
                {'place': 4, 'component': 'correct', 'value': "correct"::DOUBLE},
                {'place': 5, 'component': 'substituted', 'value': "substituted"::DOUBLE},
                {'place': 6, 'component': 'missing', 'value': "missing"::DOUBLE},
                {'place': 7, 'component': 'spurious', 'value': "spurious"::DOUBLE}
            ], recursive := true)
        FROM "punctuation"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'capitals' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'precision', 'value': "precision"::DOUBLE},
                {'place': 2, 'component': 'recall', 'value': "recall"::DOUBLE},
                {'place': 3, 'component': 'fscore', 'value': "fscore"::DOUBLE},
                {'place': 4, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "capitals"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'formatting' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'formatted', 'value': "formatted"::DOUBLE},
                {'place': 2, 'component': 'plain', 'value': "plain"::DOUBLE}
            ], recursive := true)
        FROM "formatting"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## meeting.Suite_meeting
-- Suite meeting: Word error rates of transcripts of meetings, in which several speakers can speak at the same
--   time. The speakers of the hypothesis are assigned to the speakers of the reference so that there are the
--   fewest errors.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, glm, uem; also the tables
--   …_rows_…, which Python functions make
-- Order: each of the 29 steps reads inputs and steps above it. Metrics: cp_outcomes → cpwer; tcp_outcomes →
--   tcpwer; orc_outcomes → orcwer

-- ## meeting.reference
-- input reference (specs/transcripts/meeting/tables.yaml): One row per token of the reference transcript
--   of a meeting, with its speaker. A segment is an utterance of one speaker. The segments of the speakers
--   can be in any order, and can overlap in time.
CREATE TABLE IF NOT EXISTS "reference" (line BIGINT, "document" VARCHAR, "segment" VARCHAR, "token" VARCHAR, "entity" BIGINT, "tag" VARCHAR, "speaker" VARCHAR, "segment_onset" DOUBLE, "segment_offset" DOUBLE, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR, "number" BIGINT);

-- ## meeting.hypothesis
-- input hypothesis (specs/transcripts/meeting/tables.yaml): One row per token of the output of a
--   recogniser for meetings, with its speaker or stream. Speakers may have other names than in the reference.
CREATE TABLE IF NOT EXISTS "hypothesis" (line BIGINT, "document" VARCHAR, "segment" VARCHAR, "token" VARCHAR, "entity" BIGINT, "tag" VARCHAR, "speaker" VARCHAR, "segment_onset" DOUBLE, "segment_offset" DOUBLE, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR, "number" BIGINT);

-- ## meeting.glm
-- input glm (specs/transcripts/tables.yaml): One row per substitution in both texts, in the order of
--   the file (global mapping file of NIST). The texts are read from left to right; at each character, the
--   first rule whose pattern begins there, between its two contexts, is applied. Texts begin and end with a
--   blank, and words are in capitals unless case is keep.
CREATE TABLE IF NOT EXISTS "glm" (line BIGINT, "pattern" VARCHAR, "replacement" VARCHAR, "before" VARCHAR, "after" VARCHAR, "side" VARCHAR, "ignore_case" BOOLEAN, "problem" VARCHAR);

-- ## meeting.uem
-- input uem (specs/transcripts/meeting/tables.yaml): One row per region of a recording that is scored
--   (un-partitioned evaluation map). An utterance that has a time in common with a region is scored as a
--   whole, and so is a recording without a region.
CREATE TABLE IF NOT EXISTS "uem" (line BIGINT, "doc" VARCHAR, "onset" DOUBLE, "offset" DOUBLE);

-- ## meeting.utterances
-- relation utterances (specs/transcripts/meeting/words.yaml)
-- The utterances of both texts: the segments of each stream.
CREATE TABLE "utterances" AS
SELECT side, document, stream, dense_rank() OVER (PARTITION BY side, document ORDER BY stream) - 1 AS stream_number, segment,
    row_number() OVER (PARTITION BY side, document ORDER BY number, stream) - 1 AS segment_number,
    onset, "offset", line
FROM (
    SELECT side, document, coalesce(nullif(speaker, ''), channel) AS stream, segment, min(segment_onset) AS onset,
        max(segment_offset) AS "offset", min(line) AS line, min(coalesce(number, line)) AS number
    FROM (SELECT 0 AS side, * FROM "reference" UNION ALL BY NAME SELECT 1 AS side, * FROM "hypothesis")
    GROUP BY ALL
);

-- ## meeting.meeting_faults
-- relation meeting_faults (specs/transcripts/meeting/words.yaml)
-- The documents that are in only one of the two texts, and what cannot be scored, each with an error message.
--   If there are any but documents whose words count as deletions (missing=deletions) or are left out
--   (extra=ignore), nothing is scored.
CREATE TABLE "meeting_faults" AS
SELECT 'reference' AS side, document, min(line) AS line, concat('document ', document, ' is not in the hypothesis; with missing=deletions, its words count as deletions') AS fault
FROM "reference"
WHERE document NOT IN (SELECT document FROM "hypothesis")
GROUP BY document
UNION ALL
SELECT 'reference', document, min(line), concat('document ', document, ' has words without a speaker (', count(*),
    '); name the speaker or, in the hypothesis, the stream of each word')
FROM "reference"
WHERE coalesce(nullif(speaker, ''), channel) IS NULL
GROUP BY document
UNION ALL
SELECT 'reference', document, line, concat('document ', document,
    ' has the token of ignored_text here, but all segments of a meeting are scored; remove the segment from both texts')
FROM "reference"
WHERE upper(token) IN (upper('IGNORE_TIME_SEGMENT_IN_SCORING'), replace(upper('IGNORE_TIME_SEGMENT_IN_SCORING'), '_', ''))
UNION ALL
SELECT 'reference', document, min(line), concat('document ', document, ' has a region in uem, and words without a time (', count(*), ')')
FROM "reference"
WHERE document IN (SELECT doc FROM "uem")
    AND (coalesce(segment_onset, onset) IS NULL OR coalesce(segment_offset, onset + duration) IS NULL)
GROUP BY document
UNION ALL
SELECT 'hypothesis' AS side, document, min(line) AS line, concat('document ', document, ' is not in the reference; extra=ignore leaves it out') AS fault
FROM "hypothesis"
WHERE document NOT IN (SELECT document FROM "reference")
GROUP BY document
UNION ALL
SELECT 'hypothesis', document, min(line), concat('document ', document, ' has words without a speaker (', count(*),
    '); name the speaker or, in the hypothesis, the stream of each word')
FROM "hypothesis"
WHERE coalesce(nullif(speaker, ''), channel) IS NULL
GROUP BY document
UNION ALL
SELECT 'hypothesis', document, line, concat('document ', document,
    ' has the token of ignored_text here, but all segments of a meeting are scored; remove the segment from both texts')
FROM "hypothesis"
WHERE upper(token) IN (upper('IGNORE_TIME_SEGMENT_IN_SCORING'), replace(upper('IGNORE_TIME_SEGMENT_IN_SCORING'), '_', ''))
UNION ALL
SELECT 'hypothesis', document, min(line), concat('document ', document, ' has a region in uem, and words without a time (', count(*), ')')
FROM "hypothesis"
WHERE document IN (SELECT doc FROM "uem")
    AND (coalesce(segment_onset, onset) IS NULL OR coalesce(segment_offset, onset + duration) IS NULL)
GROUP BY document
UNION ALL
SELECT 'respelt', NULL, NULL, token
FROM (SELECT token FROM "reference" UNION SELECT token FROM "hypothesis")
WHERE token <> nfc_normalize(token)
UNION ALL
SELECT 'glm', NULL, line, concat('the replacement ', replacement, ' has alternatives, which are not possible in the suite meeting')
FROM "glm"
WHERE contains(replacement, '{');

-- ## meeting.written_words
-- relation written_words (specs/transcripts/meeting/words.yaml)
-- The words of both texts as they are written, after case, punctuation and hyphens, each with its utterance.
--   There are no words of the hypothesis if the texts cannot be scored (meeting_faults).
CREATE TABLE "written_words" AS
SELECT side, word_.document, segment_number, word_.line, number, part, word, attached, optional, NULL::BIGINT AS entity,
    NULL::BIGINT AS alternation, NULL::BIGINT AS branch, word_.onset, duration
FROM (
    SELECT token_.* REPLACE (coalesce(number, line) AS number, coalesce(attached AND part = 0, false) AS attached), word, coalesce(part, 0) AS part, coalesce(optional, false) AS optional
    FROM (SELECT *, NULL::BIGINT AS branch, false AS attached FROM "reference") AS token_
    LEFT JOIN (
        SELECT token, optional, unnest(if(words = [], [NULL], words)) AS word, unnest(range(greatest(len(words), 1))) AS part
        FROM (
            SELECT token, optional,
                list_filter([spelt],
                    lambda word: word <> '') AS words
            FROM (
                SELECT token, false AS optional,
                    nfc_normalize(token) AS plain,
                    plain AS spelt
                FROM (
                    SELECT DISTINCT token FROM (SELECT *, NULL::BIGINT AS branch, false AS attached FROM "reference")
                )
                WHERE token IS NOT NULL
            )
        )
    ) AS spelling_ USING (token)
    WHERE word IS NOT NULL OR branch IS NOT NULL
) AS word_
JOIN "utterances" AS utterance_
    ON side = 0 AND word_.document = utterance_.document AND coalesce(nullif(speaker, ''), channel) = stream
        AND word_.segment IS NOT DISTINCT FROM utterance_.segment
UNION ALL
SELECT side, word_.document, segment_number, word_.line, number, part, word, attached, optional, NULL::BIGINT AS entity,
    NULL::BIGINT AS alternation, NULL::BIGINT AS branch, word_.onset, duration
FROM (
    SELECT token_.* REPLACE (coalesce(number, line) AS number, coalesce(attached AND part = 0, false) AS attached), word, coalesce(part, 0) AS part, coalesce(optional, false) AS optional
    FROM (SELECT *, NULL::BIGINT AS branch, false AS attached FROM "hypothesis") AS token_
    LEFT JOIN (
        SELECT token, optional, unnest(if(words = [], [NULL], words)) AS word, unnest(range(greatest(len(words), 1))) AS part
        FROM (
            SELECT token, optional,
                list_filter([spelt],
                    lambda word: word <> '') AS words
            FROM (
                SELECT token, false AS optional,
                    nfc_normalize(token) AS plain,
                    plain AS spelt
                FROM (
                    SELECT DISTINCT token FROM (SELECT *, NULL::BIGINT AS branch, false AS attached FROM "hypothesis")
                )
                WHERE token IS NOT NULL
            )
        )
    ) AS spelling_ USING (token)
    WHERE word IS NOT NULL OR branch IS NOT NULL
) AS word_
JOIN "utterances" AS utterance_
    ON side = 1 AND word_.document = utterance_.document AND coalesce(nullif(speaker, ''), channel) = stream
        AND word_.segment IS NOT DISTINCT FROM utterance_.segment
WHERE NOT EXISTS (FROM "meeting_faults" WHERE coalesce(side, '') NOT IN ('missing', 'extra', 'respelt'));

-- ## meeting.stream_words
-- relation stream_words (specs/transcripts/meeting/words.yaml)
-- The words of both texts, in the order of their streams, each with its time.
-- Utterances are ordered by their starts; those with equal starts, as in the file. If an utterance of the
--   document has no start, all are in the order of the file. A word without a segment is an utterance of its
--   own. The words of an utterance that have no times share its time: a word of 3 characters among 12 gets a
--   quarter. If characters are compared with the blanks between words, each word but the first of a stream
--   has a blank before it.
CREATE TABLE "stream_words" AS
WITH words AS (
    SELECT side, document, stream, stream_number, segment, segment_number, number, part, word,
        coalesce(word_.onset, utterance_.onset) AS first,
        coalesce(word_.onset + coalesce(duration, 0), utterance_."offset") AS last,
        if(word_.onset IS NULL, NULL, number) AS timed,
        if(segment IS NULL, word_.onset, coalesce(utterance_.onset, min(word_.onset) OVER within)) AS start,
        if(segment IS NULL, number, min(number) OVER within) AS first_number
    FROM "written_words" AS word_
    JOIN "utterances" AS utterance_ USING (side, document, segment_number)
    WINDOW within AS (PARTITION BY side, document, segment_number)
)
SELECT side, document, stream, stream_number, row_number() OVER in_stream - 1 - ('words' = 'characters' AND 'keep' = 'keep')::BIGINT AS position,
    dense_rank() OVER in_text - 1 AS utterance, segment, word,
    first + (last - first) * ((characters - length(word)) / all_characters) AS begin,
    first + (last - first) * (characters / all_characters) AS "end"
FROM (
    SELECT * REPLACE (if(count(start) OVER in_document = count(*) OVER in_document, start, NULL) AS start),
        sum(length(word)) OVER (together ORDER BY number, part) AS characters, sum(length(word)) OVER together AS all_characters
    FROM words
    WINDOW together AS (PARTITION BY side, document, segment_number, timed), in_document AS (PARTITION BY side, document)
)
WINDOW in_stream AS (PARTITION BY side, document, stream ORDER BY start, first_number, number, part),
    in_text AS (PARTITION BY side, document ORDER BY start, first_number)
QUALIFY position >= 0;

-- ## meeting.streams
-- relation streams (specs/transcripts/meeting/words.yaml)
-- The streams of both texts, also those without words, each with its number of words.
CREATE TABLE "streams" AS
WITH first_utterances AS (
    SELECT side, document, stream, stream_number, min({'start': start, 'segment_number': segment_number}) AS first_utterance
    FROM (
        SELECT *, if(count(onset) OVER in_document = count(*) OVER in_document, onset, NULL) AS start
        FROM "utterances"
        WINDOW in_document AS (PARTITION BY side, document)
    )
    GROUP BY ALL
)
SELECT side, document, stream, stream_number, coalesce(words, 0) AS words,
    row_number() OVER (PARTITION BY side, document ORDER BY first_utterance.start, first_word, first_utterance.segment_number) - 1 AS place
FROM first_utterances
LEFT JOIN (
    SELECT side, document, stream, count(*) AS words, if(any_value(segment) IS NULL, min(utterance), NULL) AS first_word
    FROM "stream_words"
    GROUP BY ALL
) USING (side, document, stream);

-- ## meeting.cp_distances
-- relation cp_distances (specs/transcripts/meeting/cpwer.yaml)
-- One row per pair of a reference stream and a hypothesis stream that have words, with the smallest number of
--   errors.
-- "cp_distances_rows" is what the Python function stream_distances makes of the rows of
--   SELECT document, side, stream_number AS stream, word AS text, NULL::DOUBLE AS begin, NULL::DOUBLE AS "end"
--   FROM "stream_words"
--   ORDER BY document, side, stream_number, position
CREATE TABLE "cp_distances" AS
FROM "cp_distances_rows";

-- ## meeting.cp_assignment
-- relation cp_assignment (specs/transcripts/meeting/cpwer.yaml)
-- One row per pair of a reference speaker and the assigned hypothesis speaker, and one row per speaker
--   without partner. The total number of errors is minimal.
-- "cp_assignment_rows" is what the Python function best_matching makes of the rows of
--   SELECT left_.document, left_.stream_number AS left_row, right_.stream_number AS right_row,
--       coalesce(left_.words + right_.words - distance, 0)::BIGINT AS gain_1, 0 AS gain_2, 0 AS gain_3
--   FROM (FROM "streams" WHERE side = 0) AS left_
--   JOIN (FROM "streams" WHERE side = 1) AS right_ USING (document)
--   LEFT JOIN "cp_distances" AS distance_
--       ON left_.document = distance_.document AND left_.stream_number = left_row AND right_.stream_number = right_row
--   ORDER BY ALL
CREATE TABLE "cp_assignment" AS
SELECT coalesce(left_.document, right_.document) AS document,
    row_number() OVER (PARTITION BY coalesce(left_.document, right_.document) ORDER BY left_.stream, right_.stream) - 1 AS pair,
    left_.stream AS speaker, right_.stream AS hypothesis_speaker, coalesce(left_.words, 0) AS words,
    coalesce(right_.words, 0) AS hypothesis_words
FROM (
    SELECT stream_.*, right_row
    FROM "streams" AS stream_
    LEFT JOIN "cp_assignment_rows" AS matched_ ON stream_.document = matched_.document AND stream_number = left_row
    WHERE side = 0
) AS left_
FULL JOIN (FROM "streams" WHERE side = 1) AS right_
    ON left_.document = right_.document AND right_row = right_.stream_number;

-- ## meeting.cp_blocks
-- relation cp_blocks (specs/transcripts/meeting/cpwer.yaml)
-- One row per pair of aligned words, and one row per word without partner, of each pair of assigned speakers.
--   The alignment has the fewest errors.
-- "cp_blocks_rows" is what the Python function fewest_edits makes of the rows of
--   SELECT word_.document, pair, side, word AS text, NULL::DOUBLE AS begin, NULL::DOUBLE AS "end"
--   FROM "stream_words" AS word_
--   JOIN "cp_assignment" AS pair_
--       ON word_.document = pair_.document AND stream = if(side = 0, speaker, hypothesis_speaker)
--   ORDER BY word_.document, pair, side, position
CREATE TABLE "cp_blocks" AS
FROM "cp_blocks_rows";

-- ## meeting.cp_outcomes
-- relation cp_outcomes (specs/transcripts/meeting/cpwer.yaml)
-- One row per pair of assigned speakers, and one row per speaker without partner, with the numbers of errors.
CREATE TABLE "cp_outcomes" AS
SELECT document, speaker, hypothesis_speaker, words, hypothesis_words, coalesce(correct, 0) AS correct,
    coalesce(substitutions, 0) AS substitutions, coalesce(deletions, 0) AS deletions, coalesce(insertions, 0) AS insertions
FROM "cp_assignment"
LEFT JOIN (
    SELECT document, pair, count_if(correct)::BIGINT AS correct,
        count_if("left" = 1 AND "right" = 1 AND NOT correct)::BIGINT AS substitutions,
        count_if("right" = 0)::BIGINT AS deletions, count_if("left" = 0)::BIGINT AS insertions
    FROM "cp_blocks"
    GROUP BY ALL
) USING (document, pair);

-- ## meeting.cpwer_units
-- metric cpwer, statistics per unit (specs/transcripts/meeting/cpwer.yaml)
-- Concatenated minimum-permutation word error rate (cpWER): errors / number of reference words. The words of
--   each speaker are joined in the order of time. The speakers of the hypothesis are assigned to the speakers
--   of the reference, one to one, so that the total number of substitutions, deletions and insertions is
--   minimal. All words of a speaker without a partner are errors. 0 is perfect. It can exceed 1.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "cpwer_units" AS
SELECT "document", "speaker",
    sum(words) AS "words",
    sum(substitutions) AS "substitutions",
    sum(deletions) AS "deletions",
    sum(insertions) AS "insertions",
    count(*) - count(hypothesis_speaker) AS "missed",
    count(*) - count(speaker) AS "extra",
    count(speaker) AS "scored"
FROM "cp_outcomes" AS counted_rows
GROUP BY ALL;

-- ## meeting.cpwer
-- metric cpwer, scores (specs/transcripts/meeting/cpwer.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "cpwer" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("words"), 0) AS "words",
        coalesce(sum("substitutions"), 0) AS "substitutions",
        coalesce(sum("deletions"), 0) AS "deletions",
        coalesce(sum("insertions"), 0) AS "insertions",
        coalesce(sum("missed"), 0) AS "missed",
        coalesce(sum("extra"), 0) AS "extra",
        coalesce(sum("scored"), 0) AS "scored"
    FROM "cpwer_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(substitutions + deletions + insertions, words) AS "value",
    substitutions + deletions + insertions AS "errors",
    words AS "words",
    insertions AS "insertions",
    deletions AS "deletions",
    substitutions AS "substitutions",
    missed AS "missed_speakers",
    extra AS "extra_speakers",
    scored AS "scored_speakers",
    CASE WHEN words = 0 THEN 'the reference has no words' ELSE nullif(concat_ws(', ', CASE WHEN sums."words" = 0 THEN 'words = 0' END, CASE WHEN sums."substitutions" = 0 THEN 'substitutions = 0' END, CASE WHEN sums."deletions" = 0 THEN 'deletions = 0' END, CASE WHEN sums."insertions" = 0 THEN 'insertions = 0' END, CASE WHEN sums."missed" = 0 THEN 'missed = 0' END, CASE WHEN sums."extra" = 0 THEN 'extra = 0' END, CASE WHEN sums."scored" = 0 THEN 'scored = 0' END), '') END AS note
FROM sums;

-- ## meeting.untimed_documents
-- relation untimed_documents (specs/transcripts/meeting/tcpwer.yaml)
-- One row per document that has a word without a time.
CREATE TABLE "untimed_documents" AS
SELECT DISTINCT document FROM "stream_words" WHERE begin IS NULL OR "end" IS NULL;

-- ## meeting.tcp_words
-- relation tcp_words (specs/transcripts/meeting/tcpwer.yaml)
-- One row per word of both texts, with the time in which it can be aligned. A reference word has its own
--   time. A hypothesis word has the midpoint of its time, and the collar before and after it. Times are
--   rounded to nanoseconds, so that times that are equal by definition are equal as numbers.
CREATE TABLE "tcp_words" AS
SELECT document, side, stream_number, stream, utterance, segment, position, word,
    round(if(side = 0, begin, (begin + "end") / 2 - 5.0e0), 9) AS begin,
    round(if(side = 0, "end", (begin + "end") / 2 + 5.0e0), 9) AS "end"
FROM "stream_words"
WHERE document NOT IN (FROM "untimed_documents");

-- ## meeting.tcp_distances
-- relation tcp_distances (specs/transcripts/meeting/tcpwer.yaml)
-- One row per pair of a reference stream and a hypothesis stream that have words, with the smallest number of
--   errors, if only words that overlap in time are aligned.
-- "tcp_distances_rows" is what the Python function stream_distances makes of the rows of
--   SELECT document, side, stream_number AS stream, word AS text, begin, "end"
--   FROM "tcp_words"
--   ORDER BY document, side, stream_number, position
CREATE TABLE "tcp_distances" AS
FROM "tcp_distances_rows";

-- ## meeting.tcp_assignment
-- relation tcp_assignment (specs/transcripts/meeting/tcpwer.yaml)
-- One row per pair of a reference speaker and the assigned hypothesis speaker, and one row per speaker
--   without partner. The total number of errors is minimal, if only words that overlap in time are aligned.
-- "tcp_assignment_rows" is what the Python function best_matching makes of the rows of
--   SELECT left_.document, left_.stream_number AS left_row, right_.stream_number AS right_row,
--       coalesce(left_.words + right_.words - distance, 0)::BIGINT AS gain_1, 0 AS gain_2, 0 AS gain_3
--   FROM (FROM "streams" WHERE side = 0) AS left_
--   JOIN (FROM "streams" WHERE side = 1) AS right_ USING (document)
--   LEFT JOIN "tcp_distances" AS distance_
--       ON left_.document = distance_.document AND left_.stream_number = left_row AND right_.stream_number = right_row
--   ORDER BY ALL
CREATE TABLE "tcp_assignment" AS
SELECT coalesce(left_.document, right_.document) AS document,
    row_number() OVER (PARTITION BY coalesce(left_.document, right_.document) ORDER BY left_.stream, right_.stream) - 1 AS pair,
    left_.stream AS speaker, right_.stream AS hypothesis_speaker, coalesce(left_.words, 0) AS words,
    coalesce(right_.words, 0) AS hypothesis_words
FROM (
    SELECT stream_.*, right_row
    FROM "streams" AS stream_
    LEFT JOIN "tcp_assignment_rows" AS matched_ ON stream_.document = matched_.document AND stream_number = left_row
    WHERE side = 0
) AS left_
FULL JOIN (FROM "streams" WHERE side = 1) AS right_
    ON left_.document = right_.document AND right_row = right_.stream_number;

-- ## meeting.tcp_blocks
-- relation tcp_blocks (specs/transcripts/meeting/tcpwer.yaml)
-- One row per pair of aligned words, and one row per word without partner, of each pair of assigned speakers.
--   Aligned words overlap in time. Such an alignment has the fewest errors.
-- "tcp_blocks_rows" is what the Python function fewest_edits makes of the rows of
--   SELECT word_.document, pair, side, word AS text, begin, "end"
--   FROM "tcp_words" AS word_
--   JOIN "tcp_assignment" AS pair_
--       ON word_.document = pair_.document AND stream = if(side = 0, speaker, hypothesis_speaker)
--   ORDER BY word_.document, pair, side, position
CREATE TABLE "tcp_blocks" AS
FROM "tcp_blocks_rows";

-- ## meeting.tcp_outcomes
-- relation tcp_outcomes (specs/transcripts/meeting/tcpwer.yaml)
-- One row per pair of assigned speakers, and one row per speaker without partner, with the numbers of errors,
--   if only words that overlap in time are aligned.
CREATE TABLE "tcp_outcomes" AS
SELECT *, document IN (FROM "untimed_documents") AS untimed
FROM (
    SELECT document, speaker, hypothesis_speaker, words, hypothesis_words, coalesce(correct, 0) AS correct,
        coalesce(substitutions, 0) AS substitutions, coalesce(deletions, 0) AS deletions, coalesce(insertions, 0) AS insertions
    FROM "tcp_assignment"
    LEFT JOIN (
        SELECT document, pair, count_if(correct)::BIGINT AS correct,
            count_if("left" = 1 AND "right" = 1 AND NOT correct)::BIGINT AS substitutions,
            count_if("right" = 0)::BIGINT AS deletions, count_if("left" = 0)::BIGINT AS insertions
        FROM "tcp_blocks"
        GROUP BY ALL
    ) USING (document, pair)
);

-- ## meeting.tcpwer_units
-- metric tcpwer, statistics per unit (specs/transcripts/meeting/tcpwer.yaml)
-- Time-constrained minimum-permutation word error rate (tcpWER): cpWER in which two words can only be aligned
--   if they overlap in time, with a tolerance (collar). 0 is perfect. It can exceed 1. It is undefined if a
--   word has no time.
CREATE TABLE "tcpwer_units" AS
SELECT "document", "speaker",
    sum(words) AS "words",
    sum(substitutions) AS "substitutions",
    sum(deletions) AS "deletions",
    sum(insertions) AS "insertions",
    count(*) - count(hypothesis_speaker) AS "missed",
    count(*) - count(speaker) AS "extra",
    count(speaker) AS "scored",
    count_if(untimed) AS "untimed"
FROM "tcp_outcomes" AS counted_rows
GROUP BY ALL;

-- ## meeting.tcpwer
-- metric tcpwer, scores (specs/transcripts/meeting/tcpwer.yaml)
CREATE TABLE "tcpwer" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("words"), 0) AS "words",
        coalesce(sum("substitutions"), 0) AS "substitutions",
        coalesce(sum("deletions"), 0) AS "deletions",
        coalesce(sum("insertions"), 0) AS "insertions",
        coalesce(sum("missed"), 0) AS "missed",
        coalesce(sum("extra"), 0) AS "extra",
        coalesce(sum("scored"), 0) AS "scored",
        coalesce(sum("untimed"), 0) AS "untimed"
    FROM "tcpwer_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(untimed > 0, NULL, ratio(substitutions + deletions + insertions, words)) AS "value",
    if(untimed > 0, NULL, substitutions + deletions + insertions) AS "errors",
    if(untimed > 0, NULL, words) AS "words",
    if(untimed > 0, NULL, insertions) AS "insertions",
    if(untimed > 0, NULL, deletions) AS "deletions",
    if(untimed > 0, NULL, substitutions) AS "substitutions",
    missed AS "missed_speakers",
    extra AS "extra_speakers",
    scored AS "scored_speakers",
    CASE WHEN untimed > 0 THEN 'a word has no time' WHEN words = 0 THEN 'the reference has no words' ELSE nullif(concat_ws(', ', CASE WHEN sums."words" = 0 THEN 'words = 0' END, CASE WHEN sums."substitutions" = 0 THEN 'substitutions = 0' END, CASE WHEN sums."deletions" = 0 THEN 'deletions = 0' END, CASE WHEN sums."insertions" = 0 THEN 'insertions = 0' END, CASE WHEN sums."missed" = 0 THEN 'missed = 0' END, CASE WHEN sums."extra" = 0 THEN 'extra = 0' END, CASE WHEN sums."scored" = 0 THEN 'scored = 0' END, CASE WHEN sums."untimed" = 0 THEN 'untimed = 0' END), '') END AS note
FROM sums;

-- ## meeting.orc_sizes
-- relation orc_sizes (specs/transcripts/meeting/orcwer.yaml)
-- One row per document, with the number of cells of the table that orcwer needs.
CREATE TABLE "orc_sizes" AS
SELECT document, sum(words) FILTER (side = 0) * count(*) FILTER (side = 1 AND words > 0)
        * product(words + 1) FILTER (side = 1) AS cells,
    coalesce(cells > 100000000::BIGINT, false) AS beyond, format('{:.1e}', cells) AS needed
FROM "streams"
GROUP BY document;

-- ## meeting.orc_first_streams
-- relation orc_first_streams (specs/transcripts/meeting/orcwer.yaml)
-- One row per reference speaker, with the hypothesis stream to which the utterances of the speaker are given
--   before the greedy division.
CREATE TABLE "orc_first_streams" AS
SELECT document, left_stream AS stream,
    coalesce(any_value(place) FILTER (pair IS NOT NULL), arg_min(place, (errors, place))) AS first_stream
FROM (
    SELECT left_.document, left_.stream AS left_stream, right_.stream AS right_stream, pair,
        coalesce(distance, left_.words + right_.words) AS errors, right_.place
    FROM (FROM "streams" WHERE side = 0) AS left_
    JOIN (FROM "streams" WHERE side = 1) AS right_ USING (document)
    LEFT JOIN "cp_distances" AS distance_
        ON left_.document = distance_.document AND left_.stream_number = left_row AND right_.stream_number = right_row
    LEFT JOIN "cp_assignment" AS pair_
        ON left_.document = pair_.document AND left_.stream = speaker AND right_.stream = hypothesis_speaker
)
GROUP BY ALL;

-- ## meeting.orc_best_division
-- relation orc_best_division (specs/transcripts/meeting/orcwer.yaml)
-- One row per reference utterance of a document within orc_cells, with the hypothesis stream that it is given
--   to. The total number of errors is minimal.
-- "orc_best_division_rows" is what the Python function fewest_errors_division makes of the rows of
--   SELECT document, side, if(side = 0, utterance, stream_number) AS stream, word AS text
--   FROM "stream_words"
--   WHERE document IN (SELECT document FROM "orc_sizes" WHERE NOT beyond)
--   ORDER BY document, side, if(side = 0, utterance, stream_number), position
CREATE TABLE "orc_best_division" AS
SELECT document, left_row AS utterance, right_row AS stream_number FROM "orc_best_division_rows";

-- ## meeting.orc_division
-- relation orc_division (specs/transcripts/meeting/orcwer.yaml)
-- One row per reference utterance, with the hypothesis stream that it is given to. The total number of errors
--   is minimal, except in documents beyond orc_cells: there, no utterance has fewer errors in another stream.
-- "orc_division_rows" is what the Python function improved_division makes of the rows of
--   SELECT document, if(side = 0, 0, 1) AS side, if(side = 0, utterance, place) AS stream, word AS text,
--       NULL::DOUBLE AS begin, NULL::DOUBLE AS "end", if(side = 0, first_stream, NULL) AS given
--   FROM "stream_words"
--   JOIN "streams" USING (side, document, stream, stream_number)
--   LEFT JOIN "orc_first_streams" USING (document, stream)
--   WHERE document IN (SELECT document FROM "orc_sizes" WHERE beyond)
--   ORDER BY document, 2, 3, position
CREATE TABLE "orc_division" AS
SELECT given_.document, left_row AS utterance, stream_number
FROM "orc_division_rows" AS given_
JOIN "streams" AS stream_
    ON side <> 0 AND given_.document = stream_.document AND right_row = place
UNION ALL
FROM "orc_best_division";

-- ## meeting.orc_utterances
-- relation orc_utterances (specs/transcripts/meeting/orcwer.yaml)
-- One row per reference utterance with words, with its speaker and the hypothesis stream that it is given to.
CREATE TABLE "orc_utterances" AS
SELECT word_.document, utterance, segment, word_.stream AS speaker, stream_.stream AS hypothesis_speaker, count(*) AS words
FROM "stream_words" AS word_
LEFT JOIN "orc_division" AS given_ USING (document, utterance)
LEFT JOIN "streams" AS stream_
    ON stream_.side <> 0 AND word_.document = stream_.document AND given_.stream_number = stream_.stream_number
WHERE word_.side = 0
GROUP BY ALL;

-- ## meeting.orc_blocks
-- relation orc_blocks (specs/transcripts/meeting/orcwer.yaml)
-- One row per pair of aligned words, and one row per word without partner, of each hypothesis stream and the
--   reference utterances that it is given. The alignment has the fewest errors.
-- "orc_blocks_rows" is what the Python function fewest_edits makes of the rows of
--   SELECT document, hypothesis_speaker, side, text, begin, "end"
--   FROM (
--       SELECT document, hypothesis_speaker, side, utterance, position, word AS text, NULL::DOUBLE AS begin, NULL::DOUBLE AS "end"
--       FROM "stream_words" JOIN "orc_utterances" USING (document, utterance)
--       WHERE side = 0
--       UNION ALL
--       SELECT document, stream, side, 0, position, word, NULL::DOUBLE AS begin, NULL::DOUBLE AS "end"
--       FROM "stream_words"
--       WHERE side <> 0
--   )
--   ORDER BY document, hypothesis_speaker, side, utterance, position
CREATE TABLE "orc_blocks" AS
FROM "orc_blocks_rows";

-- ## meeting.orc_outcomes
-- relation orc_outcomes (specs/transcripts/meeting/orcwer.yaml)
-- One row per hypothesis stream, with the numbers of errors; and one row, without a stream, per document that
--   has no words.
CREATE TABLE "orc_outcomes" AS
SELECT document, hypothesis_speaker, beyond, coalesce(sum("left"), 0)::BIGINT AS words,
    count_if("left" = 1 AND "right" = 1 AND NOT correct)::BIGINT AS substitutions,
    count_if("right" = 0)::BIGINT AS deletions, count_if("left" = 0)::BIGINT AS insertions
FROM "orc_sizes"
LEFT JOIN "orc_blocks" USING (document)
GROUP BY ALL;

-- ## meeting.orcwer_units
-- metric orcwer, statistics per unit (specs/transcripts/meeting/orcwer.yaml)
-- Optimal reference combination word error rate (ORC-WER): errors / number of reference words. Each utterance
--   of the reference is given to one of the streams of the hypothesis, so that the total number of
--   substitutions, deletions and insertions is minimal. Confusing speakers therefore costs nothing. 0 is
--   perfect. It can exceed 1. In a document that needs more than orc_cells, the division is found greedily,
--   as in meeteval 0.4.3; a note says so. The greedy division can have more errors than the best one.
CREATE TABLE "orcwer_units" AS
SELECT "document",
    sum(words) AS "words",
    sum(substitutions) AS "substitutions",
    sum(deletions) AS "deletions",
    sum(insertions) AS "insertions",
    count_if(beyond) AS "beyond"
FROM "orc_outcomes" AS counted_rows
GROUP BY ALL;

-- ## meeting.orcwer
-- metric orcwer, scores (specs/transcripts/meeting/orcwer.yaml)
CREATE TABLE "orcwer" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("words"), 0) AS "words",
        coalesce(sum("substitutions"), 0) AS "substitutions",
        coalesce(sum("deletions"), 0) AS "deletions",
        coalesce(sum("insertions"), 0) AS "insertions",
        coalesce(sum("beyond"), 0) AS "beyond"
    FROM "orcwer_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(substitutions + deletions + insertions, words) AS "value",
    substitutions + deletions + insertions AS "errors",
    words AS "words",
    insertions AS "insertions",
    deletions AS "deletions",
    substitutions AS "substitutions",
    CASE WHEN beyond > 0 AND words > 0 THEN 'greedy: a document needs more than orc_cells' ELSE NULL END AS remark,
    CASE WHEN words = 0 THEN 'the reference has no words' ELSE nullif(concat_ws(', ', CASE WHEN sums."words" = 0 THEN 'words = 0' END, CASE WHEN sums."substitutions" = 0 THEN 'substitutions = 0' END, CASE WHEN sums."deletions" = 0 THEN 'deletions = 0' END, CASE WHEN sums."insertions" = 0 THEN 'insertions = 0' END, CASE WHEN sums."beyond" = 0 THEN 'beyond = 0' END), '') END AS note
FROM sums;

-- ## meeting.cp_alignment
-- relation cp_alignment (specs/transcripts/meeting/cpwer.yaml)
-- Evidence: the alignment of assigned speakers, each row with its words. An inserted word is in the segment
--   of the reference word before it, or, at the beginning, of the first reference word.
CREATE TABLE "cp_alignment" AS
SELECT document, coalesce(segment, last_value(segment IGNORE NULLS) OVER upto, first_value(segment IGNORE NULLS) OVER beyond) AS segment,
    speaker, hypothesis_speaker, row_number() OVER (PARTITION BY document ORDER BY pair, block) - 1 AS block,
    left_end - "left" AS ref_begin, left_end AS ref_end, right_end - "right" AS hyp_begin, right_end AS hyp_end, ref_words, hyp_words,
    CASE WHEN correct THEN 'correct' WHEN "left" = 0 THEN 'inserted' WHEN "right" = 0 THEN 'deleted' ELSE 'substituted' END AS outcome
FROM (
    SELECT block_.*, speaker, hypothesis_speaker, ref_.segment, ref_.word AS ref_words, hyp_.word AS hyp_words
    FROM "cp_blocks" AS block_
    JOIN "cp_assignment" AS pair_ USING (document, pair)
    LEFT JOIN "stream_words" AS ref_
        ON "left" = 1 AND ref_.side = 0 AND block_.document = ref_.document AND speaker = ref_.stream AND left_end - 1 = ref_.position
    LEFT JOIN "stream_words" AS hyp_
        ON "right" = 1 AND hyp_.side = 1 AND block_.document = hyp_.document AND hypothesis_speaker = hyp_.stream
            AND right_end - 1 = hyp_.position
)
WINDOW upto AS (PARTITION BY document, pair ORDER BY block ROWS UNBOUNDED PRECEDING),
    beyond AS (PARTITION BY document, pair ORDER BY block ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING);

-- ## meeting.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        coalesce(remark, remark(value, note)) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'cpwer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'errors', 'value': "errors"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'words', 'value': "words"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'insertions', 'value': "insertions"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 4, 'component': 'deletions', 'value': "deletions"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 5, 'component': 'substitutions', 'value': "substitutions"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 6, 'component': 'missed_speakers', 'value': "missed_speakers"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 7, 'component': 'extra_speakers', 'value': "extra_speakers"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 8, 'component': 'scored_speakers', 'value': "scored_speakers"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "cpwer"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'tcpwer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 1, 'component': 'errors', 'value': "errors"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 2, 'component': 'words', 'value': "words"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 3, 'component': 'insertions', 'value': "insertions"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 4, 'component': 'deletions', 'value': "deletions"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 5, 'component': 'substitutions', 'value': "substitutions"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 6, 'component': 'missed_speakers', 'value': "missed_speakers"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 7, 'component': 'extra_speakers', 'value': "extra_speakers"::DOUBLE, 'remark': NULL::VARCHAR},
                {'place': 8, 'component': 'scored_speakers', 'value': "scored_speakers"::DOUBLE, 'remark': NULL::VARCHAR}
            ], recursive := true)
        FROM "tcpwer"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'orcwer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': remark},
                {'place': 1, 'component': 'errors', 'value': "errors"::DOUBLE, 'remark': remark},
                {'place': 2, 'component': 'words', 'value': "words"::DOUBLE, 'remark': remark},
                {'place': 3, 'component': 'insertions', 'value': "insertions"::DOUBLE, 'remark': remark},
                {'place': 4, 'component': 'deletions', 'value': "deletions"::DOUBLE, 'remark': remark},
                {'place': 5, 'component': 'substitutions', 'value': "substitutions"::DOUBLE, 'remark': remark}
            ], recursive := true)
        FROM "orcwer"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## mixed.Suite_mixed
-- Suite mixed: Mixed error rate for texts of several scripts: Han, Kana, Thai, Lao and Khmer are compared by
--   character, other scripts by word.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, times, metadata (not read:
--   transcript, alignment, pronunciations, glm); also the tables …_rows_…, which Python functions make
-- Order: each of the 15 steps reads inputs and steps above it. Metrics: word_outcomes → mixed

-- ## mixed.text_checks, like cer.text_checks except:
@@ -100 +100 @@
-WHERE attached AND 'characters' = 'words'
+WHERE attached AND 'mixed' = 'words'

-- ## mixed.characters_and_words
-- relation characters_and_words (specs/transcripts/shared/words.yaml)
-- The characters of scripts without blanks between words, and the words of other scripts. A mark without a
--   script of its own, such as the long vowel mark ー, belongs to the script of the character before it: in
--   ユーザーID, it is a character.
CREATE TABLE "characters_and_words" AS
SELECT * EXCLUDE (symbols, blank_entity) REPLACE (unnest(symbols) AS word, (part << 32) + unnest(range(len(symbols))) AS part,
    unnest(list_transform(symbols, lambda symbol: if(symbol = ' ', blank_entity, entity))) AS entity)
FROM (
    SELECT *, if(word IS NULL, [NULL], regexp_extract_all(word, '[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{M}ーｰﾞﾟ゛゜]|[^\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{M}ーｰﾞﾟ゛゜][^\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}]*')) AS symbols,
        if(entity = lag(entity) OVER (PARTITION BY side, document, segment_number ORDER BY number, part), entity, NULL) AS blank_entity
    FROM "written_words"
);

-- ## mixed.chosen_branches, like cer.chosen_branches except:
@@ -8,2 +8,2 @@
---   FROM "word_characters" AS word_
---   SEMI JOIN (FROM "word_characters" WHERE alternation IS NOT NULL) AS parted USING (document, segment_number)
+--   FROM "characters_and_words" AS word_
+--   SEMI JOIN (FROM "characters_and_words" WHERE alternation IS NOT NULL) AS parted USING (document, segment_number)

-- ## mixed.words, like cer.words except:
@@ -10 +10 @@
-    FROM "word_characters"
+    FROM "characters_and_words"
@@ -13 +13 @@
-    QUALIFY 'characters' <> 'characters' OR word <> ' '
+    QUALIFY 'mixed' <> 'characters' OR word <> ' '

-- ## mixed.mixed_units
-- metric mixed, statistics per unit (specs/transcripts/mixed/mixed.yaml)
-- Mixed error rate: (substitutions + deletions + insertions) / number of units of the reference. A unit is a
--   character in the scripts Han, Hiragana, Katakana, Thai, Lao and Khmer, and a word in other scripts. 0 is
--   perfect. It can exceed 1 if many units are inserted.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "mixed_units" AS
SELECT "region", "document", "segment",
    sum(correct) AS "correct",
    sum(hypothesis_correct) AS "hypothesis_correct",
    sum(substitutions) AS "substitutions",
    sum(deletions) AS "deletions",
    sum(insertions) AS "insertions",
    sum(words) AS "words",
    sum(segments) AS "segments",
    sum(wrong_segments) AS "wrong_segments"
FROM "word_outcomes" AS counted_rows
GROUP BY ALL;

-- ## mixed.mixed, like formatting.wer except:
@@ -1,2 +1 @@
--- metric wer, scores, case = fold, hyphen = split, punctuation = remove
---   (specs/transcripts/shared/wer.yaml)
+-- metric mixed, scores (specs/transcripts/mixed/mixed.yaml)
@@ -7 +6 @@
-CREATE TABLE "wer" AS
+CREATE TABLE "mixed" AS
@@ -22 +21 @@
-    FROM "wer_units"
+    FROM "mixed_units"
@@ -38 +37 @@
-    FROM "wer_units"
+    FROM "mixed_units"

-- ## mixed.the_scores, like cer.the_scores except:
@@ -8 +8 @@
-        SELECT 0 AS position, 0 AS variant, 'cer' AS metric, slice, breakdown, note,
+        SELECT 0 AS position, 0 AS variant, 'mixed' AS metric, slice, breakdown, note,
@@ -22 +22 @@
-        FROM "cer"
+        FROM "mixed"

-- ## muc_ne.Suite_muc_ne
-- Suite muc_ne: Named entities scored by type and text: the MUC mode of the scorer of Burger, Palmer and
--   Hirschman (1998), whose mapping of entities is greedy (section 2.3). If both texts have the same words,
--   and each entity overlaps at most one entity of the other text, the scores equal those of the scorer of
--   the Message Understanding Conferences (MUC). That scorer chose the pairs of entities that give the best
--   score, as mapping=optimal does. The texts can also differ, as in the output of a speech recogniser.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, times, pronunciations,
--   metadata (not read: transcript, alignment, glm); also the tables …_rows_…, which Python functions make
-- Order: each of the 25 steps reads inputs and steps above it. Metrics: slot_outcomes → slots, entities,
--   muc_errors

-- ## muc_ne.pronunciations
-- input pronunciations (specs/transcripts/tables.yaml): One row per word, with its phones. If a word
--   has several rows, the first is used. Words without a row get their phones from the spelling rules of the
--   parameter letter_sounds.
CREATE TABLE IF NOT EXISTS "pronunciations" (line BIGINT, "word" VARCHAR, "phones" VARCHAR);

-- ## muc_ne.written_words, like formatting.written_words except:
@@ -1,2 +1 @@
--- relation written_words, case = fold, hyphen = split, punctuation = remove
---   (specs/transcripts/shared/words.yaml)
+-- relation written_words (specs/transcripts/shared/words.yaml)

-- ## muc_ne.chosen_branches, like formatting.chosen_branches except:
@@ -1,2 +1 @@
--- relation chosen_branches, case = fold, hyphen = split, punctuation = remove
---   (specs/transcripts/shared/words.yaml)
+-- relation chosen_branches (specs/transcripts/shared/words.yaml)

-- ## muc_ne.words, like formatting.words except:
@@ -1,2 +1 @@
--- relation words, case = fold, hyphen = split, punctuation = remove
---   (specs/transcripts/shared/words.yaml)
+-- relation words (specs/transcripts/shared/words.yaml)

-- ## muc_ne.tagged_entities
-- relation tagged_entities (specs/transcripts/shared/words.yaml)
-- The tagged entities of both texts, each with its type and the positions of its words.
CREATE TABLE "tagged_entities" AS
WITH types AS (
    SELECT upper(trim(split_part(entry, '=', 1))) AS tag, trim(split_part(entry, '=', 2)) AS type
    FROM (SELECT unnest(['ENAMEX PERSON=PERSON', 'ENAMEX ORGANIZATION=ORGANIZATION', 'ENAMEX LOCATION=LOCATION', 'TIMEX DATE=DATE', 'TIMEX TIME=TIME', 'NUMEX MONEY=MONEY', 'NUMEX PERCENT=PERCENT', 'P=PERSON', 'O=ORGANIZATION', 'L=LOCATION', 'D=DATE', 'T=TIME', 'M=MONEY', 'PER=PERSON', 'ORG=ORGANIZATION', 'LOC=LOCATION', 'PERSON=PERSON', 'ORGANIZATION=ORGANIZATION', 'LOCATION=LOCATION', 'DATE=DATE', 'TIME=TIME', 'MONEY=MONEY', 'PERCENT=PERCENT']::VARCHAR[]) AS entry)
)
SELECT 0 AS side, *
FROM (
    SELECT *, CASE
        WHEN type IS NULL THEN if(line = min(line) OVER (PARTITION BY tag),
            concat('unknown tag ', tag, '; add it to the parameter tags, as ', tag, '=TYPE; tags=[*] takes all tags'), NULL)
        WHEN tags > 1 THEN concat('entity ', entity, ' of document ', document, ' has tokens with different tags; give all of them the same tag')
        WHEN segments > 1 THEN concat('entity ', entity, ' of document ', document,
            ' has tokens in more than one segment; end the entity at the end of its segment')
        WHEN last - first > words THEN concat('entity ', entity, ' of document ', document,
            ' is interrupted by other words; give the words after the interruption another entity number')
        END AS fault
    FROM (
        SELECT document, entity, entities.tag, line, coalesce(types.type, if(other_.type IS NOT NULL, upper(entities.tag), NULL)) AS type,
            first, last, coalesce(words, 0) AS words, tags, segments
        FROM (
            SELECT document, entity, min(tag) AS tag, count(DISTINCT tag) AS tags, min(line) AS line,
                count(DISTINCT coalesce(segment, '')) AS segments
            FROM "reference"
            WHERE entity IS NOT NULL
            GROUP BY ALL
        ) AS entities
        LEFT JOIN (
            SELECT document, entity, min(position) AS first, max(position) + 1 AS last, count(*) AS words
            FROM (FROM "words" WHERE side = 0)
            WHERE entity IS NOT NULL
            GROUP BY ALL
        ) USING (document, entity)
        LEFT JOIN types ON types.tag = upper(entities.tag)
        LEFT JOIN types AS other_ ON other_.tag = '*'
    )
)
UNION ALL
SELECT 1 AS side, *
FROM (
    SELECT *, CASE
        WHEN type IS NULL THEN if(line = min(line) OVER (PARTITION BY tag),
            concat('unknown tag ', tag, '; add it to the parameter tags, as ', tag, '=TYPE; tags=[*] takes all tags'), NULL)
        WHEN tags > 1 THEN concat('entity ', entity, ' of document ', document, ' has tokens with different tags; give all of them the same tag')
        WHEN segments > 1 THEN concat('entity ', entity, ' of document ', document,
            ' has tokens in more than one segment; end the entity at the end of its segment')
        WHEN last - first > words THEN concat('entity ', entity, ' of document ', document,
            ' is interrupted by other words; give the words after the interruption another entity number')
        END AS fault
    FROM (
        SELECT document, entity, entities.tag, line, coalesce(types.type, if(other_.type IS NOT NULL, upper(entities.tag), NULL)) AS type,
            first, last, coalesce(words, 0) AS words, tags, segments
        FROM (
            SELECT document, entity, min(tag) AS tag, count(DISTINCT tag) AS tags, min(line) AS line,
                count(DISTINCT coalesce(segment, '')) AS segments
            FROM (
                SELECT token_.* REPLACE (coalesce(recording, document) AS document)
                FROM "hypothesis" AS token_
                LEFT JOIN (SELECT document, segment, recording FROM "text_checks" WHERE kind = 'recording') AS check_ USING (document, segment)
            )
            WHERE entity IS NOT NULL
            GROUP BY ALL
        ) AS entities
        LEFT JOIN (
            SELECT document, entity, min(position) AS first, max(position) + 1 AS last, count(*) AS words
            FROM (FROM "words" WHERE side = 1)
            WHERE entity IS NOT NULL
            GROUP BY ALL
        ) USING (document, entity)
        LEFT JOIN types ON types.tag = upper(entities.tag)
        LEFT JOIN types AS other_ ON other_.tag = '*'
    )
);

-- ## muc_ne.text_entities
-- relation text_entities (specs/transcripts/shared/words.yaml)
-- The tagged entities of both texts that have words, numbered from 0 within their document in the order of
--   their first words.
CREATE TABLE "text_entities" AS
SELECT side, document, row_number() OVER (PARTITION BY side, document ORDER BY first) - 1 AS entity, type, first, last,
    segment_.segment, speaker
FROM "tagged_entities"
JOIN (SELECT side, document, position AS first, segment_number FROM "words") USING (side, document, first)
LEFT JOIN "segments" AS segment_ USING (document, segment_number);

-- ## muc_ne.word_sounds
-- relation word_sounds (specs/transcripts/shared/alignment.yaml)
-- The distinct words, each with its phones: the first pronunciation in the input `pronunciations` or, if
--   there is none, the phones by the rules in `letter_sounds`. At each position, from left to right, the
--   first rule whose letters match is applied. `_` is the start or the end of a word: SHE is read as `_SHE_`,
--   to which the rule `_SHE_=SH IY` applies.
CREATE TABLE "word_sounds" AS
WITH distinct_words AS (
    SELECT DISTINCT word FROM "words"
),
dictionary AS (
    SELECT upper(nfc_normalize(word)) AS word, arg_min(regexp_replace(phones, '[0-9]', '', 'g'), line) AS phones
    FROM "pronunciations"
    GROUP BY ALL
)
SELECT word_.word, coalesce(phones, array_to_string(list_filter(list_transform(
        regexp_extract_all('_' || upper(strip_accents(word_.word)) || '_', '_A_|_ARE_|_BE_|_COME_|_DO_|_FROM_|_HAVE_|_HE_|_I_|_ME_|_OF_|_ONE_|_SAID_|_SHE_|_THE_|_THEIR_|_THEY_|_TO_|_TWO_|_WAS_|_WE_|_WERE_|_WHO_|_YOU_|_I''|_KN|_WR|TION|SSION|SION|IGHT|IGH|EIGH|OUGH|AUGH|SCH|TCH|CH|SH|TH|PH|WH|GH|CK|NG|QU|EE|EA|OO|OU|OW|OI|OY|AI|AY|AU|AW|EY|EI|IE|OA|EW|UE|BB|DD|FF|GG|LL|MM|NN|PP|RR|SSES_|SES_|SS|TT|ZZ|CC|CE_|CE|CI|CY|GE_|GE|GI|ER|IR|UR|ES_|E_|Y_|O_|A|B|C|D|E|F|G|H|I|J|K|L|M|N|O|P|Q|R|S|T|U|V|W|X|Y|Z|_|''|.'),
        lambda letters: coalesce(MAP {'_A_': 'AH', '_ARE_': 'AA R', '_BE_': 'B IY', '_COME_': 'K AH M', '_DO_': 'D UW', '_FROM_': 'F R AH M', '_HAVE_': 'HH AE V', '_HE_': 'HH IY', '_I_': 'AY', '_ME_': 'M IY', '_OF_': 'AH V', '_ONE_': 'W AH N', '_SAID_': 'S EH D', '_SHE_': 'SH IY', '_THE_': 'DH AH', '_THEIR_': 'DH EH R', '_THEY_': 'DH EY', '_TO_': 'T UW', '_TWO_': 'T UW', '_WAS_': 'W AH Z', '_WE_': 'W IY', '_WERE_': 'W ER', '_WHO_': 'HH UW', '_YOU_': 'Y UW', '_I''': 'AY', '_KN': 'N', '_WR': 'R', 'TION': 'SH AH N', 'SSION': 'SH AH N', 'SION': 'ZH AH N', 'IGHT': 'AY T', 'IGH': 'AY', 'EIGH': 'EY', 'OUGH': 'AO', 'AUGH': 'AO', 'SCH': 'SH', 'TCH': 'CH', 'CH': 'CH', 'SH': 'SH', 'TH': 'TH', 'PH': 'F', 'WH': 'W', 'GH': 'G', 'CK': 'K', 'NG': 'NG', 'QU': 'K W', 'EE': 'IY', 'EA': 'IY', 'OO': 'UW', 'OU': 'AW', 'OW': 'OW', 'OI': 'OY', 'OY': 'OY', 'AI': 'EY', 'AY': 'EY', 'AU': 'AO', 'AW': 'AO', 'EY': 'IY', 'EI': 'EY', 'IE': 'IY', 'OA': 'OW', 'EW': 'Y UW', 'UE': 'UW', 'BB': 'B', 'DD': 'D', 'FF': 'F', 'GG': 'G', 'LL': 'L', 'MM': 'M', 'NN': 'N', 'PP': 'P', 'RR': 'R', 'SSES_': 'S IH Z', 'SES_': 'S IH Z', 'SS': 'S', 'TT': 'T', 'ZZ': 'Z', 'CC': 'K', 'CE_': 'S', 'CE': 'S EH', 'CI': 'S IH', 'CY': 'S AY', 'GE_': 'JH', 'GE': 'JH EH', 'GI': 'JH IH', 'ER': 'ER', 'IR': 'ER', 'UR': 'ER', 'ES_': 'Z', 'E_': '', 'Y_': 'IY', 'O_': 'OW', 'A': 'AE', 'B': 'B', 'C': 'K', 'D': 'D', 'E': 'EH', 'F': 'F', 'G': 'G', 'H': 'HH', 'I': 'IH', 'J': 'JH', 'K': 'K', 'L': 'L', 'M': 'M', 'N': 'N', 'O': 'AA', 'P': 'P', 'Q': 'K', 'R': 'R', 'S': 'S', 'T': 'T', 'U': 'AH', 'V': 'V', 'W': 'W', 'X': 'K S', 'Y': 'Y', 'Z': 'Z', '_': '', '''': ''}[letters], letters)
    ), lambda phone: phone <> ''), ' ')) AS sounds
FROM distinct_words AS word_
LEFT JOIN dictionary ON upper(word_.word) = dictionary.word;

-- ## muc_ne.phonetic_blocks
-- relation phonetic_blocks (specs/transcripts/shared/alignment.yaml)
-- One row per block of the alignment by phones, in which a block has up to block_words words of each text
--   (aligner=phonetic).
-- "phonetic_blocks_rows" is what the Python function phonetic_alignment (phones = [P=consonant stop
--   labial,B=consonant stop labial voiced,T=consonant stop alveolar,D=consonant stop alveolar
--   voiced,K=consonant stop velar,G=consonant stop velar voiced,CH=consonant affricate palatal,JH=consonant
--   affricate palatal voiced,F=consonant fricative labial,V=consonant fricative labial voiced,TH=consonant
--   fricative dental,DH=consonant fricative dental voiced,S=consonant fricative alveolar,Z=consonant
--   fricative alveolar voiced,SH=consonant fricative palatal,ZH=consonant fricative palatal
--   voiced,HH=consonant fricative glottal,M=consonant nasal labial voiced,N=consonant nasal alveolar
--   voiced,NG=consonant nasal velar voiced,L=consonant liquid alveolar voiced,R=consonant liquid palatal
--   voiced,W=consonant glide labial voiced,Y=consonant glide palatal voiced,IY=vowel high front
--   tense,IH=vowel high front,EY=vowel mid front tense glide,EH=vowel mid front,AE=vowel low front,AA=vowel
--   low back,AO=vowel low back round,OW=vowel mid back round tense glide,UH=vowel high back round,UW=vowel
--   high back round tense,AH=vowel mid central,ER=vowel mid central tense,AY=vowel low central glide,AW=vowel
--   low central round glide,OY=vowel mid back round glide], phone_cost = 0.55, boundary_cost = 0.3,
--   least_cost = 0.15, class_cost = 1.2, word_cost = 0.3, group_cost = 0.2, block_words = 3) makes of the
--   rows of
--   SELECT document, unit, side, word AS text, sounds
--   FROM (
--       SELECT *, segment_number AS unit FROM "words"
--   )
--   JOIN "word_sounds" USING (word)
--   ORDER BY document, unit, side, position
CREATE TABLE "phonetic_blocks" AS
FROM "phonetic_blocks_rows";

-- ## muc_ne.blocks, like cer.blocks except:
@@ -12 +12 @@
-    SELECT *, false AS anchored FROM "edit_blocks"
+    SELECT *, false AS anchored FROM "phonetic_blocks"

-- ## muc_ne.aligned_entities
-- relation aligned_entities (specs/transcripts/shared/mapping.yaml)
-- The entities of both texts with their place in the alignment: the blocks of their first and last word, and
--   the positions in the other text at which these blocks start and end (`across_first`, `across_last`). With
--   these numbers, extents are compared without the words.
-- `correct_to_first` and `correct_to_last` are the numbers of correct blocks before the boundary. If these
--   numbers are equal for two boundaries, there are only word errors between them. `error_at_…`: the first
--   word inside the boundary, or the first word outside of it, is in a word error.
-- A hypothesis entity has the segment of its first block, because with align_within = document hypothesis
--   words have no segment.
CREATE TABLE "aligned_entities" AS
WITH boundaries AS (
    SELECT if(side = 0, 'reference', 'hypothesis') AS side, document, segment, speaker, type, "first", "last",
        row_number() OVER (PARTITION BY side ORDER BY document, "first") AS entity,
        unnest([
            {'place': 'ahead', 'position': "first" - 1}, {'place': 'first', 'position': "first"},
            {'place': 'last', 'position': "last" - 1}, {'place': 'behind', 'position': "last"}
        ], recursive := true)
    FROM "text_entities"
),
words AS (
    SELECT 'reference' AS side, document, unnest(range(ref_begin, ref_end)) AS position,
        block, correct, correct_before, hyp_begin AS across_begin, hyp_end AS across_end,
        segment AS block_segment, speaker AS block_speaker
    FROM "blocks"
    UNION ALL
    SELECT 'hypothesis' AS side, document, unnest(range(hyp_begin, hyp_end)) AS position,
        block, correct, correct_before, ref_begin AS across_begin, ref_end AS across_end,
        segment AS block_segment, speaker AS block_speaker
    FROM "blocks"
)
SELECT side, document, type, entity, "first", "last",
    if(side = 'reference', segment, any_value(block_segment) FILTER (place = 'first')) AS segment,
    if(side = 'reference', speaker, any_value(block_speaker) FILTER (place = 'first')) AS speaker,
    any_value(block) FILTER (place = 'first') AS first_block,
    any_value(across_begin) FILTER (place = 'first') AS across_first,
    any_value(correct_before) FILTER (place = 'first') AS correct_to_first,
    bool_or(NOT correct) FILTER (place IN ('first', 'ahead')) AS error_at_first,
    any_value(block) FILTER (place = 'last') AS last_block,
    any_value(across_end) FILTER (place = 'last') AS across_last,
    any_value(correct_before + correct::BIGINT) FILTER (place = 'last') AS correct_to_last,
    bool_or(NOT correct) FILTER (place IN ('last', 'behind')) AS error_at_last
FROM boundaries
JOIN words USING (side, document, position)
GROUP BY side, document, segment, speaker, type, entity, "first", "last";

-- ## muc_ne.compared_pairs
-- relation compared_pairs (specs/transcripts/shared/mapping.yaml)
-- The pairs of a reference entity and a hypothesis entity that have words in a common block, so that they can
--   be mapped to each other, with the result of each comparison. Extent is correct if each boundary differs
--   by no word, or by at most `extent_tolerance` words and `tolerance_rule` accepts the difference. Content
--   is correct if there is no word error from the first to the last block with words of both entities. If the
--   reference entity is NEWT GINGRICH, and the hypothesis entity is GINGRICH in the text NEW GINGRICH, the
--   content is correct: the only block with words of both is the block of GINGRICH, and the error NEW is
--   outside of this block.
-- An island is a group of pairs that share entities with each other, directly or through further pairs, and
--   with no other pair. The mapping has a choice only in islands of two or more pairs (`contested`).
CREATE TABLE "compared_pairs" AS
WITH touched AS (
    SELECT side, document, entity, unnest(range(first_block, last_block + 1)) AS block
    FROM "aligned_entities"
),
-- word errors: number of blocks from the first to the last with words of both entities, minus the correct blocks among
-- them
shared AS (
    SELECT reference_.entity AS reference_entity, hypothesis_.entity AS hypothesis_entity,
        max(block) + 1 - min(block) - (max(correct_before + correct::BIGINT) - min(correct_before)) AS word_errors
    FROM (FROM touched WHERE side = 'reference') AS reference_
    JOIN (FROM touched WHERE side = 'hypothesis') AS hypothesis_ USING (document, block)
    JOIN "blocks" USING (document, block)
    WHERE ref_begin < ref_end AND hyp_begin < hyp_end
    GROUP BY ALL
),
-- distance of two boundaries: number of words between them, in the reference or in the hypothesis, whichever is larger
measured AS (
    SELECT reference_entity, hypothesis_entity, word_errors, reference_.type = hypothesis_.type AS type_correct,
        greatest(
            abs(hypothesis_.across_first - reference_."first"),
            abs(reference_.across_first - hypothesis_."first")
        ) AS first_off,
        first_off = 0 OR first_off <= 0::BIGINT AND CASE 'span'
            WHEN 'span' THEN reference_.correct_to_first = hypothesis_.correct_to_first
            WHEN 'adjacent' THEN reference_.error_at_first OR hypothesis_.error_at_first
            ELSE true END AS first_correct,
        greatest(
            abs(hypothesis_.across_last - reference_."last"),
            abs(reference_.across_last - hypothesis_."last")
        ) AS last_off,
        last_off = 0 OR last_off <= 0::BIGINT AND CASE 'span'
            WHEN 'span' THEN reference_.correct_to_last = hypothesis_.correct_to_last
            WHEN 'adjacent' THEN reference_.error_at_last OR hypothesis_.error_at_last
            ELSE true END AS last_correct
    FROM shared
    JOIN (FROM "aligned_entities" WHERE side = 'reference') AS reference_ ON reference_.entity = reference_entity
    JOIN (FROM "aligned_entities" WHERE side = 'hypothesis') AS hypothesis_ ON hypothesis_.entity = hypothesis_entity
),
-- Pairs are in the order of both texts, so that an island begins where both entities are after those of the previous pair.
begun AS (
    SELECT *, coalesce(
        reference_entity > lag(reference_entity) OVER in_order AND hypothesis_entity > lag(hypothesis_entity) OVER in_order,
        true
    ) AS begins
    FROM measured
    WINDOW in_order AS (ORDER BY reference_entity, hypothesis_entity)
),
numbered AS (
    SELECT *, count_if(begins) OVER (
        ORDER BY reference_entity, hypothesis_entity ROWS UNBOUNDED PRECEDING
    ) AS island
    FROM begun
)
SELECT reference_entity, hypothesis_entity, first_off, last_off, first_correct, last_correct, word_errors,
    type_correct, first_correct AND last_correct AS extent_correct, word_errors = 0 AS content_correct,
    extent_correct AND content_correct AS text_correct,
    island, count(*) OVER (PARTITION BY island) > 1 AS contested
FROM numbered;

-- ## muc_ne.mapped_pairs
-- relation mapped_pairs (specs/transcripts/shared/mapping.yaml)
-- The pairs of entities that are mapped to each other, one-to-one: the only pair of its island, or chosen by
--   the function first_best_matching.
-- "mapped_pairs_rows" is what the Python function first_best_matching makes of the rows of
--   SELECT island, reference_entity AS left_row, hypothesis_entity AS right_row
--   FROM "compared_pairs"
--   WHERE contested
--   ORDER BY island, left_row, right_row
CREATE TABLE "mapped_pairs" AS
SELECT * EXCLUDE (island, contested) FROM "compared_pairs" WHERE NOT contested
UNION ALL
SELECT compared_.* EXCLUDE (island, contested)
FROM "compared_pairs" AS compared_
JOIN "mapped_pairs_rows" AS row_
    ON compared_.island = row_.island AND reference_entity = left_row AND hypothesis_entity = right_row;

-- ## muc_ne.entity_outcomes
-- relation entity_outcomes (specs/transcripts/shared/mapping.yaml)
-- The entities of both texts. A mapped pair is one row. A reference entity that is not mapped is missing, and
--   a hypothesis entity that is not mapped is spurious. A mapped pair has the type and segment of the
--   reference entity.
CREATE TABLE "entity_outcomes" AS
SELECT
    coalesce(reference_.document, hypothesis_.document) AS document,
    coalesce(reference_.segment, hypothesis_.segment) AS segment,
    coalesce(reference_.speaker, hypothesis_.speaker) AS speaker,
    coalesce(reference_.type, hypothesis_.type) AS entity_type,
    CASE WHEN hypothesis_entity IS NULL THEN 'missing' WHEN reference_entity IS NULL THEN 'spurious' ELSE 'mapped' END AS outcome,
    reference_entity, reference_.type AS reference_type, reference_."first" AS reference_first, reference_."last" AS reference_last,
    hypothesis_entity, hypothesis_.type AS hypothesis_type, hypothesis_."first" AS hypothesis_first, hypothesis_."last" AS hypothesis_last,
type_correct AND text_correct AS all_correct,
    first_correct, last_correct, type_correct, extent_correct, content_correct, text_correct, first_off, last_off, word_errors
FROM (SELECT * RENAME (entity AS reference_entity) FROM "aligned_entities" WHERE side = 'reference') AS reference_
LEFT JOIN "mapped_pairs" USING (reference_entity)
FULL JOIN (SELECT * RENAME (entity AS hypothesis_entity) FROM "aligned_entities" WHERE side = 'hypothesis') AS hypothesis_
    USING (hypothesis_entity);

-- ## muc_ne.slot_outcomes
-- relation slot_outcomes (specs/transcripts/shared/mapping.yaml)
-- The slots: one row for each entity and each scored aspect (type, extent, content or text). A slot of a
--   mapped pair is correct or substituted; the slots of a missing entity are missing, and the slots of a
--   spurious entity are spurious. With three aspects, a mapped pair in which only the type is wrong has two
--   correct slots and one substituted slot.
CREATE TABLE "slot_outcomes" AS
SELECT document, segment, speaker, entity_type, aspect,
    if(outcome = 'mapped', if(is_correct, 'correct', 'substituted'), outcome) AS outcome
FROM (
    SELECT document, segment, speaker, entity_type, outcome, unnest([
        {'aspect': 'type', 'is_correct': type_correct},
        {'aspect': 'text', 'is_correct': text_correct}
    ], recursive := true)
    FROM "entity_outcomes"
);

-- ## muc_ne.slots_units
-- metric slots, statistics per unit (specs/transcripts/shared/slots.yaml)
-- Slot counts: numbers of correct, substituted, missing and spurious slots. Each entity has one slot for each
--   scored aspect (parameter aspects).
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "slots_units" AS
SELECT "aspect", "entity_type", "document", "segment",
    count_if(outcome = 'correct') AS "correct",
    count_if(outcome = 'substituted') AS "substituted",
    count_if(outcome = 'missing') AS "missing",
    count_if(outcome = 'spurious') AS "spurious",
    count_if(outcome <> 'spurious') AS "possible",
    count_if(outcome <> 'missing') AS "actual"
FROM "slot_outcomes" AS counted_rows
GROUP BY ALL;

-- ## muc_ne.slots
-- metric slots, scores (specs/transcripts/shared/slots.yaml)
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from these sums. With then = mean, the components are first computed
--   for each unit and then averaged over the units. The components `of_slice` have one value for all units of
--   a slice.
CREATE TABLE "slots" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        NULL AS "aspect",
        NULL AS "entity_type",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("substituted"), 0) AS "substituted",
        coalesce(sum("missing"), 0) AS "missing",
        coalesce(sum("spurious"), 0) AS "spurious",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual"
    FROM "slots_units"
    GROUP BY ALL
    UNION ALL
    SELECT
        json_object() AS scope,
        json_object('aspect', "aspect") AS slice,
        1 AS breakdown,
        "aspect" AS "aspect",
        NULL AS "entity_type",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("substituted"), 0) AS "substituted",
        coalesce(sum("missing"), 0) AS "missing",
        coalesce(sum("spurious"), 0) AS "spurious",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual"
    FROM "slots_units"
    WHERE NOT ("aspect" IS NULL)
    GROUP BY ALL
    UNION ALL
    SELECT
        json_object() AS scope,
        json_object('entity_type', "entity_type") AS slice,
        2 AS breakdown,
        NULL AS "aspect",
        "entity_type" AS "entity_type",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("substituted"), 0) AS "substituted",
        coalesce(sum("missing"), 0) AS "missing",
        coalesce(sum("spurious"), 0) AS "spurious",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual"
    FROM "slots_units"
    WHERE NOT ("entity_type" IS NULL)
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    "correct" AS "correct",
    "substituted" AS "substituted",
    "missing" AS "missing",
    "spurious" AS "spurious",
    "possible" AS "possible",
    "actual" AS "actual",
    nullif(concat_ws(', ', CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."substituted" = 0 THEN 'substituted = 0' END, CASE WHEN sums."missing" = 0 THEN 'missing = 0' END, CASE WHEN sums."spurious" = 0 THEN 'spurious = 0' END, CASE WHEN sums."possible" = 0 THEN 'possible = 0' END, CASE WHEN sums."actual" = 0 THEN 'actual = 0' END), '') AS note
FROM sums;

-- ## muc_ne.entities_units
-- metric entities, statistics per unit (specs/transcripts/shared/entities.yaml)
-- Precision, recall, F score and slot error rate over slots. Each entity has one slot for each scored aspect
--   (parameter aspects), so that an entity can be partly correct. In whole_entities, an entity is correct
--   only if all of its scored aspects are correct.
CREATE TABLE "entities_units" AS
SELECT "aspect", "entity_type", "document", "segment",
    count_if(outcome = 'correct') AS "correct",
    count_if(outcome = 'substituted') AS "substituted",
    count_if(outcome = 'missing') AS "missing",
    count_if(outcome = 'spurious') AS "spurious",
    count_if(outcome <> 'spurious') AS "possible",
    count_if(outcome <> 'missing') AS "actual"
FROM "slot_outcomes" AS counted_rows
GROUP BY ALL;

-- ## muc_ne.entities
-- metric entities, scores (specs/transcripts/shared/entities.yaml)
CREATE TABLE "entities" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        NULL AS "aspect",
        NULL AS "entity_type",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("substituted"), 0) AS "substituted",
        coalesce(sum("missing"), 0) AS "missing",
        coalesce(sum("spurious"), 0) AS "spurious",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual"
    FROM "entities_units"
    GROUP BY ALL
    UNION ALL
    SELECT
        json_object() AS scope,
        json_object('aspect', "aspect") AS slice,
        1 AS breakdown,
        "aspect" AS "aspect",
        NULL AS "entity_type",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("substituted"), 0) AS "substituted",
        coalesce(sum("missing"), 0) AS "missing",
        coalesce(sum("spurious"), 0) AS "spurious",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual"
    FROM "entities_units"
    WHERE NOT ("aspect" IS NULL)
    GROUP BY ALL
    UNION ALL
    SELECT
        json_object() AS scope,
        json_object('entity_type', "entity_type") AS slice,
        2 AS breakdown,
        NULL AS "aspect",
        "entity_type" AS "entity_type",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("substituted"), 0) AS "substituted",
        coalesce(sum("missing"), 0) AS "missing",
        coalesce(sum("spurious"), 0) AS "spurious",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual"
    FROM "entities_units"
    WHERE NOT ("entity_type" IS NULL)
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(correct, actual) AS "precision",
    ratio(correct, possible) AS "recall",
    fscore(precision, recall) AS "fscore",
    ratio(substituted + missing + spurious, possible) AS "slot_error_rate",
    nullif(concat_ws(', ', CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."substituted" = 0 THEN 'substituted = 0' END, CASE WHEN sums."missing" = 0 THEN 'missing = 0' END, CASE WHEN sums."spurious" = 0 THEN 'spurious = 0' END, CASE WHEN sums."possible" = 0 THEN 'possible = 0' END, CASE WHEN sums."actual" = 0 THEN 'actual = 0' END), '') AS note
FROM sums;

-- ## muc_ne.muc_errors_units
-- metric muc_errors, statistics per unit (specs/transcripts/shared/muc_errors.yaml)
-- Error rates of the Message Understanding Conferences (MUC) over slots: undergeneration (UND),
--   overgeneration (OVG), substitution (SUB) and error per response fill (ERR). MUC-7 gave no partial credit,
--   so there are no partially correct slots (PAR). The metric slots has the numbers of slots, the metric
--   entities recall and precision.
CREATE TABLE "muc_errors_units" AS
SELECT "aspect", "entity_type", "document", "segment",
    count_if(outcome = 'correct') AS "correct",
    count_if(outcome = 'substituted') AS "substituted",
    count_if(outcome = 'missing') AS "missing",
    count_if(outcome = 'spurious') AS "spurious",
    count_if(outcome <> 'spurious') AS "possible",
    count_if(outcome <> 'missing') AS "actual"
FROM "slot_outcomes" AS counted_rows
GROUP BY ALL;

-- ## muc_ne.muc_errors, like muc_ne.entities except:
@@ -1,2 +1,2 @@
--- metric entities, scores (specs/transcripts/shared/entities.yaml)
-CREATE TABLE "entities" AS
+-- metric muc_errors, scores (specs/transcripts/shared/muc_errors.yaml)
+CREATE TABLE "muc_errors" AS
@@ -16 +16 @@
-    FROM "entities_units"
+    FROM "muc_errors_units"
@@ -31 +31 @@
-    FROM "entities_units"
+    FROM "muc_errors_units"
@@ -47 +47 @@
-    FROM "entities_units"
+    FROM "muc_errors_units"
@@ -52,4 +52,4 @@
-    ratio(correct, actual) AS "precision",
-    ratio(correct, possible) AS "recall",
-    fscore(precision, recall) AS "fscore",
-    ratio(substituted + missing + spurious, possible) AS "slot_error_rate",
+    ratio(missing, possible) AS "undergeneration",
+    ratio(spurious, actual) AS "overgeneration",
+    ratio(substituted, correct + substituted) AS "substitution",
+    ratio(substituted + spurious + missing, correct + substituted + spurious + missing) AS "error_per_response",

-- ## muc_ne.entities_2
-- relation entities (specs/transcripts/shared/evidence.yaml)
-- Evidence: one row for each mapped pair of entities and for each entity of either text that is not mapped,
--   with the words of both, the verdict on each aspect, and the reasons for errors in words.
CREATE TABLE "entities_2" AS
WITH
reference_texts AS (
    SELECT reference_entity, string_agg(word, ' ' ORDER BY position) AS reference_text
    FROM (
        SELECT document, reference_entity, unnest(range(reference_first, reference_last)) AS position
        FROM "entity_outcomes"
        WHERE reference_entity IS NOT NULL
    )
    JOIN (FROM "words" WHERE side = 0) USING (document, position)
    GROUP BY ALL
),
-- Entities that overlap an entity of the other text. If such an entity is not mapped, all entities that overlap it are
-- mapped to others.
reference_candidates AS (
    SELECT DISTINCT reference_entity, true AS reference_has_candidate FROM "compared_pairs"
),
hypothesis_texts AS (
    SELECT hypothesis_entity, string_agg(word, ' ' ORDER BY position) AS hypothesis_text
    FROM (
        SELECT document, hypothesis_entity, unnest(range(hypothesis_first, hypothesis_last)) AS position
        FROM "entity_outcomes"
        WHERE hypothesis_entity IS NOT NULL
    )
    JOIN (FROM "words" WHERE side = 1) USING (document, position)
    GROUP BY ALL
),
-- Entities that overlap an entity of the other text. If such an entity is not mapped, all entities that overlap it are
-- mapped to others.
hypothesis_candidates AS (
    SELECT DISTINCT hypothesis_entity, true AS hypothesis_has_candidate FROM "compared_pairs"
)
SELECT document, segment, speaker, entity_type, outcome,
    reference_type, reference_text, reference_first, reference_last,
    hypothesis_type, hypothesis_text, hypothesis_first, hypothesis_last,
    if('type' IN ['type', 'text']::VARCHAR[], if(outcome = 'mapped', if(type_correct, 'correct', 'substituted'), outcome), NULL) AS type,
    if('extent' IN ['type', 'text']::VARCHAR[], if(outcome = 'mapped', if(extent_correct, 'correct', 'substituted'), outcome), NULL) AS extent,
    if('content' IN ['type', 'text']::VARCHAR[], if(outcome = 'mapped', if(content_correct, 'correct', 'substituted'), outcome), NULL) AS content,
    if('text' IN ['type', 'text']::VARCHAR[], if(outcome = 'mapped', if(text_correct, 'correct', 'substituted'), outcome), NULL) AS text,
    nullif(concat_ws('; ',
        CASE WHEN outcome <> 'mapped' THEN concat(outcome, if(coalesce(reference_has_candidate, hypothesis_has_candidate, false),
            ': the entities that overlap it are mapped to others', ': no entity overlaps it')) END,
        CASE WHEN 'type' IN ['type', 'text']::VARCHAR[] AND NOT type_correct THEN concat('type: ', hypothesis_type, ', not ', reference_type) END,
        CASE WHEN list_has_any(['type', 'text']::VARCHAR[], ['extent', 'text']) AND NOT first_correct
            THEN concat('extent: begins ', first_off, if(first_off = 1, ' word', ' words'), ' off') END,
        CASE WHEN list_has_any(['type', 'text']::VARCHAR[], ['extent', 'text']) AND NOT last_correct
            THEN concat('extent: ends ', last_off, if(last_off = 1, ' word', ' words'), ' off') END,
        CASE WHEN list_has_any(['type', 'text']::VARCHAR[], ['content', 'text']) AND NOT content_correct
            THEN concat('content: ', word_errors, if(word_errors = 1, ' word error', ' word errors')) END
    ), '') AS reason
FROM "entity_outcomes"
LEFT JOIN reference_texts USING (reference_entity)
LEFT JOIN reference_candidates USING (reference_entity)
LEFT JOIN hypothesis_texts USING (hypothesis_entity)
LEFT JOIN hypothesis_candidates USING (hypothesis_entity);

-- ## muc_ne.confusion
-- relation confusion (specs/transcripts/shared/evidence.yaml)
-- One row per pair of a reference type and a hypothesis type, with the number of entities that have them. The
--   type is NULL if the entity is not mapped to an entity of the other text.
CREATE TABLE "confusion" AS
SELECT reference_type, hypothesis_type, any_value(outcome) AS outcome, count(*) AS entities
FROM "entity_outcomes"
GROUP BY ALL;

-- ## muc_ne.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'slots' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'correct', 'value': "correct"::DOUBLE},
                {'place': 1, 'component': 'substituted', 'value': "substituted"::DOUBLE},
                {'place': 2, 'component': 'missing', 'value': "missing"::DOUBLE},
                {'place': 3, 'component': 'spurious', 'value': "spurious"::DOUBLE},
                {'place': 4, 'component': 'possible', 'value': "possible"::DOUBLE},
                {'place': 5, 'component': 'actual', 'value': "actual"::DOUBLE}
            ], recursive := true)
        FROM "slots"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'entities' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'precision', 'value': "precision"::DOUBLE},
                {'place': 1, 'component': 'recall', 'value': "recall"::DOUBLE},
                {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE},
                {'place': 3, 'component': 'slot_error_rate', 'value': "slot_error_rate"::DOUBLE}
            ], recursive := true)
        FROM "entities"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'muc_errors' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'undergeneration', 'value': "undergeneration"::DOUBLE},
                {'place': 1, 'component': 'overgeneration', 'value': "overgeneration"::DOUBLE},
                {'place': 2, 'component': 'substitution', 'value': "substitution"::DOUBLE},
                {'place': 3, 'component': 'error_per_response', 'value': "error_per_response"::DOUBLE}
            ], recursive := true)
        FROM "muc_errors"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## multi_reference.Suite_multi_reference
-- Suite multi_reference: Word error rate against several references of each recording, by different
--   annotators: of the best reference of each segment or recording, and of each annotator against the others.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, times, metadata (not read:
--   alignment, pronunciations, glm); also the tables …_rows_…, which Python functions make
-- Order: each of the 23 steps reads inputs and steps above it. Metrics: word_outcomes → wer; best_segments →
--   best_segment, annotators; best_recordings → best_recording

-- ## multi_reference.reference
-- input reference (specs/transcripts/multi_reference/references.yaml): One row per token of each
--   reference transcript, in the order of the file, with its annotator. Several files, such as
--   reference=ann.stm reference=bob.stm, are the texts of as many annotators, who are named after the files.
CREATE TABLE IF NOT EXISTS "reference" (line BIGINT, "document" VARCHAR, "segment" VARCHAR, "token" VARCHAR, "entity" BIGINT, "tag" VARCHAR, "speaker" VARCHAR, "segment_onset" DOUBLE, "segment_offset" DOUBLE, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR, "alternation" BIGINT, "branch" BIGINT, "number" BIGINT, "attached" BOOLEAN, "annotator" VARCHAR);

-- ## multi_reference.hypothesis
-- input hypothesis (specs/transcripts/tables.yaml): Words that a recogniser put out, one row per token,
--   in the order of the file; with entities, if a tagger has marked some.
CREATE TABLE IF NOT EXISTS "hypothesis" (line BIGINT, "document" VARCHAR, "segment" VARCHAR, "token" VARCHAR, "entity" BIGINT, "tag" VARCHAR, "speaker" VARCHAR, "segment_onset" DOUBLE, "segment_offset" DOUBLE, "onset" DOUBLE, "duration" DOUBLE, "channel" VARCHAR, "alternation" BIGINT, "branch" BIGINT, "number" BIGINT, "attached" BOOLEAN, "annotator" VARCHAR);

-- ## multi_reference.compared_texts
-- relation compared_texts (specs/transcripts/multi_reference/references.yaml)
-- One row per recording, annotator of its reference, and text that is compared with this reference: the
--   hypothesis, or the text of another annotator. Each is scored as a document of its own.
CREATE TABLE "compared_texts" AS
WITH texts AS (SELECT DISTINCT document, coalesce(annotator, '') AS annotator FROM "reference")
SELECT reference_.document AS recording, reference_.annotator, compared_.annotator AS compared,
    concat(reference_.document, if(reference_.annotator = '', '',
        concat(' (', concat_ws(' | ', reference_.annotator, compared_.annotator), ')'))) AS document
FROM texts AS reference_
JOIN (FROM texts UNION ALL SELECT DISTINCT document, NULL FROM texts) AS compared_
    ON reference_.document = compared_.document AND compared_.annotator IS DISTINCT FROM reference_.annotator;

-- ## multi_reference.reference_tokens
-- relation reference_tokens (specs/transcripts/multi_reference/references.yaml)
-- The tokens of each reference, once for each text that is compared with it.
CREATE TABLE "reference_tokens" AS
SELECT reference_.* EXCLUDE (annotator) REPLACE (text_.document AS document)
FROM "reference" AS reference_
JOIN "compared_texts" AS text_
    ON reference_.document = recording AND coalesce(reference_.annotator, '') = text_.annotator;

-- ## multi_reference.scored_tokens
-- relation scored_tokens (specs/transcripts/multi_reference/references.yaml)
-- The tokens of the hypothesis and of the annotators, once for each reference with which they are compared.
CREATE TABLE "scored_tokens" AS
SELECT hypothesis_.* REPLACE (coalesce(text_.document, hypothesis_.document) AS document)
FROM "hypothesis" AS hypothesis_
LEFT JOIN (FROM "compared_texts" WHERE compared IS NULL) AS text_ ON hypothesis_.document = recording
UNION ALL BY NAME
SELECT reference_.* EXCLUDE (annotator) REPLACE (text_.document AS document)
FROM "reference" AS reference_
JOIN "compared_texts" AS text_ ON reference_.document = recording AND coalesce(reference_.annotator, '') = compared;

-- ## multi_reference.segments, like cer.segments except:
@@ -20 +20 @@
-        FROM "reference"
+        FROM "reference_tokens"

-- ## multi_reference.text_checks, like formatting.text_checks except:
@@ -17 +17 @@
-        FROM "hypothesis"
+        FROM "scored_tokens"
@@ -26 +26 @@
-    SELECT 'reference' AS side, * FROM "reference"
+    SELECT 'reference' AS side, * FROM "reference_tokens"
@@ -30 +30 @@
-        FROM "hypothesis" AS token_
+        FROM "scored_tokens" AS token_

-- ## multi_reference.written_words, like cer.written_words except:
@@ -26 +26 @@
-            FROM "hypothesis" AS token_
+            FROM "scored_tokens" AS token_
@@ -38 +38 @@
-                            SELECT DISTINCT token FROM "hypothesis"
+                            SELECT DISTINCT token FROM "scored_tokens"
@@ -120 +120 @@
-    FROM "reference" AS token_
+    FROM "reference_tokens" AS token_
@@ -132 +132 @@
-                    SELECT DISTINCT token FROM "reference"
+                    SELECT DISTINCT token FROM "reference_tokens"

-- ## multi_reference.edit_blocks, like formatting.edit_blocks except:
@@ -1,2 +1 @@
--- relation edit_blocks, case = fold, hyphen = split, punctuation = remove
---   (specs/transcripts/shared/alignment.yaml)
+-- relation edit_blocks (specs/transcripts/shared/alignment.yaml)

-- ## multi_reference.word_outcomes
-- relation word_outcomes (specs/transcripts/multi_reference/references.yaml)
-- One row per segment, with the numbers of correct, substituted, deleted and inserted words, for each
--   reference and text.
CREATE TABLE "word_outcomes" AS
SELECT recording AS document, outcome_.* EXCLUDE (document), annotator, compared
FROM (
    WITH types AS (
        SELECT upper(trim(split_part(entry, '=', 1))) AS tag, trim(split_part(entry, '=', 2)) AS type
        FROM (SELECT unnest(['ENAMEX PERSON=PERSON', 'ENAMEX ORGANIZATION=ORGANIZATION', 'ENAMEX LOCATION=LOCATION', 'TIMEX DATE=DATE', 'TIMEX TIME=TIME', 'NUMEX MONEY=MONEY', 'NUMEX PERCENT=PERCENT', 'P=PERSON', 'O=ORGANIZATION', 'L=LOCATION', 'D=DATE', 'T=TIME', 'M=MONEY', 'PER=PERSON', 'ORG=ORGANIZATION', 'LOC=LOCATION', 'PERSON=PERSON', 'ORGANIZATION=ORGANIZATION', 'LOCATION=LOCATION', 'DATE=DATE', 'TIME=TIME', 'MONEY=MONEY', 'PERCENT=PERCENT']::VARCHAR[]) AS entry)
    ),
    entity_types AS (
        SELECT document, entity, coalesce(min(type), upper(min(entity_.tag)), '') AS type
        FROM "reference_tokens" AS entity_
        LEFT JOIN types ON types.tag = upper(entity_.tag)
        WHERE entity IS NOT NULL
        GROUP BY document, entity
    ),
    entity_words AS (
        SELECT document, position, type, entity = lag(entity) OVER (PARTITION BY document ORDER BY position) AS continues
        FROM "words"
        JOIN entity_types USING (document, entity)
        WHERE side = 0
    )
    SELECT document, segment, speaker, if(EXISTS (FROM entity_types), if(entity_type IS NULL, 'outside', 'inside'), NULL) AS region, entity_type,
        sum(if(correct, greatest(ref_end - ref_begin, 1), 0))::BIGINT AS correct,
        sum(if(correct, greatest(hyp_end - hyp_begin, 1), 0))::BIGINT AS hypothesis_correct,
        sum(ref_end - ref_begin)::BIGINT AS words,
        sum(if(correct, 0, least(ref_end - ref_begin, hyp_end - hyp_begin)))::BIGINT AS substitutions,
        sum(if(correct, 0, greatest(ref_end - ref_begin - (hyp_end - hyp_begin), 0)))::BIGINT AS deletions,
        sum(if(correct, 0, greatest(hyp_end - hyp_begin - (ref_end - ref_begin), 0)))::BIGINT AS insertions,
        0 AS segments, 0 AS wrong_segments
    FROM (
        SELECT block_.*, coalesce(if(ref_begin < ref_end OR continues, word_.type, NULL), later_.type) AS entity_type
        FROM "blocks" AS block_
        LEFT JOIN entity_words AS word_ ON block_.document = word_.document AND ref_begin = position
        LEFT JOIN (
            SELECT document, block, arg_min(type, position) AS type
            FROM (SELECT document, block, unnest(range(ref_begin + 1, ref_end)) AS position FROM "blocks" WHERE ref_end - ref_begin > 1)
            JOIN entity_words USING (document, position)
            GROUP BY ALL
        ) AS later_ ON block_.document = later_.document AND block_.block = later_.block
    )
    GROUP BY ALL
    UNION ALL
    SELECT document, segment, speaker, NULL, NULL, 0, 0, 0, 0, 0, 0, 1, (wrong_.segment IS NOT NULL)::BIGINT
    FROM "segments"
    LEFT JOIN (SELECT DISTINCT document, segment FROM "blocks" WHERE NOT correct) AS wrong_ USING (document, segment)
    WHERE NOT ignored) AS outcome_
JOIN "compared_texts" AS text_ ON outcome_.document = text_.document;

-- ## multi_reference.wer_units
-- metric wer, statistics per unit (specs/transcripts/multi_reference/references.yaml)
-- Word error rate against all references: errors against each reference, added up, divided by the number of
--   words of all references. It is the mean of the error rates of the annotators, weighted by their words.
--   --by annotator gives each of them.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` that has no rows has statistics of 0.
CREATE TABLE "wer_units" AS
SELECT "region", "document", "segment",
    sum(correct) AS "correct",
    sum(hypothesis_correct) AS "hypothesis_correct",
    sum(substitutions) AS "substitutions",
    sum(deletions) AS "deletions",
    sum(insertions) AS "insertions",
    sum(words) AS "words",
    sum(segments) AS "segments",
    sum(wrong_segments) AS "wrong_segments"
FROM "word_outcomes" AS counted_rows
WHERE compared IS NULL
GROUP BY ALL;

-- ## multi_reference.wer, like formatting.wer except:
@@ -1,2 +1 @@
--- metric wer, scores, case = fold, hyphen = split, punctuation = remove
---   (specs/transcripts/shared/wer.yaml)
+-- metric wer, scores (specs/transcripts/multi_reference/references.yaml)

-- ## multi_reference.reference_errors
-- relation reference_errors (specs/transcripts/multi_reference/references.yaml)
-- One row per segment, reference and compared text, with the numbers of words and of errors.
CREATE TABLE "reference_errors" AS
SELECT document, segment, speaker, compared, annotator, words, errors,
    count(*) OVER (PARTITION BY document, segment, compared) < texts AS lacking
FROM (
    SELECT document, segment, min(speaker) AS speaker, compared, annotator, sum(words)::BIGINT AS words,
        sum(substitutions + deletions + insertions)::BIGINT AS errors
    FROM "word_outcomes"
    GROUP BY document, segment, compared, annotator
) AS error_
JOIN (
    SELECT recording, compared AS text, count(*) AS texts FROM "compared_texts" GROUP BY ALL
) ON document = recording AND compared IS NOT DISTINCT FROM text;

-- ## multi_reference.best_segments
-- relation best_segments (specs/transcripts/multi_reference/references.yaml)
-- One row per segment and compared text, with the reference that has the fewest errors.
CREATE TABLE "best_segments" AS
FROM "reference_errors"
QUALIFY row_number() OVER (PARTITION BY document, segment, compared ORDER BY errors, words DESC, annotator) = 1;

-- ## multi_reference.best_segment_units
-- metric best_segment, statistics per unit (specs/transcripts/multi_reference/references.yaml)
-- Word error rate against the best reference of each segment: the one with the fewest errors, and of several
--   the one with the most words. Every segment must be in all references of its recording. 0 is perfect.
CREATE TABLE "best_segment_units" AS
SELECT "document", "segment",
    sum("errors") AS "errors",
    sum("words") AS "words"
FROM "best_segments" AS counted_rows
WHERE compared IS NULL
GROUP BY ALL;

-- ## multi_reference.best_segment
-- metric best_segment, scores (specs/transcripts/multi_reference/references.yaml)
CREATE TABLE "best_segment" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("errors"), 0) AS "errors",
        coalesce(sum("words"), 0) AS "words"
    FROM "best_segment_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(errors, words) AS "value",
    errors AS "errors",
    words AS "words",
    CASE WHEN words = 0 THEN 'the best references have no words' ELSE nullif(concat_ws(', ', CASE WHEN sums."errors" = 0 THEN 'errors = 0' END, CASE WHEN sums."words" = 0 THEN 'words = 0' END), '') END AS note
FROM sums;

-- ## multi_reference.best_recordings
-- relation best_recordings (specs/transcripts/multi_reference/references.yaml)
-- One row per recording and compared text, with the reference that has the fewest errors.
CREATE TABLE "best_recordings" AS
SELECT document, compared, annotator, sum(words)::BIGINT AS words, sum(errors)::BIGINT AS errors
FROM "reference_errors"
GROUP BY document, compared, annotator
QUALIFY row_number() OVER (PARTITION BY document, compared ORDER BY sum(errors), sum(words) DESC, annotator) = 1;

-- ## multi_reference.best_recording_units
-- metric best_recording, statistics per unit (specs/transcripts/multi_reference/references.yaml)
-- Word error rate against the best reference of each recording: the one with the fewest errors in the whole
--   recording, and of several the one with the most words. 0 is perfect.
CREATE TABLE "best_recording_units" AS
SELECT "document",
    sum("errors") AS "errors",
    sum("words") AS "words"
FROM "best_recordings" AS counted_rows
WHERE compared IS NULL
GROUP BY ALL;

-- ## multi_reference.best_recording, like multi_reference.best_segment except:
@@ -1,2 +1,2 @@
--- metric best_segment, scores (specs/transcripts/multi_reference/references.yaml)
-CREATE TABLE "best_segment" AS
+-- metric best_recording, scores (specs/transcripts/multi_reference/references.yaml)
+CREATE TABLE "best_recording" AS
@@ -10 +10 @@
-    FROM "best_segment_units"
+    FROM "best_recording_units"

-- ## multi_reference.annotators_units
-- metric annotators, statistics per unit (specs/transcripts/multi_reference/references.yaml)
-- Word error rate of the annotators, as a floor for that of a recogniser: the text of each annotator is
--   scored like a hypothesis against the best reference of each segment, of the other annotators; also for
--   each annotator (slices compared). A recogniser has one more reference to choose from.
CREATE TABLE "annotators_units" AS
SELECT "compared", "document", "segment",
    sum("errors") AS "errors",
    sum("words") AS "words"
FROM "best_segments" AS counted_rows
WHERE compared IS NOT NULL
GROUP BY ALL;

-- ## multi_reference.annotators
-- metric annotators, scores (specs/transcripts/multi_reference/references.yaml)
CREATE TABLE "annotators" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        NULL AS "compared",
        coalesce(sum("errors"), 0) AS "errors",
        coalesce(sum("words"), 0) AS "words"
    FROM "annotators_units"
    GROUP BY ALL
    UNION ALL
    SELECT
        json_object() AS scope,
        json_object('compared', "compared") AS slice,
        1 AS breakdown,
        "compared" AS "compared",
        coalesce(sum("errors"), 0) AS "errors",
        coalesce(sum("words"), 0) AS "words"
    FROM "annotators_units"
    WHERE NOT ("compared" IS NULL)
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(errors, words) AS "value",
    errors AS "errors",
    words AS "words",
    CASE WHEN words = 0 THEN 'no recording has two annotators' ELSE nullif(concat_ws(', ', CASE WHEN sums."errors" = 0 THEN 'errors = 0' END, CASE WHEN sums."words" = 0 THEN 'words = 0' END), '') END AS note
FROM sums;

-- ## multi_reference.aligned_words, like cer.aligned_words except:
@@ -35 +35 @@
-        FROM "hypothesis" AS token_
+        FROM "scored_tokens" AS token_

-- ## multi_reference.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'wer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'word_correctness', 'value': "word_correctness"::DOUBLE},
                {'place': 2, 'component': 'mer', 'value': "mer"::DOUBLE},
                {'place': 3, 'component': 'wil', 'value': "wil"::DOUBLE},
                {'place': 4, 'component': 'wip', 'value': "wip"::DOUBLE},
                {'place': 5, 'component': 'ser', 'value': "ser"::DOUBLE},
                {'place': 6, 'component': 'correct', 'value': "correct"::DOUBLE},
                {'place': 7, 'component': 'substitutions', 'value': "substitutions"::DOUBLE},
                {'place': 8, 'component': 'deletions', 'value': "deletions"::DOUBLE},
                {'place': 9, 'component': 'insertions', 'value': "insertions"::DOUBLE},
                {'place': 10, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "wer"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'best_segment' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'errors', 'value': "errors"::DOUBLE},
                {'place': 2, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "best_segment"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'best_recording' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'errors', 'value': "errors"::DOUBLE},
                {'place': 2, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "best_recording"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'annotators' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'errors', 'value': "errors"::DOUBLE},
                {'place': 2, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "annotators"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- ## speech_ne.Suite_speech_ne
-- Suite speech_ne: Named entities in the output of a speech recogniser, scored by type, extent and content
--   (Burger, Palmer and Hirschman 1998).
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, times, pronunciations,
--   metadata (not read: transcript, alignment, glm); also the tables …_rows_…, which Python functions make
-- Order: each of the 23 steps reads inputs and steps above it. Metrics: slot_outcomes → slots, entities

-- ## speech_ne.compared_pairs, like muc_ne.compared_pairs except:
@@ -34 +34 @@
-        first_off = 0 OR first_off <= 0::BIGINT AND CASE 'span'
+        first_off = 0 OR first_off <= 1::BIGINT AND CASE 'span'
@@ -42 +42 @@
-        last_off = 0 OR last_off <= 0::BIGINT AND CASE 'span'
+        last_off = 0 OR last_off <= 1::BIGINT AND CASE 'span'

-- ## speech_ne.entity_outcomes, like muc_ne.entity_outcomes except:
@@ -14 +14 @@
-type_correct AND text_correct AS all_correct,
+type_correct AND extent_correct AND content_correct AS all_correct,

-- ## speech_ne.slot_outcomes, like muc_ne.slot_outcomes except:
@@ -12 +12,2 @@
-        {'aspect': 'text', 'is_correct': text_correct}
+        {'aspect': 'extent', 'is_correct': extent_correct},
+        {'aspect': 'content', 'is_correct': content_correct}

-- ## speech_ne.entities_2, like muc_ne.entities_2 except:
@@ -39,4 +39,4 @@
-    if('type' IN ['type', 'text']::VARCHAR[], if(outcome = 'mapped', if(type_correct, 'correct', 'substituted'), outcome), NULL) AS type,
-    if('extent' IN ['type', 'text']::VARCHAR[], if(outcome = 'mapped', if(extent_correct, 'correct', 'substituted'), outcome), NULL) AS extent,
-    if('content' IN ['type', 'text']::VARCHAR[], if(outcome = 'mapped', if(content_correct, 'correct', 'substituted'), outcome), NULL) AS content,
-    if('text' IN ['type', 'text']::VARCHAR[], if(outcome = 'mapped', if(text_correct, 'correct', 'substituted'), outcome), NULL) AS text,
+    if('type' IN ['type', 'extent', 'content']::VARCHAR[], if(outcome = 'mapped', if(type_correct, 'correct', 'substituted'), outcome), NULL) AS type,
+    if('extent' IN ['type', 'extent', 'content']::VARCHAR[], if(outcome = 'mapped', if(extent_correct, 'correct', 'substituted'), outcome), NULL) AS extent,
+    if('content' IN ['type', 'extent', 'content']::VARCHAR[], if(outcome = 'mapped', if(content_correct, 'correct', 'substituted'), outcome), NULL) AS content,
+    if('text' IN ['type', 'extent', 'content']::VARCHAR[], if(outcome = 'mapped', if(text_correct, 'correct', 'substituted'), outcome), NULL) AS text,
@@ -46,2 +46,2 @@
-        CASE WHEN 'type' IN ['type', 'text']::VARCHAR[] AND NOT type_correct THEN concat('type: ', hypothesis_type, ', not ', reference_type) END,
-        CASE WHEN list_has_any(['type', 'text']::VARCHAR[], ['extent', 'text']) AND NOT first_correct
+        CASE WHEN 'type' IN ['type', 'extent', 'content']::VARCHAR[] AND NOT type_correct THEN concat('type: ', hypothesis_type, ', not ', reference_type) END,
+        CASE WHEN list_has_any(['type', 'extent', 'content']::VARCHAR[], ['extent', 'text']) AND NOT first_correct
@@ -49 +49 @@
-        CASE WHEN list_has_any(['type', 'text']::VARCHAR[], ['extent', 'text']) AND NOT last_correct
+        CASE WHEN list_has_any(['type', 'extent', 'content']::VARCHAR[], ['extent', 'text']) AND NOT last_correct
@@ -51 +51 @@
-        CASE WHEN list_has_any(['type', 'text']::VARCHAR[], ['content', 'text']) AND NOT content_correct
+        CASE WHEN list_has_any(['type', 'extent', 'content']::VARCHAR[], ['content', 'text']) AND NOT content_correct

-- ## speech_ne.the_scores, like muc_ne.the_scores except:
@@ -27,9 +26,0 @@
-        UNION ALL
-        SELECT 2 AS position, 0 AS variant, 'muc_errors' AS metric, slice, breakdown, note,
-            unnest([
-                {'place': 0, 'component': 'undergeneration', 'value': "undergeneration"::DOUBLE},
-                {'place': 1, 'component': 'overgeneration', 'value': "overgeneration"::DOUBLE},
-                {'place': 2, 'component': 'substitution', 'value': "substitution"::DOUBLE},
-                {'place': 3, 'component': 'error_per_response', 'value': "error_per_response"::DOUBLE}
-            ], recursive := true)
-        FROM "muc_errors"

-- ## wer.Suite_wer
-- Suite wer: Word error rate as NIST's sclite computes it. If the reference has tagged entities, the rate is
--   also reported for the words inside and outside of entities.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, times, metadata (not read:
--   transcript, alignment, pronunciations, glm); also the tables …_rows_…, which Python functions make
-- Order: each of the 14 steps reads inputs and steps above it. Metrics: word_outcomes → wer

-- ## wer.wer_units, like formatting.wer_units except:
@@ -1,2 +1 @@
--- metric wer, statistics per unit, case = fold, hyphen = split, punctuation = remove
---   (specs/transcripts/shared/wer.yaml)
+-- metric wer, statistics per unit (specs/transcripts/shared/wer.yaml)

-- ## wer.wer, like multi_reference.wer except:
@@ -1 +1 @@
--- metric wer, scores (specs/transcripts/multi_reference/references.yaml)
+-- metric wer, scores (specs/transcripts/shared/wer.yaml)

-- ## wer.the_scores, like cer.the_scores except:
@@ -8 +8 @@
-        SELECT 0 AS position, 0 AS variant, 'cer' AS metric, slice, breakdown, note,
+        SELECT 0 AS position, 0 AS variant, 'wer' AS metric, slice, breakdown, note,
@@ -22 +22 @@
-        FROM "cer"
+        FROM "wer"

-- ## wordlists.Suite_wordlists
-- Suite wordlists: Recognition of listed words and phrases, such as names or technical terms: word error
--   rates inside and outside of the lists, and precision and recall of the phrases of each list.
-- To run it in DuckDB, first fill the tables of the inputs: reference, hypothesis, lists, times, metadata
--   (not read: transcript, alignment, pronunciations, glm); also the tables …_rows_…, which Python functions
--   make
-- Order: each of the 25 steps reads inputs and steps above it. Metrics: word_outcomes → wer;
--   list_word_outcomes → b_wer, u_wer; list_counts → phrases

-- ## wordlists.exact_sum
-- Sum of DOUBLEs that does not depend on the order of rows, because each value is first rounded to 18 decimals.
CREATE OR REPLACE MACRO exact_sum(x) AS (
    sum((x)::DECIMAL(38, 18))
);

-- ## wordlists.lists
-- input lists (specs/transcripts/wordlists/tables.yaml): One row per phrase of a list, a word or several
--   words. The list holds for the whole corpus or, if the row names a document or a segment, there only.
CREATE TABLE IF NOT EXISTS "lists" (line BIGINT, "list" VARCHAR, "phrase" VARCHAR, "segment" VARCHAR, "document" VARCHAR);

-- ## wordlists.written_words
-- relation written_words (specs/transcripts/wordlists/lists.yaml)
-- The words of both texts as they are written, and the words of the phrases, which are normalised like those
--   of the reference. A phrase has no document, and its segment is its line.
CREATE TABLE "written_words" AS
FROM (
    WITH heard AS (
        FROM (
            SELECT token_.* REPLACE (coalesce(recording, document) AS document)
            FROM (
                SELECT token_.* REPLACE (coalesce(number, line) AS number, coalesce(attached AND part = 0, false) AS attached), word, coalesce(part, 0) AS part, coalesce(optional, false) AS optional
                FROM "hypothesis" AS token_
                LEFT JOIN (
                    SELECT token, optional, unnest(if(words = [], [NULL], words)) AS word, unnest(range(greatest(len(words), 1))) AS part
                    FROM (
                        SELECT token, optional,
                            list_filter([spelt],
                                lambda word: word <> '') AS words
                        FROM (
                            SELECT token, false AS optional,
                                nfc_normalize(token) AS plain,
                                translate(upper(lower(translate(plain, 'ıİ', chr(3) || chr(4)))), chr(3) || chr(4), 'ıİ') AS spelt
                            FROM (
                                SELECT DISTINCT token FROM "hypothesis"
                            )
                            WHERE token IS NOT NULL
                        )
                    )
                ) AS spelling_ USING (token)
                WHERE word IS NOT NULL OR branch IS NOT NULL
            ) AS token_
            LEFT JOIN (SELECT document, segment, recording FROM "text_checks" WHERE kind = 'recording') AS check_ USING (document, segment)
        )
        WHERE NOT EXISTS (FROM "text_checks" WHERE kind = 'fault')
    ),
    named AS (
        SELECT heard.*, if('segment' = 'document', 0, segment_number) AS segment_number,
            'segment' = 'segment' AND ignored AS ignored, false AS outside
        FROM heard
        LEFT JOIN "segments" AS segment_
            ON heard.document = segment_.document AND coalesce(heard.segment, '') = segment_.segment
                AND heard.document NOT IN (SELECT document FROM "text_checks" WHERE kind = 'by time')
    ),
    endings AS (
        SELECT document, channel_of_words, segment_number, ignored, onset, reach, if(last, 'inf'::DOUBLE, reach) AS ending
        FROM (
            SELECT *, lower(coalesce(channel, '')) AS channel_of_words, max("offset") OVER upto AS reach,
                lead(segment_number) OVER in_order IS NULL AS last, coalesce("offset" > max("offset") OVER before, true) AS later
            FROM (SELECT * REPLACE ("offset"::FLOAT::DOUBLE AS "offset") FROM "segments")
            WHERE "offset" IS NOT NULL
            WINDOW in_order AS (PARTITION BY document, lower(channel) ORDER BY segment_number),
                upto AS (in_order ROWS UNBOUNDED PRECEDING),
                before AS (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        )
        WHERE last OR later
    ),
    only_channels AS (
        SELECT document, coalesce(min(lower(ref_.channel)), '') AS only_channel
        FROM "segments" AS ref_
        JOIN (SELECT document, count(channel) AS channels FROM named GROUP BY ALL) USING (document)
        GROUP BY document, channels
        HAVING count(ref_.channel) = 0 OR channels = 0 AND count(DISTINCT lower(ref_.channel)) = 1
    ),
    timed AS (
        SELECT word_.* REPLACE (ending_.segment_number AS segment_number, ending_.ignored AS ignored,
            middle < ending_.onset OR middle >= reach AS outside)
        FROM (
            SELECT * REPLACE (if(middle IS NULL, NULL, max(coalesce(latest, middle)) OVER (
                    PARTITION BY document, lower(channel) ORDER BY number, part ROWS UNBOUNDED PRECEDING)) AS middle),
                coalesce(only_channel, lower(coalesce(channel, ''))) AS channel_of_words
            FROM (
                SELECT *, coalesce(onset + coalesce(duration, 0) / 2e0, segment_onset + (row_number() OVER (within ORDER BY number, part)
                    - 0.5e0) / count(*) OVER within * (segment_offset - segment_onset)) AS middle
                FROM named
                WHERE segment_number IS NULL
                WINDOW within AS (PARTITION BY document, segment)
            )
            LEFT JOIN (
                SELECT document, alternation, max(onset + coalesce(duration, 0) / 2e0) AS latest
                FROM named
                WHERE alternation IS NOT NULL
                GROUP BY ALL
            ) AS alternation_ USING (document, alternation)
            LEFT JOIN only_channels USING (document)
        ) AS word_
        ASOF LEFT JOIN endings AS ending_
            ON word_.document = ending_.document AND word_.channel_of_words = ending_.channel_of_words AND middle < ending
    )
    SELECT 1 AS side, document, segment_number, line, number, part, word, attached, optional, entity, alternation, branch, onset, duration, outside, NULL::VARCHAR AS fault
    FROM (FROM named WHERE segment_number IS NOT NULL UNION ALL BY NAME FROM timed WHERE segment_number IS NOT NULL)
    WHERE NOT ignored
    UNION ALL BY NAME
    SELECT 1 AS side, document, min(line) AS line, concat(CASE
        WHEN middle IS NULL THEN 'words without a time in document '
        WHEN channel_of_words = '' THEN 'words without a channel in document '
        ELSE concat('channel ', min(channel), ' is not in the reference of document ') END,
        document, ' (', count(*), if(count(*) = 1, ' word', ' words'), ')') AS fault
    FROM timed
    WHERE segment_number IS NULL
    GROUP BY document, channel_of_words, middle IS NULL
    UNION ALL BY NAME
    SELECT 0 AS side, word_.document, segment_number, word_.line, number, part, word, attached, optional, entity, alternation, branch,
        word_.onset, duration, false AS outside
    FROM (
        SELECT token_.* REPLACE (coalesce(number, line) AS number, coalesce(attached AND part = 0, false) AS attached), word, coalesce(part, 0) AS part, coalesce(optional, false) AS optional
        FROM "reference" AS token_
        LEFT JOIN (
            SELECT token, optional, unnest(if(words = [], [NULL], words)) AS word, unnest(range(greatest(len(words), 1))) AS part
            FROM (
                SELECT token, optional,
                    list_filter([spelt],
                        lambda word: word <> '') AS words
                FROM (
                    SELECT token, false AS optional,
                        nfc_normalize(token) AS plain,
                        translate(upper(lower(translate(plain, 'ıİ', chr(3) || chr(4)))), chr(3) || chr(4), 'ıİ') AS spelt
                    FROM (
                        SELECT DISTINCT token FROM "reference"
                    )
                    WHERE token IS NOT NULL
                )
            )
        ) AS spelling_ USING (token)
        WHERE word IS NOT NULL OR branch IS NOT NULL
    ) AS word_
    JOIN "segments" AS segment_
        ON word_.document = segment_.document AND coalesce(word_.segment, '') = segment_.segment AND NOT ignored)
UNION ALL BY NAME
SELECT 0 AS side, line AS segment_number, line, number, part, word, attached, optional, false AS outside
FROM (
    SELECT token_.* REPLACE (coalesce(number, line) AS number, coalesce(attached AND part = 0, false) AS attached), word, coalesce(part, 0) AS part, coalesce(optional, false) AS optional
    FROM (SELECT line, unnest(tokens) AS token, unnest(range(len(tokens))) AS number, NULL::BIGINT AS branch,
        false AS attached FROM (SELECT line, string_split(phrase, ' ') AS tokens FROM "lists")) AS token_
    LEFT JOIN (
        SELECT token, optional, unnest(if(words = [], [NULL], words)) AS word, unnest(range(greatest(len(words), 1))) AS part
        FROM (
            SELECT token, optional,
                list_filter([spelt],
                    lambda word: word <> '') AS words
            FROM (
                SELECT token, false AS optional,
                    nfc_normalize(token) AS plain,
                    translate(upper(lower(translate(plain, 'ıİ', chr(3) || chr(4)))), chr(3) || chr(4), 'ıİ') AS spelt
                FROM (
                    SELECT DISTINCT token FROM (SELECT line, unnest(tokens) AS token, unnest(range(len(tokens))) AS number, NULL::BIGINT AS branch,
                        false AS attached FROM (SELECT line, string_split(phrase, ' ') AS tokens FROM "lists"))
                )
                WHERE token IS NOT NULL
            )
        )
    ) AS spelling_ USING (token)
    WHERE word IS NOT NULL OR branch IS NOT NULL
);

-- ## wordlists.list_phrases
-- relation list_phrases (specs/transcripts/wordlists/lists.yaml)
-- The words of each phrase, in order. If characters are compared, the blank before the first word is left
--   out.
CREATE TABLE "list_phrases" AS
SELECT list, segment, document, line, text, word, place, len(words) AS length,
    segment IS NOT NULL AND 'segment' = 'document' AS unplaced
FROM "lists"
LEFT JOIN (
    SELECT line, words, array_to_string(words, ' ') AS text, unnest(words) AS word, unnest(range(len(words))) AS place
    FROM (
        SELECT segment_number AS line, list(word ORDER BY number, part) AS symbols,
            if(symbols[1] = ' ', symbols[2:], symbols) AS words
        FROM "written_words"
        WHERE document IS NULL AND word IS NOT NULL AND coalesce(branch, 0) = 0
        GROUP BY segment_number
    )
) USING (line);

-- ## wordlists.list_occurrences
-- relation list_occurrences (specs/transcripts/wordlists/lists.yaml)
-- An occurrence of a phrase is a place of a segment at which the words of the phrase follow one another: for
--   each `place` of the phrase, its word is at `first` + `place`. A phrase that several rows of a list name
--   occurs once. With align_within = document, the segment of hypothesis words is not known, and the document
--   is one text.
CREATE TABLE "list_occurrences" AS
SELECT DISTINCT side, document, segment, speaker, list, text, first, first + length AS last
FROM (
    SELECT side, word_.document,
        word_.segment,
        list, text, phrase_.line, length, position - place AS first
    FROM "words" AS word_
    JOIN "list_phrases" AS phrase_ ON word_.word = phrase_.word
        AND coalesce(phrase_.document = word_.document, true) AND coalesce(phrase_.segment = word_.segment, true)
    GROUP BY ALL
    HAVING count(*) = length
)
LEFT JOIN (SELECT document, segment, speaker FROM "segments") USING (document, segment);

-- ## wordlists.list_word_outcomes
-- relation list_word_outcomes (specs/transcripts/wordlists/lists.yaml)
-- A block of m reference words and n hypothesis words has min(m, n) substitutions, the first words of both;
--   the words that are left of the longer side are deletions or insertions. A reference word decides whether
--   its error is listed, and an inserted word decides for itself. `punctuated` and `possessive` are for
--   warnings: with punctuation = keep, `Rome,` is not the listed `Rome`; `Rome's` never is.
CREATE TABLE "list_word_outcomes" AS
WITH listed_words AS (
    SELECT DISTINCT side, document, unnest(range(first, last)) AS position FROM "list_occurrences"
),
unlisted_words AS (
    SELECT document, segment, min(word) FILTER (bare IN (SELECT word FROM "list_phrases")) AS punctuated,
        min(word) FILTER (owner IN (SELECT word FROM "list_phrases" WHERE place = length - 1)) AS possessive
    FROM (
        SELECT *, regexp_replace(word, '^\p{P}+|\p{P}+$', '', 'g') AS bare, regexp_extract(bare, '(.+)[''’][sS]$', 1) AS owner
        FROM "words"
    )
    WHERE (word IN (SELECT word FROM "list_phrases")) IS NOT true
    GROUP BY ALL
)
SELECT block_.document, block_.segment, speaker, listed_.position IS NOT NULL AS listed, sum(1 - block_.side)::BIGINT AS words,
    count_if(block_.side = 0 AND correct)::BIGINT AS correct,
    count_if(block_.side = 0 AND NOT correct AND heard)::BIGINT AS substitutions,
    count_if(block_.side = 0 AND NOT correct AND NOT heard)::BIGINT AS deletions,
    count_if(block_.side = 1 AND NOT correct)::BIGINT AS insertions,
    min(punctuated) AS punctuated, min(possessive) AS possessive
FROM (
    SELECT *, if(ref_begin + nth < ref_end, 0, 1) AS side, if(side = 0, ref_begin, hyp_begin) + nth AS position,
        hyp_begin + nth < hyp_end AS heard
    FROM (SELECT *, unnest(range(greatest(ref_end - ref_begin, hyp_end - hyp_begin))) AS nth FROM "blocks")
) AS block_
LEFT JOIN listed_words AS listed_
    ON block_.side = listed_.side AND block_.document = listed_.document AND block_.position = listed_.position
LEFT JOIN unlisted_words AS unlisted ON block_.document = unlisted.document AND block_.segment = unlisted.segment
GROUP BY ALL;

-- ## wordlists.b_wer_units
-- metric b_wer, statistics per unit (specs/transcripts/wordlists/lists.yaml)
-- Word error rate on listed words (B-WER, biased WER): errors on words in occurrences of listed phrases,
--   divided by the number of such reference words. A substitution or deletion is listed if the reference word
--   is, an insertion if the inserted word is. 0 is perfect. Of several alignments with the fewest errors,
--   other programs can take another one.
CREATE TABLE "b_wer_units" AS
SELECT "document", "segment",
    sum("correct") AS "correct",
    sum("substitutions") AS "substitutions",
    sum("deletions") AS "deletions",
    sum("insertions") AS "insertions",
    sum("words") AS "words"
FROM "list_word_outcomes" AS counted_rows
WHERE listed
GROUP BY ALL;

-- ## wordlists.b_wer
-- metric b_wer, scores (specs/transcripts/wordlists/lists.yaml)
CREATE TABLE "b_wer" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("substitutions"), 0) AS "substitutions",
        coalesce(sum("deletions"), 0) AS "deletions",
        coalesce(sum("insertions"), 0) AS "insertions",
        coalesce(sum("words"), 0) AS "words"
    FROM "b_wer_units"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(substitutions + deletions + insertions, words) AS "value",
    correct AS "correct",
    substitutions AS "substitutions",
    deletions AS "deletions",
    insertions AS "insertions",
    words AS "words",
    CASE WHEN words = 0 THEN 'the reference has no such words' ELSE nullif(concat_ws(', ', CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."substitutions" = 0 THEN 'substitutions = 0' END, CASE WHEN sums."deletions" = 0 THEN 'deletions = 0' END, CASE WHEN sums."insertions" = 0 THEN 'insertions = 0' END, CASE WHEN sums."words" = 0 THEN 'words = 0' END), '') END AS note
FROM sums;

-- ## wordlists.u_wer_units
-- metric u_wer, statistics per unit (specs/transcripts/wordlists/lists.yaml)
-- Word error rate on words that are not listed (U-WER, unbiased WER): errors on words outside of all
--   occurrences of listed phrases, divided by the number of such reference words. An insertion counts if the
--   inserted word is not listed. 0 is perfect.
CREATE TABLE "u_wer_units" AS
SELECT "document", "segment",
    sum("correct") AS "correct",
    sum("substitutions") AS "substitutions",
    sum("deletions") AS "deletions",
    sum("insertions") AS "insertions",
    sum("words") AS "words"
FROM "list_word_outcomes" AS counted_rows
WHERE NOT listed
GROUP BY ALL;

-- ## wordlists.u_wer, like wordlists.b_wer except:
@@ -1,2 +1,2 @@
--- metric b_wer, scores (specs/transcripts/wordlists/lists.yaml)
-CREATE TABLE "b_wer" AS
+-- metric u_wer, scores (specs/transcripts/wordlists/lists.yaml)
+CREATE TABLE "u_wer" AS
@@ -13 +13 @@
-    FROM "b_wer_units"
+    FROM "u_wer_units"

-- ## wordlists.list_outcomes
-- relation list_outcomes (specs/transcripts/wordlists/lists.yaml)
-- How often each phrase occurs in each segment of both texts, without its places.
CREATE TABLE "list_outcomes" AS
SELECT document, segment, speaker, list, text, count_if(side = 0)::BIGINT AS possible, count_if(side = 1)::BIGINT AS actual,
    least(count_if(side = 0), count_if(side = 1))::BIGINT AS correct
FROM "list_occurrences"
GROUP BY ALL;

-- ## wordlists.list_counts
-- relation list_counts (specs/transcripts/wordlists/lists.yaml)
-- Besides the occurrences, each list has the duration of each segment, and so has the corpus, without a list.
--   The duration of the corpus would else be counted once for each list.
CREATE TABLE "list_counts" AS
SELECT document, segment, speaker, list, possible, actual, correct, 0e0 AS seconds, 0e0 AS list_seconds, false AS untimed
FROM "list_outcomes"
UNION ALL
SELECT document, segment, speaker, list, 0, 0, 0, if(list IS NULL, "offset" - onset, 0), if(list IS NULL, 0, "offset" - onset),
    "offset" - onset IS NULL
FROM (FROM "segments" WHERE NOT ignored)
CROSS JOIN (SELECT DISTINCT list FROM "lists" UNION ALL SELECT NULL);

-- ## wordlists.phrases_units
-- metric phrases, statistics per unit (specs/transcripts/wordlists/lists.yaml)
-- Detection of listed phrases: precision, recall and F score over the occurrences of the phrases in each
--   segment, also for each list (slices list). A phrase is correct as often as the text in which it occurs
--   less often has it, wherever in the segment. Each phrase is counted by itself, also inside of a longer
--   one, and a phrase of two lists is counted in both. If the lists are names, `false_negative_rate` is the
--   NE-FNR of ContextASR-Bench.
CREATE TABLE "phrases_units" AS
SELECT "list", "document", "segment",
    sum(correct) AS "correct",
    sum(possible) AS "possible",
    sum(actual) AS "actual",
    exact_sum(seconds) AS "seconds",
    exact_sum(list_seconds) AS "list_seconds",
    count_if(untimed) AS "untimed"
FROM "list_counts" AS counted_rows
GROUP BY ALL;

-- ## wordlists.phrases
-- metric phrases, scores (specs/transcripts/wordlists/lists.yaml)
CREATE TABLE "phrases" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        NULL AS "list",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual",
        coalesce(sum("seconds"), 0) AS "seconds",
        coalesce(sum("list_seconds"), 0) AS "list_seconds",
        coalesce(sum("untimed"), 0) AS "untimed"
    FROM "phrases_units"
    GROUP BY ALL
    UNION ALL
    SELECT
        json_object() AS scope,
        json_object('list', "list") AS slice,
        1 AS breakdown,
        "list" AS "list",
        coalesce(sum("correct"), 0) AS "correct",
        coalesce(sum("possible"), 0) AS "possible",
        coalesce(sum("actual"), 0) AS "actual",
        coalesce(sum("seconds"), 0) AS "seconds",
        coalesce(sum("list_seconds"), 0) AS "list_seconds",
        coalesce(sum("untimed"), 0) AS "untimed"
    FROM "phrases_units"
    WHERE NOT ("list" IS NULL)
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    ratio(correct, possible) AS "recall",
    ratio(correct, actual) AS "precision",
    fscore(precision, recall) AS "fscore",
    1 - recall AS "false_negative_rate",
    if(untimed = 0, ratio((actual - correct) * 3600, coalesce(nullif(seconds, 0), list_seconds)), NULL) AS "false_alarms_per_hour",
    correct AS "correct",
    possible AS "possible",
    actual AS "actual",
    CASE WHEN possible > 0 AND actual > 0 THEN 'the times of some segments are unknown' WHEN untimed = 0 THEN 'a text has no listed phrase' WHEN untimed > 0 THEN 'a text has no listed phrase, or the times of some segments are unknown' ELSE nullif(concat_ws(', ', CASE WHEN sums."correct" = 0 THEN 'correct = 0' END, CASE WHEN sums."possible" = 0 THEN 'possible = 0' END, CASE WHEN sums."actual" = 0 THEN 'actual = 0' END, CASE WHEN sums."seconds" = 0 THEN 'seconds = 0' END, CASE WHEN sums."list_seconds" = 0 THEN 'list_seconds = 0' END, CASE WHEN sums."untimed" = 0 THEN 'untimed = 0' END), '') END AS note
FROM sums;

-- ## wordlists.the_scores
-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
    SELECT position, variant, breakdown, place, metric, component, slice, finite(value) AS value,
        NULL::DOUBLE AS std, NULL::BIGINT AS folds,
        remark(value, note) AS note
    FROM (
        SELECT 0 AS position, 0 AS variant, 'wer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'word_correctness', 'value': "word_correctness"::DOUBLE},
                {'place': 2, 'component': 'mer', 'value': "mer"::DOUBLE},
                {'place': 3, 'component': 'wil', 'value': "wil"::DOUBLE},
                {'place': 4, 'component': 'wip', 'value': "wip"::DOUBLE},
                {'place': 5, 'component': 'ser', 'value': "ser"::DOUBLE},
                {'place': 6, 'component': 'correct', 'value': "correct"::DOUBLE},
                {'place': 7, 'component': 'substitutions', 'value': "substitutions"::DOUBLE},
                {'place': 8, 'component': 'deletions', 'value': "deletions"::DOUBLE},
                {'place': 9, 'component': 'insertions', 'value': "insertions"::DOUBLE},
                {'place': 10, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "wer"
        UNION ALL
        SELECT 1 AS position, 0 AS variant, 'b_wer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'correct', 'value': "correct"::DOUBLE},
                {'place': 2, 'component': 'substitutions', 'value': "substitutions"::DOUBLE},
                {'place': 3, 'component': 'deletions', 'value': "deletions"::DOUBLE},
                {'place': 4, 'component': 'insertions', 'value': "insertions"::DOUBLE},
                {'place': 5, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "b_wer"
        UNION ALL
        SELECT 2 AS position, 0 AS variant, 'u_wer' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'value', 'value': "value"::DOUBLE},
                {'place': 1, 'component': 'correct', 'value': "correct"::DOUBLE},
                {'place': 2, 'component': 'substitutions', 'value': "substitutions"::DOUBLE},
                {'place': 3, 'component': 'deletions', 'value': "deletions"::DOUBLE},
                {'place': 4, 'component': 'insertions', 'value': "insertions"::DOUBLE},
                {'place': 5, 'component': 'words', 'value': "words"::DOUBLE}
            ], recursive := true)
        FROM "u_wer"
        UNION ALL
        SELECT 3 AS position, 0 AS variant, 'phrases' AS metric, slice, breakdown, note,
            unnest([
                {'place': 0, 'component': 'recall', 'value': "recall"::DOUBLE},
                {'place': 1, 'component': 'precision', 'value': "precision"::DOUBLE},
                {'place': 2, 'component': 'fscore', 'value': "fscore"::DOUBLE},
                {'place': 3, 'component': 'false_negative_rate', 'value': "false_negative_rate"::DOUBLE},
                {'place': 4, 'component': 'false_alarms_per_hour', 'value': "false_alarms_per_hour"::DOUBLE},
                {'place': 5, 'component': 'correct', 'value': "correct"::DOUBLE},
                {'place': 6, 'component': 'possible', 'value': "possible"::DOUBLE},
                {'place': 7, 'component': 'actual', 'value': "actual"::DOUBLE}
            ], recursive := true)
        FROM "phrases"
    )
)
ORDER BY position, variant, breakdown, slice_order(slice), slice::VARCHAR, place;

-- input queries (specs/term_detection/tables.yaml): Queries. One row per query. Any other column of the
--   file can be named by --by.
CREATE TABLE IF NOT EXISTS "queries" (line BIGINT, "query" VARCHAR, "text" VARCHAR, "compare_normalize" VARCHAR);

-- input audio (specs/term_detection/tables.yaml): Audio that is searched. One row per excerpt. Any other
--   column of the file can be named by --by.
CREATE TABLE IF NOT EXISTS "audio" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "source_type" VARCHAR);

-- input detections (specs/term_detection/tables.yaml): Output of the system. One row per detection,
--   with its score and decision.
CREATE TABLE IF NOT EXISTS "detections" (line BIGINT, "query" VARCHAR, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "score" DOUBLE, "decision" VARCHAR, "min_score" DOUBLE, "max_score" DOUBLE, "element" BIGINT);

-- input references (specs/term_detection/tables.yaml): Reference transcript. One row per token, in any
--   order.
CREATE TABLE IF NOT EXISTS "references" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "token" VARCHAR, "subtype" VARCHAR, "speaker" VARCHAR, "confidence" DOUBLE);

-- input occurrences (specs/term_detection/tables.yaml): Occurrences of the queries. One row per
--   occurrence. Given instead of references, if the occurrences are known.
CREATE TABLE IF NOT EXISTS "occurrences" (line BIGINT, "query" VARCHAR, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE);

-- input speech (specs/term_detection/tables.yaml): Turns of speakers. One row per turn. Needed only if
--   the parameter `trials` is segment.
CREATE TABLE IF NOT EXISTS "speech" (line BIGINT, "doc" VARCHAR, "channel" VARCHAR, "tbeg" DOUBLE, "dur" DOUBLE, "speaker" VARCHAR);

-- relation query_texts (specs/term_detection/shared/alignment.yaml)
-- The queries, each with the list of words of its text, split at blanks; NULL for a query without a text.
CREATE TABLE "query_texts_789a523b" AS
SELECT query, list_filter(string_split_regex(text, '\s+'), lambda word: word <> '') AS words, compare_normalize
FROM "queries";

-- relation query_words (specs/term_detection/shared/alignment.yaml)
-- The queries, each with the list of words by which its occurrences are found, in the Unicode form of
--   `unicode_form`. `any_case`: the first word is compared without regard to case. The other words always
--   are, as in F4DE.
CREATE TABLE "query_words_dbdc4f0c" AS
SELECT query,
    list_transform(words, lambda word: nfc_normalize(word)) AS words,
    true AS any_case
FROM "query_texts_789a523b";

-- relation respelt_words (specs/term_detection/shared/alignment.yaml)
-- The words that are not in Unicode's form NFC, where they are compared in that form.
CREATE TABLE "respelt_words_554f5ef9" AS
SELECT NULL::VARCHAR AS token, NULL::VARCHAR AS composed WHERE false;

-- relation excerpts (specs/term_detection/shared/alignment.yaml)
-- The excerpts of the audio, with times as the parameter `times` compares them: one row for each minute of
--   the recording that an excerpt touches. The minute makes the search for the excerpt that contains a
--   detection an equality join.
CREATE TABLE "excerpts_f3989b97" AS
SELECT *, unnest(range((onset // 60000000), (excerpt_end // 60000000) + 1)) AS minute
FROM (
    SELECT doc, channel, microseconds(excerpt_.tbeg) AS onset, (microseconds(excerpt_.tbeg) + microseconds(excerpt_.dur)) AS excerpt_end
    FROM "audio" AS excerpt_
);

-- relation located_occurrences (specs/term_detection/shared/alignment.yaml)
-- The occurrences of the queries, inside or outside of the audio that is searched: those of the input
--   `occurrences`, or else found in the input `references`. There, an occurrence is a sequence of consecutive
--   tokens of one speaker that are the words of the query, with gaps of at most `max_gap` (0.5 s); no other
--   token may be between them. A token of a subtype in `never_first` (filled pauses, fragments) begins no
--   occurrence. A token can be in several occurrences: `a b a b a` has two occurrences of `a b a`.
--   `first_end` is the end of the first word: as in F4DE, the first word must lie in the audio.
CREATE TABLE "located_occurrences_fc7be3d9" AS
WITH
terms AS (
    SELECT *, len(words) AS size, lower(words[1]) AS word FROM "query_words_dbdc4f0c"
),
tokens AS (
    SELECT doc, channel, coalesce(speaker, '') AS speaker, coalesce(composed, token) AS token,
        lower(coalesce(composed, token)) AS word, tbeg, dur,
        microseconds(token_.tbeg) AS onset, (microseconds(token_.tbeg) + microseconds(token_.dur)) AS token_end,
        coalesce(subtype NOT IN ['fp', 'frag']::VARCHAR[], true) AS may_begin
    FROM "references" AS token_
    LEFT JOIN "respelt_words_554f5ef9" USING (token)
),
-- a run of tokens ends where the gap to the next token exceeds max_gap; only queries of two or more words need runs
breaks AS (
    SELECT *, row_number() OVER stream AS number,
        coalesce(onset - lag(token_end) OVER stream > microseconds(0.5e0), true) AS breaks
    FROM tokens
    WHERE (SELECT max(size) FROM terms) > 1
    WINDOW stream AS (PARTITION BY doc, channel, speaker ORDER BY tbeg, dur, token, may_begin)
),
numbered AS (
    SELECT *, count_if(breaks) OVER (PARTITION BY doc, channel, speaker ORDER BY number) AS run
    FROM breaks
),
begun AS (
    SELECT query, words, unnest(range(2, size + 1)) AS place, doc, channel, speaker, run,
        number AS first_number, onset, token_end AS first_end
    FROM terms
    JOIN numbered USING (word)
    WHERE size > 1 AND may_begin AND (any_case OR token = words[1])
),
found AS (
    SELECT query, doc, channel, onset, token_end AS "offset", token_end AS first_end
    FROM terms
    JOIN tokens USING (word)
    WHERE size = 1 AND may_begin AND (any_case OR token = words[1])
    UNION ALL
    SELECT query, begun_.doc, begun_.channel, begun_.onset,
        arg_max(next_.token_end, place) AS "offset", begun_.first_end
    FROM begun AS begun_
    JOIN numbered AS next_
        ON begun_.doc = next_.doc AND begun_.channel = next_.channel AND begun_.speaker = next_.speaker
        AND begun_.run = next_.run AND next_.number = first_number + place - 1 AND next_.word = lower(words[place])
    GROUP BY query, begun_.doc, begun_.channel, begun_.speaker,
        first_number, begun_.onset, begun_.first_end, len(words)
    HAVING count(*) = len(words) - 1
),
timed AS (
    SELECT *, onset / 1e6 AS onset_s, "offset" / 1e6 AS offset_s FROM found
)
SELECT query, doc, channel, onset, "offset", first_end, onset_s, offset_s
FROM timed AS row_;

-- relation targets (specs/term_detection/shared/alignment.yaml)
-- The target trials. Where trials are virtual, the occurrences whose first word lies in an excerpt of the
--   audio. Where trials are segments or documents, those that contain at least one occurrence of the query:
--   two occurrences in one segment are one target.
CREATE TABLE "targets_b9ec532c" AS
SELECT query, doc, channel, onset, "offset", onset_s, offset_s,
    NULL::BIGINT AS trial
FROM "located_occurrences_fc7be3d9" AS occurrence_
SEMI JOIN "excerpts_f3989b97" AS excerpt_
    ON occurrence_.doc = excerpt_.doc AND occurrence_.channel = excerpt_.channel
    AND (occurrence_.onset // 60000000) = excerpt_.minute
    AND occurrence_.onset >= excerpt_.onset AND occurrence_.first_end <= excerpt_.excerpt_end;

-- relation audio_size, T_audio (specs/term_detection/shared/alignment.yaml)
-- The duration of the audio that is searched, T_audio, and the number of trials of one query: n_tps · T_audio
--   where trials are virtual (Eq 2), otherwise the number of segments or documents.
CREATE TABLE "audio_size_0a8ded10" AS
WITH durations AS (
    SELECT 2 * length AS halves FROM (
        SELECT *, greatest(0, onset + size - greatest(onset, coalesce(max(onset + size) OVER earlier, onset))) AS length
        FROM (SELECT *, microseconds(tbeg) AS onset, microseconds(dur) AS size FROM "audio")
        WINDOW earlier AS (PARTITION BY doc, channel ORDER BY onset, size ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
),
sizes AS (
    SELECT sum(halves) / 2e6 AS seconds FROM durations GROUP BY ALL
)
SELECT *, 1.0e0 * seconds AS trials, 'virtual' AS kind
FROM sizes;

-- relation query_sizes (specs/term_detection/shared/rates.yaml)
-- The queries, each with the number of its target trials, N_act(q), and of its non-target trials, N_nt(q) =
--   trials − N_act(q) (Eq 2).
CREATE TABLE "query_sizes_96884861" AS
WITH counted AS (
    SELECT query, count(*) AS targets FROM "targets_b9ec532c" GROUP BY ALL
)
SELECT query, coalesce(targets, 0) AS targets, trials - coalesce(targets, 0) AS nontargets
FROM (SELECT DISTINCT query, true AS here FROM "queries") AS query_
JOIN (SELECT *, true AS here FROM "audio_size_0a8ded10") AS audio_ USING (here)
LEFT JOIN counted USING (query);

-- relation scored_queries, Q (specs/term_detection/shared/rates.yaml)
-- The queries over which rates are averaged (Q), with the weight of one hit and of one false alarm of each in
--   the averages. A hit of q weighs 1 / (N_act(q) · |Q|), so that the sum over all hits is 1 − P_miss (Eqs 1,
--   4); a false alarm weighs 1 / (N_nt(q) · |Q|), so that the sum is P_fa (Eqs 3, 5). Weights are whole
--   numbers: 2^90 represents 1. Running sums of whole numbers do not depend on the order of rows; sums of
--   binary64 fractions such as 1/3 do. Of three queries, a hit of one with 5 occurrences weighs 2^90 // 15.
--   With include_queries_without_targets, P_fa is averaged over all queries and P_miss over those that have
--   targets. With pooled, all queries are one block with the trials of one query. A block without non-target
--   trials has no false alarm rate, and its false alarms weigh 0.
CREATE TABLE "scored_queries_46c93587" AS
WITH blocks AS (
    SELECT *,
        query AS block, targets AS block_targets, nontargets AS block_nontargets,
        count_if(targets > 0) OVER in_scope AS targeted, count(*) OVER in_scope AS blocks
    FROM "query_sizes_96884861"
    WHERE targets > 0
    WINDOW in_scope AS ()
)
SELECT query, targets, nontargets, block, block_targets, block_nontargets,
    if(block_targets > 0, one_weight() // (block_targets * targeted), NULL) AS hit_weight,
    if(block_nontargets > 0, round_even(one_weight()::DOUBLE / (block_nontargets * blocks), 0)::HUGEINT, 0) AS false_alarm_weight
FROM blocks;

-- relation left_out (specs/term_detection/shared/alignment.yaml)
-- The detections and occurrences that take no part in the alignment, with the reason and with a verdict by
--   the parameter `outside_audio`. left out: it does not count at all. false alarm: the detection counts as
--   unaligned. refused: the run ends with an error.
CREATE TABLE "left_out_d8b8ab39" AS
WITH outside AS (
    SELECT 'detection' AS kind, query, doc, channel, tbeg, dur, score, decision, true AS outside
    FROM "detections" AS detection_
    ANTI JOIN "excerpts_f3989b97" AS excerpt_
        ON detection_.doc = excerpt_.doc AND detection_.channel = excerpt_.channel
    AND (microseconds(detection_.tbeg) // 60000000) = excerpt_.minute
    AND microseconds(detection_.tbeg) >= excerpt_.onset AND (microseconds(detection_.tbeg) + microseconds(detection_.dur)) <= excerpt_.excerpt_end
    UNION ALL
    SELECT 'occurrence', query, doc, channel, onset_s, offset_s - onset_s, NULL, NULL, true
    FROM "located_occurrences_fc7be3d9" AS occurrence_
    ANTI JOIN "excerpts_f3989b97" AS excerpt_
        ON occurrence_.doc = excerpt_.doc AND occurrence_.channel = excerpt_.channel
    AND (occurrence_.onset // 60000000) = excerpt_.minute
    AND occurrence_.onset >= excerpt_.onset AND occurrence_.first_end <= excerpt_.excerpt_end
),
reasons AS (
    SELECT *,
        CASE
            WHEN NOT outside THEN 'another of its trial has a higher score'
            ELSE 'outside the audio'
        END AS reason
    FROM outside
)
SELECT *,
    CASE
        WHEN NOT outside THEN 'left out'
        WHEN 'drop' = 'error' THEN 'refused'
        WHEN 'drop' = 'false_alarm' AND kind = 'detection' THEN 'false alarm'
        ELSE 'left out'
    END AS verdict
FROM reasons;

-- relation occurrence_islands (specs/term_detection/shared/alignment.yaml)
-- The target occurrences, grouped into islands. An island is a longest set of occurrences of a query in one
--   document and channel whose ranges of detection midpoints overlap; the range of an occurrence is its time,
--   extended by `tolerance` (0.5 s) at both ends. With occurrences at 1.0–1.4, 2.2–2.6 and 9.0–9.4 s, the
--   first two are an island (0.5–1.9 and 1.7–3.1 s overlap). A detection can be aligned to occurrences of one
--   island only, so that islands are aligned independently.
CREATE TABLE "occurrence_islands_2b22f96a" AS
WITH extended AS (
    SELECT query, doc, channel, onset_s, offset_s,
        2 * (onset - microseconds(0.5e0)) AS reach_from,
        2 * ("offset" + microseconds(0.5e0)) AS reach_to
    FROM "targets_b9ec532c"
),
parted AS (
    SELECT *, coalesce(reach_from > max(reach_to) OVER before, true) AS begins
    FROM extended
    WINDOW before AS (PARTITION BY query, doc, channel ORDER BY reach_from, reach_to
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
numbered AS (
    SELECT * EXCLUDE (begins),
        count_if(begins) OVER (ORDER BY query, doc, channel, reach_from, begins DESC, reach_to ROWS UNBOUNDED PRECEDING) AS island
    FROM parted
)
SELECT *, row_number() OVER (PARTITION BY island ORDER BY reach_from, reach_to) AS occurrence,
    min(reach_from) OVER (PARTITION BY island) AS island_from, max(reach_to) OVER (PARTITION BY island) AS island_to
FROM numbered;

-- relation candidate_pairs (specs/term_detection/shared/alignment.yaml)
-- The pairs of a detection and an occurrence that may be aligned: the midpoint of the detection lies in the
--   occurrence or at most `tolerance` (0.5 s) outside (section 2.1). A detection from 3.0 to 3.4 s, midpoint
--   3.2 s, may be aligned to an occurrence that ends at 2.7 s and not to one that ends at 2.6 s. `gain_1` to
--   `gain_3` say which pairs are preferred, in this order, among alignments with the most pairs. With
--   assignment = ranks: the rank of the score in the island, then the overlap, then the order in time, YES
--   before NO. With assignment = gain, as in F4DE: 1e-6 · relative score + 1e-8 · relative overlap (here
--   times 1e8, as one number), then the order in time. `contested`: a detection of the island may be aligned
--   to more than one occurrence.
CREATE TABLE "candidate_pairs_44eb7f61" AS
WITH islands AS (
    SELECT DISTINCT query, doc, channel, island, island_from, island_to FROM "occurrence_islands_2b22f96a"
),
-- one row for each interval of 11.0 s that an island touches, so that detections find it by an equality join
stretches AS (
    SELECT *, unnest(range((island_from // 22000000), (island_to // 22000000) + 1)) AS stretch
    FROM islands
),
near AS (
    SELECT query, doc, channel, tbeg, dur, ranked_score(score) AS score, decision, min_score, max_score, island, middle
    FROM (
        SELECT *, (middle // 22000000) AS stretch
        FROM (SELECT *, (2 * microseconds(detection_.tbeg) + microseconds(detection_.dur)) AS middle FROM "detections" AS detection_)
    )
    JOIN stretches USING (query, doc, channel, stretch)
    ANTI JOIN (FROM "left_out_d8b8ab39" WHERE kind = 'detection') USING (query, doc, channel, tbeg, dur)
    WHERE middle BETWEEN island_from AND island_to
),
numbered AS (
    SELECT *, microseconds(tbeg) AS onset, microseconds(tbeg) + microseconds(dur) AS "offset",
        row_number() OVER (PARTITION BY island ORDER BY microseconds(tbeg), microseconds(dur), score DESC, decision DESC) AS detection
    FROM near
),
paired AS (
    SELECT detection_.*, occurrence_.occurrence, occurrence_.onset_s, occurrence_.offset_s,
        dense_rank() OVER (PARTITION BY island ORDER BY detection_.onset DESC, detection_."offset" DESC, decision = 'YES') AS gain_3,
        dense_rank() OVER (PARTITION BY island ORDER BY score) AS gain_1,
        least(detection_."offset", microseconds(offset_s)) - greatest(detection_.onset, microseconds(onset_s)) AS gain_2
    FROM numbered AS detection_
    JOIN (SELECT island, occurrence, onset_s, offset_s, reach_from, reach_to FROM "occurrence_islands_2b22f96a") AS occurrence_ USING (island)
    WHERE middle BETWEEN reach_from AND reach_to
),
counted AS (
    SELECT *, count(*) OVER (PARTITION BY island, detection) AS partners FROM paired
)
SELECT query, doc, channel, tbeg, dur, score, decision, island, detection, occurrence, onset_s AS occurrence_onset, offset_s AS occurrence_offset,
    gain_1, gain_2, gain_3, max(partners) OVER (PARTITION BY island) > 1 AS contested
FROM counted;

-- relation aligned_pairs (specs/term_detection/shared/alignment.yaml)
-- The pairs of a detection and an occurrence that are aligned, one-to-one. Where every detection of an island
--   may be aligned to one occurrence only, each occurrence takes its best detection. The other islands are
--   solved by the function best_matching.
-- "aligned_pairs_rows_fe553c16" is what the Python function best_matching makes of the rows of
--   SELECT island, detection AS left_row, occurrence AS right_row, gain_1, gain_2, gain_3
--   FROM "candidate_pairs_44eb7f61"
--   WHERE contested
--   ORDER BY island, detection, occurrence
CREATE TABLE "aligned_pairs_de521f90" AS
SELECT island, detection, occurrence
FROM "candidate_pairs_44eb7f61"
WHERE NOT contested
QUALIFY row_number() OVER (PARTITION BY island, occurrence ORDER BY gain_1 DESC, gain_2 DESC, gain_3 DESC, detection) = 1
UNION ALL
SELECT island, left_row, right_row FROM "aligned_pairs_rows_fe553c16";

-- relation alignment (specs/term_detection/shared/alignment.yaml)
-- The alignment: every detection that counts, with the occurrence to which it is aligned or NULL, and every
--   occurrence to which no detection is aligned. Outcomes (section 2.1): an aligned detection is a hit when
--   its decision is YES, else a miss; an unaligned one is a false_alarm when YES, else a correct_rejection;
--   an occurrence without a detection is a miss.
CREATE TABLE "alignment_f3cc6781" AS
WITH
judged AS (
    SELECT query, doc, channel, tbeg, dur, score, decision,
        NULL::DOUBLE AS occurrence_onset, NULL::DOUBLE AS occurrence_offset, false AS target
    FROM "detections"
    ANTI JOIN (FROM "left_out_d8b8ab39" WHERE kind = 'detection') USING (query, doc, channel, tbeg, dur)
    ANTI JOIN "candidate_pairs_44eb7f61" USING (query, doc, channel, tbeg, dur)
    UNION ALL
    SELECT query, doc, channel, tbeg, dur, score, decision,
        if(found, occurrence_onset, NULL), if(found, occurrence_offset, NULL), coalesce(found, false)
    FROM "candidate_pairs_44eb7f61"
    LEFT JOIN (SELECT *, true AS found FROM "aligned_pairs_de521f90") USING (island, detection, occurrence)
    QUALIFY row_number() OVER (PARTITION BY island, detection ORDER BY found NULLS LAST, occurrence) = 1
    UNION ALL
    SELECT query, doc, channel, NULL, NULL, NULL, NULL, onset_s, offset_s, true
    FROM "occurrence_islands_2b22f96a"
    ANTI JOIN "aligned_pairs_de521f90" USING (island, occurrence)
)
SELECT *,
    CASE
        WHEN target AND decision = 'YES' THEN 'hit'
        WHEN target THEN 'miss'
        WHEN decision = 'YES' THEN 'false_alarm'
        ELSE 'correct_rejection'
    END AS outcome
FROM judged;

-- relation scored_detections (specs/term_detection/shared/rates.yaml)
-- The detections of the queries over which rates are averaged, each with the weight that it adds when it is
--   accepted: `hit_weight` if it is aligned, else `false_alarm_weight` (scored_queries). TWV at any threshold
--   is a function of the two sums (Eq 6).
CREATE TABLE "scored_detections_7e7c6780" AS
SELECT query, block, score, target, outcome, decision = 'YES' AS accepted, targets > 0 AS has_targets,
    if(target, hit_weight, 0) AS hit_weight, if(target, 0, false_alarm_weight) AS false_alarm_weight
FROM "alignment_f3cc6781"
JOIN "scored_queries_46c93587" USING (query)
WHERE decision IS NOT NULL;

-- relation query_outcomes (specs/term_detection/shared/rates.yaml)
-- The queries over which rates are averaged, each with the numbers of its detections by outcome: hits,
--   misses, false alarms, correct rejections. `unordered`: a detection with NO has a score as high as one
--   with YES, so that the decisions are not those of a threshold on the scores of the query.
CREATE TABLE "query_outcomes_ce48f5e4" AS
WITH counted AS (
    SELECT query, count(*) AS detections, count_if(target) AS aligned, count_if(outcome = 'hit') AS hits,
        count_if(outcome = 'false_alarm') AS false_alarms, count_if(outcome = 'correct_rejection') AS correct_rejections,
        max(score) FILTER (WHERE NOT accepted) >= min(score) FILTER (WHERE accepted) AS unordered
    FROM "scored_detections_7e7c6780"
    GROUP BY ALL
)
SELECT query_.* EXCLUDE (hit_weight, false_alarm_weight), hit_weight, false_alarm_weight,
    coalesce(detections, 0) AS detections, coalesce(aligned, 0) AS aligned, coalesce(hits, 0) AS hits,
    targets - coalesce(hits, 0) AS misses, coalesce(false_alarms, 0) AS false_alarms,
    coalesce(correct_rejections, 0) AS correct_rejections, coalesce(unordered, false) AS unordered
FROM "scored_queries_46c93587" AS query_
LEFT JOIN counted USING (query);

-- relation operating_point (specs/term_detection/shared/rates.yaml)
-- The operating point, one row for the whole set whatever the breakdown: costs and priors, β (Eq 7), the
--   empirical prior (Eq 12), the weight of misses (Eqs 16 and 19, α of Eq 20), the effective prior P_tar (Eq
--   23) and the threshold of minimum expected cost θ_mincost = −logit(P_tar) = ln β (Eq 31). p_target = null
--   is the prior of SWS 2012, N_true / (n_tps · T_audio) (Eq 17). With C_miss = 100, C_fa = 1 and P_target =
--   0.00015 (Eq 21): β = 66.657, P_tar = 0.0148, θ_mincost = 4.2. `smallest_score` is the minimum of the
--   submitted scores, which trials without a score get (Eq 42), 0 if there are none.
CREATE TABLE "operating_point_a3d975af" AS
WITH sizes AS (
    SELECT count(*) AS queries, sum(targets)::BIGINT AS targets FROM "query_sizes_96884861" WHERE targets > 0
),
lowest AS (
    SELECT coalesce(min(ranked_score(score)), 0) AS smallest_score FROM "scored_detections_7e7c6780" WHERE has_targets
),
chosen AS (
    SELECT *, 0.00015e0::DOUBLE AS p_target
    FROM sizes, lowest, "audio_size_0a8ded10"
)
SELECT *, 1 / (1 + beta) AS p_tar, ln(beta) AS theta_mincost,
    (1 - p_target_empirical) / nullif(1 - queries * p_target_empirical, 0) AS alpha,
    c_miss / c_fa AS miss_weight
FROM (
    SELECT queries, targets, trials, smallest_score, p_target, 100.0e0 AS c_miss, 1.0e0 AS c_fa,
        (1.0e0 / 100.0e0) * (1 / p_target - 1) AS beta, targets / (queries * trials) AS p_target_empirical
    FROM chosen
);

-- relation averaged_queries (specs/term_detection/shared/rates.yaml)
-- One row for each slice: the number of queries over which rates are averaged, how many of them have target
--   trials (P_miss) and how many have no non-target trial (P_fa is then undefined), with the operating point.
CREATE TABLE "averaged_queries_936cb744" AS
SELECT *
FROM (
    SELECT count(*) AS queries, count_if(targets > 0) AS occurring, count_if(block_nontargets <= 0) AS overfull,
        sum(targets)::BIGINT AS targets, any_value(FALSE) AS pooled
    FROM "scored_queries_46c93587"
    GROUP BY ALL
)
CROSS JOIN (SELECT beta, c_miss, c_fa, p_target FROM "operating_point_a3d975af");

-- metric atwv, statistics per unit (specs/term_detection/shared/atwv.yaml)
-- Actual term-weighted value (ATWV): 1 − P_miss − β·P_fa at the decisions of the system, averaged over
--   queries (Eq 6). 1 is perfect, 0 is a system that always says NO. The value is not below −β unless a query
--   has more false alarms than trials that are not occurrences. In quesst2015.atwv the trials are documents.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "atwv_units_30e86d98" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(hits) AS "hits",
    sum(nontargets) AS "nontargets",
    sum(false_alarms) AS "false_alarms",
    sum(hits * hit_weight) AS "gain",
    sum(false_alarms * false_alarm_weight) AS "loss"
FROM "query_outcomes_ce48f5e4" AS counted_rows
GROUP BY ALL;

-- metric atwv, scores (specs/term_detection/shared/atwv.yaml)
-- Actual term-weighted value (ATWV): 1 − P_miss − β·P_fa at the decisions of the system, averaged over
--   queries (Eq 6). 1 is perfect, 0 is a system that always says NO. The value is not below −β unless a query
--   has more false alarms than trials that are not occurrences. In quesst2015.atwv the trials are documents.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "atwv_5c9cbce0" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "atwv_units_30e86d98"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(occurring > 0 AND overfull = 0, rate_of(gain) - beta * rate_of(loss), NULL) AS "value",
    CASE WHEN coalesce(occurring, 0) = 0 THEN 'no query has an occurrence' WHEN overfull > 0 THEN 'a query has no trials besides its occurrences' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (SELECT "occurring", "overfull", "beta" FROM "averaged_queries_936cb744") AS given
    ON true;

-- metric mtwv, statistics per unit (specs/term_detection/shared/mtwv.yaml)
-- Maximum term-weighted value (MTWV): the largest 1 − P_miss − β·P_fa (Eq 6) over all thresholds, with one
--   threshold for all queries. `p_miss`, `p_fa` and `threshold` are those of the largest value. 0 means that
--   rejecting everything is best. In openkws13.mtwv something must be accepted; in quesst2015.mtwv the trials
--   are documents.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "mtwv_units_c5e2ef4a" AS
SELECT
    sum(hit_weight) AS "gain",
    sum(false_alarm_weight) AS "loss"
FROM "scored_detections_7e7c6780" AS counted_rows
GROUP BY ALL;

-- metric mtwv, running sums (specs/term_detection/shared/mtwv.yaml)
-- Maximum term-weighted value (MTWV): the largest 1 − P_miss − β·P_fa (Eq 6) over all thresholds, with one
--   threshold for all queries. `p_miss`, `p_fa` and `threshold` are those of the largest value. 0 means that
--   rejecting everything is best. In openkws13.mtwv something must be accepted; in quesst2015.mtwv the trials
--   are documents.
-- The running sums of the statistics down the scores: one row for each distinct score of a slice (of a unit,
--   when each unit has its own threshold), with the statistics of all rows that have this score or a higher
--   one. The naive way filters the rows again at each threshold θ, by score ≥ θ. Because statistics are
--   additive, the sum at θ is the sum at the next higher threshold plus the rows at θ itself, so that one
--   pass is enough. For the scores 0.9 (hit), 0.8 (false alarm) and 0.5 (hit), the hits are 1, 1, 2 and the
--   false alarms 0, 1, 1. Rows without a score are at no threshold. tests/unit/test_sweep.py compares the two
--   ways.
CREATE TABLE "mtwv_sums_98931945" AS
SELECT
        0 AS breakdown,
        threshold,
        row_number() OVER down AS rank,
        coalesce(sum("gain") OVER down, 0) AS "gain",
        coalesce(sum("loss") OVER down, 0) AS "loss"
FROM (
    SELECT ranked_score(score) AS threshold,
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
    FROM "scored_detections_7e7c6780" AS counted_rows
    WHERE (score) IS NOT NULL
    GROUP BY ALL
)
WINDOW down AS (ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- metric mtwv, scores (specs/term_detection/shared/mtwv.yaml)
-- Maximum term-weighted value (MTWV): the largest 1 − P_miss − β·P_fa (Eq 6) over all thresholds, with one
--   threshold for all queries. `p_miss`, `p_fa` and `threshold` are those of the largest value. 0 means that
--   rejecting everything is best. In openkws13.mtwv something must be accepted; in quesst2015.mtwv the trials
--   are documents.
-- The best point of the curve in each slice (or unit): the threshold at which the component named by `best`
--   is largest or smallest, with all components there. By definition, each threshold is tried in turn: accept
--   the rows with score ≥ θ, add up their statistics, compute the components. Here the sums at all thresholds
--   are known (sweep_sums), and the components are computed once for each. Components within 1e-12 of the
--   best value are ties, and the lowest of their thresholds is taken. The point that accepts no row is above
--   all thresholds, so that it is taken only without a tie. tests/unit/test_sweep.py tries every threshold.
CREATE TABLE "mtwv_687fb344" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "mtwv_units_c5e2ef4a"
    GROUP BY ALL
),
points AS NOT MATERIALIZED (
    SELECT
        sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
        {"gain": sums."gain", "loss": sums."loss" } AS total,
        given."occurring",
        given."overfull",
        given."beta",
coalesce(running."gain", 0) AS "gain",
coalesce(running."loss", 0) AS "loss"
    FROM sums
    LEFT JOIN (SELECT "occurring", "overfull", "beta" FROM "averaged_queries_936cb744") AS given
        ON true
    JOIN "mtwv_sums_98931945" AS running ON running.breakdown = sums.breakdown
    UNION ALL
    SELECT
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"gain": sums."gain", "loss": sums."loss" } AS total,
        given."occurring",
        given."overfull",
        given."beta",
0 AS "gain",
0 AS "loss"
    FROM sums
    LEFT JOIN (SELECT "occurring", "overfull", "beta" FROM "averaged_queries_936cb744") AS given
        ON true
),
at_points AS NOT MATERIALIZED (
    SELECT slice, breakdown, rank, threshold, mark,
        if(occurring > 0 AND overfull = 0, rate_of(gain) - beta * rate_of(loss), NULL) AS "value",
        if(occurring > 0 AND overfull = 0, 1 - rate_of(gain), NULL) AS "p_miss",
        if(occurring > 0 AND overfull = 0, rate_of(loss), NULL) AS "p_fa",
        {"gain": points."gain", "loss": points."loss" } AS accepted
    FROM points
)
,
optimum AS (
    SELECT breakdown, max(nullif("value"::DOUBLE, 'nan'::DOUBLE)) AS best
    FROM at_points
    GROUP BY ALL
),
chosen AS (
    SELECT at_points.*
    FROM at_points JOIN optimum ON at_points.breakdown = optimum.breakdown
    WHERE at_points."value"::DOUBLE = optimum.best
        OR at_points."value"::DOUBLE > optimum.best - 1e-12
    QUALIFY row_number() OVER (PARTITION BY at_points.breakdown ORDER BY threshold ASC NULLS LAST) = 1
)
SELECT sums.scope, sums.slice, sums.breakdown,
    chosen."value",
    chosen."p_miss",
    chosen."p_fa",
    chosen.threshold AS threshold, chosen.rank AS best_rank,
    CASE WHEN chosen.rank = 0 THEN 'reject all' END AS remark,
    CASE WHEN coalesce(occurring, 0) = 0 THEN 'no query has an occurrence' WHEN overfull > 0 THEN 'a query has no trials besides its occurrences' ELSE CASE WHEN chosen.rank IS NULL THEN 'at every threshold'
         ELSE nullif(concat_ws(', ', CASE WHEN chosen.accepted."gain" = 0 THEN 'gain = 0' END, CASE WHEN chosen.accepted."loss" = 0 THEN 'loss = 0' END), '')
    END END AS note
FROM sums LEFT JOIN (SELECT "occurring", "overfull", "beta" FROM "averaged_queries_936cb744") AS given
    ON true
 LEFT JOIN chosen ON chosen.breakdown = sums.breakdown;

-- metric p_miss, statistics per unit (specs/term_detection/shared/p_miss.yaml)
-- Miss rate at the decisions of the system: the misses of a query divided by its occurrences (Eq 1), averaged
--   over queries (Eq 4). In quesst2015.p_miss the trials are documents.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "p_miss_units_30e86d98" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(hits) AS "hits",
    sum(nontargets) AS "nontargets",
    sum(false_alarms) AS "false_alarms",
    sum(hits * hit_weight) AS "gain",
    sum(false_alarms * false_alarm_weight) AS "loss"
FROM "query_outcomes_ce48f5e4" AS counted_rows
GROUP BY ALL;

-- metric p_miss, scores (specs/term_detection/shared/p_miss.yaml)
-- Miss rate at the decisions of the system: the misses of a query divided by its occurrences (Eq 1), averaged
--   over queries (Eq 4). In quesst2015.p_miss the trials are documents.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "p_miss_6a08cf86" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "p_miss_units_30e86d98"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(occurring > 0, 1 - rate_of(gain), NULL) AS "value",
    CASE WHEN coalesce(occurring, 0) = 0 THEN 'no query has an occurrence' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (SELECT "occurring" FROM "averaged_queries_936cb744") AS given
    ON true;

-- metric p_fa, statistics per unit (specs/term_detection/shared/p_fa.yaml)
-- False alarm rate at the decisions of the system: the false alarms of a query divided by its trials that are
--   not occurrences (Eqs 2 and 3), averaged over queries (Eq 5). Virtual trials do not limit the number of
--   false alarms, so that the rate can be above 1. In quesst2015.p_fa the trials are documents, and the rate
--   is at most 1.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "p_fa_units_30e86d98" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(hits) AS "hits",
    sum(nontargets) AS "nontargets",
    sum(false_alarms) AS "false_alarms",
    sum(hits * hit_weight) AS "gain",
    sum(false_alarms * false_alarm_weight) AS "loss"
FROM "query_outcomes_ce48f5e4" AS counted_rows
GROUP BY ALL;

-- metric p_fa, scores (specs/term_detection/shared/p_fa.yaml)
-- False alarm rate at the decisions of the system: the false alarms of a query divided by its trials that are
--   not occurrences (Eqs 2 and 3), averaged over queries (Eq 5). Virtual trials do not limit the number of
--   false alarms, so that the rate can be above 1. In quesst2015.p_fa the trials are documents, and the rate
--   is at most 1.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "p_fa_5b5c2127" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "p_fa_units_30e86d98"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(queries > 0 AND overfull = 0, rate_of(loss), NULL) AS "value",
    CASE WHEN coalesce(queries, 0) = 0 THEN 'no query has an occurrence' WHEN overfull > 0 THEN 'a query has no trials besides its occurrences' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (SELECT "queries", "overfull" FROM "averaged_queries_936cb744") AS given
    ON true;

-- metric counts, statistics per unit (specs/term_detection/shared/counts.yaml)
-- Numbers of scored queries, of their occurrences and detections, and of hits, misses, false alarms and
--   correct rejections at the decisions of the system (section 2.1). Queries without occurrences are not
--   scored unless include_queries_without_targets is true. Detections outside the audio do not count by
--   default.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "counts_units_ba918627" AS
SELECT "block",
    count(DISTINCT block) AS "queries",
    sum(targets) AS "targets",
    sum(detections) AS "detections",
    sum(hits) AS "hits",
    sum(misses) AS "misses",
    sum(false_alarms) AS "false_alarms",
    sum(correct_rejections) AS "correct_rejections"
FROM "query_outcomes_ce48f5e4" AS counted_rows
GROUP BY ALL;

-- metric counts, scores (specs/term_detection/shared/counts.yaml)
-- Numbers of scored queries, of their occurrences and detections, and of hits, misses, false alarms and
--   correct rejections at the decisions of the system (section 2.1). Queries without occurrences are not
--   scored unless include_queries_without_targets is true. Detections outside the audio do not count by
--   default.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "counts_1af7abfe" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("queries"), 0) AS "queries",
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("detections"), 0) AS "detections",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("misses"), 0) AS "misses",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("correct_rejections"), 0) AS "correct_rejections"
    FROM "counts_units_ba918627"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    queries AS "queries",
    targets AS "targets",
    if(queries > 0, detections, NULL) AS "detections",
    if(queries > 0, hits, NULL) AS "hits",
    if(queries > 0, misses, NULL) AS "misses",
    if(queries > 0, false_alarms, NULL) AS "false_alarms",
    if(queries > 0, correct_rejections, NULL) AS "correct_rejections",
    CASE WHEN queries = 0 THEN 'no query has an occurrence' ELSE nullif(concat_ws(', ', CASE WHEN sums."queries" = 0 THEN 'queries = 0' END, CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."detections" = 0 THEN 'detections = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."misses" = 0 THEN 'misses = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."correct_rejections" = 0 THEN 'correct_rejections = 0' END), '') END AS note
FROM sums;

-- relation query_steps (specs/term_detection/shared/upper_bound_twv.yaml)
-- The detections of each block in groups, with the lowest score and the total weights of each group; the
--   groups are enough to find the best threshold of the block. The naive way tries every score. But TWV rises
--   only where the threshold passes an aligned detection (hit); unaligned detections lower it. So the best
--   threshold is the score of an aligned detection, or no detection is accepted, and the unaligned detections
--   between two scores of aligned ones can be added up. With hits at 0.9 and 0.5 and false alarms at 0.8, 0.7
--   and 0.3, the groups are {0.9}, {0.8, 0.7}, {0.5} and {0.3}: four thresholds in place of five. The
--   detections with the highest score of the block are a group in any case: where accepting no detection is
--   not allowed (KWSEval), the least that can be accepted is that group.
CREATE TABLE "query_steps_2a7a9c8e" AS
WITH steps AS (
    SELECT DISTINCT block, score FROM "scored_detections_7e7c6780" WHERE target
),
highest AS (
    SELECT block, max(score) AS highest FROM "scored_detections_7e7c6780" GROUP BY ALL
)
SELECT block, min(score) AS score, sum(hit_weight) AS hit_weight, sum(false_alarm_weight) AS false_alarm_weight
FROM (
    SELECT detection_.*, step_.score AS step, detection_.score > step_.score AS above
    FROM "scored_detections_7e7c6780" AS detection_
    ASOF LEFT JOIN steps AS step_
        ON detection_.block = step_.block
        AND detection_.score >= step_.score
)
JOIN highest USING (block)
GROUP BY block, step, above, score = highest;

-- relation blocks (specs/term_detection/shared/upper_bound_twv.yaml)
-- The blocks over which rates are averaged: the queries, or one block of all queries with pooled.
CREATE TABLE "blocks_616a4e53" AS
SELECT block, count(*) OVER () AS blocks, overfull, beta
FROM (SELECT DISTINCT block, true AS here FROM "scored_queries_46c93587")
JOIN (SELECT overfull, beta, true AS here FROM "averaged_queries_936cb744") USING (here);

-- metric upper_bound_twv, statistics per unit (specs/term_detection/shared/upper_bound_twv.yaml)
-- Upper-bound term-weighted value (the optimum of KWSEval): the largest 1 − P_miss − β·P_fa (Eq 6) if each
--   query has the threshold that is best for it. It is at least mtwv, which has one threshold for all
--   queries. In openkws13.upper_bound_twv the thresholds are the scores of all queries; in
--   quesst2015.upper_bound_twv the trials are documents.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "upper_bound_twv_units_045b206b" AS
WITH counted AS (
    SELECT "block",
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
    FROM "query_steps_2a7a9c8e" AS counted_rows
    GROUP BY ALL
)
SELECT all_units."block",
    coalesce("gain", 0) AS "gain",
    coalesce("loss", 0) AS "loss"
FROM (
    FROM (SELECT DISTINCT "block" FROM "blocks_616a4e53")
) AS all_units
LEFT JOIN counted ON true AND counted."block" IS NOT DISTINCT FROM all_units."block";

-- metric upper_bound_twv, running sums (specs/term_detection/shared/upper_bound_twv.yaml)
-- Upper-bound term-weighted value (the optimum of KWSEval): the largest 1 − P_miss − β·P_fa (Eq 6) if each
--   query has the threshold that is best for it. It is at least mtwv, which has one threshold for all
--   queries. In openkws13.upper_bound_twv the thresholds are the scores of all queries; in
--   quesst2015.upper_bound_twv the trials are documents.
-- The running sums of the statistics down the scores: one row for each distinct score of a slice (of a unit,
--   when each unit has its own threshold), with the statistics of all rows that have this score or a higher
--   one. The naive way filters the rows again at each threshold θ, by score ≥ θ. Because statistics are
--   additive, the sum at θ is the sum at the next higher threshold plus the rows at θ itself, so that one
--   pass is enough. For the scores 0.9 (hit), 0.8 (false alarm) and 0.5 (hit), the hits are 1, 1, 2 and the
--   false alarms 0, 1, 1. Rows without a score are at no threshold. tests/unit/test_sweep.py compares the two
--   ways.
CREATE TABLE "upper_bound_twv_sums_076cc750" AS
SELECT
        0 AS breakdown,
        "block" AS "block",
        threshold,
        row_number() OVER down AS rank,
        coalesce(sum("gain") OVER down, 0) AS "gain",
        coalesce(sum("loss") OVER down, 0) AS "loss"
FROM (
    SELECT "block", ranked_score(score) AS threshold,
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
    FROM "query_steps_2a7a9c8e" AS counted_rows
    WHERE (score) IS NOT NULL
    GROUP BY ALL
)
WINDOW down AS (PARTITION BY "block" ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING);

-- metric upper_bound_twv, the best threshold of each unit
--   (specs/term_detection/shared/upper_bound_twv.yaml)
-- Upper-bound term-weighted value (the optimum of KWSEval): the largest 1 − P_miss − β·P_fa (Eq 6) if each
--   query has the threshold that is best for it. It is at least mtwv, which has one threshold for all
--   queries. In openkws13.upper_bound_twv the thresholds are the scores of all queries; in
--   quesst2015.upper_bound_twv the trials are documents.
-- The best point of the curve in each slice (or unit): the threshold at which the component named by `best`
--   is largest or smallest, with all components there. By definition, each threshold is tried in turn: accept
--   the rows with score ≥ θ, add up their statistics, compute the components. Here the sums at all thresholds
--   are known (sweep_sums), and the components are computed once for each. Components within 1e-12 of the
--   best value are ties, and the lowest of their thresholds is taken. The point that accepts no row is above
--   all thresholds, so that it is taken only without a tie. tests/unit/test_sweep.py tries every threshold.
CREATE TABLE "upper_bound_twv_best_7d9e3c22" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        "block" AS "block",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "upper_bound_twv_units_045b206b"
    GROUP BY "block"
),
points AS NOT MATERIALIZED (
    SELECT sums."block",
        sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
        {"gain": sums."gain", "loss": sums."loss" } AS total,
        given."beta",
        given."blocks",
        given."overfull",
coalesce(running."gain", 0) AS "gain",
coalesce(running."loss", 0) AS "loss"
    FROM sums
    LEFT JOIN (SELECT "block", "beta", "blocks", "overfull" FROM "blocks_616a4e53") AS given
        ON true AND given."block" IS NOT DISTINCT FROM sums."block"
    JOIN "upper_bound_twv_sums_076cc750" AS running ON running.breakdown = sums.breakdown AND running."block" IS NOT DISTINCT FROM sums."block"
    UNION ALL
    SELECT sums."block",
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"gain": sums."gain", "loss": sums."loss" } AS total,
        given."beta",
        given."blocks",
        given."overfull",
0 AS "gain",
0 AS "loss"
    FROM sums
    LEFT JOIN (SELECT "block", "beta", "blocks", "overfull" FROM "blocks_616a4e53") AS given
        ON true AND given."block" IS NOT DISTINCT FROM sums."block"
),
at_points AS NOT MATERIALIZED (
    SELECT "block", slice, breakdown, rank, threshold, mark,
        if(overfull = 0, blocks * (rate_of(gain) - beta * rate_of(loss)), NULL) AS "value",
        {"gain": points."gain", "loss": points."loss" } AS accepted
    FROM points
)
,
optimum AS (
    SELECT "block", breakdown, max(nullif("value"::DOUBLE, 'nan'::DOUBLE)) AS best
    FROM at_points
    GROUP BY ALL
),
chosen AS (
    SELECT at_points.*
    FROM at_points JOIN optimum ON at_points.breakdown = optimum.breakdown AND at_points."block" IS NOT DISTINCT FROM optimum."block"
    WHERE at_points."value"::DOUBLE = optimum.best
        OR at_points."value"::DOUBLE > optimum.best - 1e-12
    QUALIFY row_number() OVER (PARTITION BY at_points."block", at_points.breakdown ORDER BY threshold ASC NULLS LAST) = 1
)
SELECT sums."block", sums.scope, sums.slice, sums.breakdown,
    chosen."value",
    finite(chosen.threshold) AS threshold, chosen.rank AS best_rank,
    CASE WHEN chosen.rank = 0 THEN 'reject all' END AS remark,
    chosen.accepted."gain" AS "gain",
    chosen.accepted."loss" AS "loss",
    CASE WHEN chosen.rank IS NULL THEN 'at every threshold'
         ELSE nullif(concat_ws(', ', CASE WHEN chosen.accepted."gain" = 0 THEN 'gain = 0' END, CASE WHEN chosen.accepted."loss" = 0 THEN 'loss = 0' END), '')
    END AS note
FROM sums LEFT JOIN chosen ON chosen.breakdown = sums.breakdown AND chosen."block" IS NOT DISTINCT FROM sums."block";

-- metric upper_bound_twv, scores (specs/term_detection/shared/upper_bound_twv.yaml)
-- Upper-bound term-weighted value (the optimum of KWSEval): the largest 1 − P_miss − β·P_fa (Eq 6) if each
--   query has the threshold that is best for it. It is at least mtwv, which has one threshold for all
--   queries. In openkws13.upper_bound_twv the thresholds are the scores of all queries; in
--   quesst2015.upper_bound_twv the trials are documents.
-- The scores of the metric: the mean of each component over the units, for all units together and for each
--   slice. Units whose component is undefined are left out of its mean, and a note gives their number.
CREATE TABLE "upper_bound_twv_48bef929" AS
SELECT
    json_object() AS scope,
    json_object() AS slice,
    0 AS breakdown,
    coalesce(sum("value") FILTER (WHERE NOT isfinite("value"::DOUBLE)), exact_mean(finite("value"::DOUBLE)))
        AS "value",
    CASE WHEN count(breakdown) = 0 THEN 'no units'
         WHEN count("value") < count(breakdown)
         THEN concat('defined in ', count("value"), ' (value)', ' of ', count(breakdown), ' units')
    END AS note
FROM (
    FROM "upper_bound_twv_best_7d9e3c22" WHERE breakdown = 0
) AS units_of_breakdown
GROUP BY ALL;

-- metric supremum_twv, statistics per unit (specs/term_detection/shared/supremum_twv.yaml)
-- Supremum of the term-weighted value, as in KWSEval: 1 − P_miss − β·P_fa (Eq 6) if exactly the detections
--   that are aligned with an occurrence had the decision YES. It is 1 minus the average share of occurrences
--   that no detection is aligned with, and at least upper_bound_twv.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "supremum_twv_units_fa1fbd04" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(aligned * hit_weight) AS "gain"
FROM "query_outcomes_ce48f5e4" AS counted_rows
GROUP BY ALL;

-- metric supremum_twv, scores (specs/term_detection/shared/supremum_twv.yaml)
-- Supremum of the term-weighted value, as in KWSEval: 1 − P_miss − β·P_fa (Eq 6) if exactly the detections
--   that are aligned with an occurrence had the decision YES. It is 1 minus the average share of occurrences
--   that no detection is aligned with, and at least upper_bound_twv.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "supremum_twv_1a4644cc" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("gain"), 0) AS "gain"
    FROM "supremum_twv_units_fa1fbd04"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(occurring > 0, rate_of(gain), NULL) AS "value",
    CASE WHEN coalesce(occurring, 0) = 0 THEN 'no query has an occurrence' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END), '') END AS note
FROM sums
LEFT JOIN (SELECT "occurring" FROM "averaged_queries_936cb744") AS given
    ON true;

-- relation bayes_detections (specs/term_detection/shared/bayes_twv.yaml)
-- The detections with a score above θ_mincost = −logit(P_tar), which a system with calibrated log-likelihood
--   ratios would accept (Eqs 30 and 31).
CREATE TABLE "bayes_detections_557352ac" AS
SELECT detection_.*
FROM "scored_detections_7e7c6780" AS detection_, "operating_point_a3d975af"
WHERE score > theta_mincost;

-- metric bayes_twv, statistics per unit (specs/term_detection/shared/bayes_twv.yaml)
-- Term-weighted value at the Bayes threshold: 1 − P_miss − β·P_fa (Eq 6) if exactly the detections with a
--   score above θ_mincost = ln β (Eqs 30 and 31) had the decision YES. For calibrated natural log-likelihood
--   ratios this threshold has the least expected cost. In quesst2015.bayes_twv the trials are documents.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "bayes_twv_units_d6df5812" AS
WITH counted AS (
    SELECT "query",
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
    FROM "bayes_detections_557352ac" AS counted_rows
    GROUP BY ALL
)
SELECT all_units."query",
    coalesce("gain", 0) AS "gain",
    coalesce("loss", 0) AS "loss"
FROM (
    FROM (SELECT DISTINCT "query" FROM "scored_queries_46c93587")
) AS all_units
LEFT JOIN counted ON true AND counted."query" IS NOT DISTINCT FROM all_units."query";

-- metric bayes_twv, scores (specs/term_detection/shared/bayes_twv.yaml)
-- Term-weighted value at the Bayes threshold: 1 − P_miss − β·P_fa (Eq 6) if exactly the detections with a
--   score above θ_mincost = ln β (Eqs 30 and 31) had the decision YES. For calibrated natural log-likelihood
--   ratios this threshold has the least expected cost. In quesst2015.bayes_twv the trials are documents.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "bayes_twv_17e51024" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "bayes_twv_units_d6df5812"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(occurring > 0 AND overfull = 0, rate_of(gain) - beta * rate_of(loss), NULL) AS "value",
    CASE WHEN coalesce(occurring, 0) = 0 THEN 'no query has an occurrence' WHEN overfull > 0 THEN 'a query has no trials besides its occurrences' ELSE nullif(concat_ws(', ', CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (SELECT "occurring", "overfull", "beta" FROM "averaged_queries_936cb744") AS given
    ON true;

-- metric cost, statistics per unit (specs/term_detection/shared/cost.yaml)
-- Detection cost at the decisions of the system (Eq 8), the cost of the better trivial system (Eq 9), and
--   their quotient, the normalised detection cost (Eq 10). The normalised cost is 1 − atwv while
--   c_miss·p_target is at most c_fa·(1 − p_target) (Eq 11). quesst2015.cost has costs of 1 and the effective
--   prior.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "cost_units_30e86d98" AS
SELECT "query",
    sum(targets) AS "targets",
    sum(hits) AS "hits",
    sum(nontargets) AS "nontargets",
    sum(false_alarms) AS "false_alarms",
    sum(hits * hit_weight) AS "gain",
    sum(false_alarms * false_alarm_weight) AS "loss"
FROM "query_outcomes_ce48f5e4" AS counted_rows
GROUP BY ALL;

-- metric cost, scores (specs/term_detection/shared/cost.yaml)
-- Detection cost at the decisions of the system (Eq 8), the cost of the better trivial system (Eq 9), and
--   their quotient, the normalised detection cost (Eq 10). The normalised cost is 1 − atwv while
--   c_miss·p_target is at most c_fa·(1 − p_target) (Eq 11). quesst2015.cost has costs of 1 and the effective
--   prior.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "cost_8b0e3fe7" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets",
        coalesce(sum("hits"), 0) AS "hits",
        coalesce(sum("nontargets"), 0) AS "nontargets",
        coalesce(sum("false_alarms"), 0) AS "false_alarms",
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "cost_units_30e86d98"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    if(occurring > 0 AND overfull = 0, c_miss * p_target * (1 - rate_of(gain)) + c_fa * (1 - p_target) * rate_of(loss), NULL) AS "c_det",
    least(c_miss * p_target, c_fa * (1 - p_target)) AS "c_default",
    ratio(c_det, c_default) AS "c_norm",
    CASE WHEN coalesce(occurring, 0) = 0 THEN 'no query has an occurrence' WHEN overfull > 0 THEN 'a query has no trials besides its occurrences' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END, CASE WHEN sums."hits" = 0 THEN 'hits = 0' END, CASE WHEN sums."nontargets" = 0 THEN 'nontargets = 0' END, CASE WHEN sums."false_alarms" = 0 THEN 'false_alarms = 0' END, CASE WHEN sums."gain" = 0 THEN 'gain = 0' END, CASE WHEN sums."loss" = 0 THEN 'loss = 0' END), '') END AS note
FROM sums
LEFT JOIN (SELECT "occurring", "overfull", "c_miss", "c_fa", "p_target" FROM "averaged_queries_936cb744") AS given
    ON true;

-- metric prior, statistics per unit (specs/term_detection/shared/prior.yaml)
-- Operating point: costs and priors, and what follows from them (β Eq 7, empirical prior Eq 12, weight of a
--   miss Eqs 16 and 19, α Eq 20, effective prior Eq 23, Bayes threshold Eq 31). With p_target=null the prior
--   is that of Eq 17. No value is better than another.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "prior_units_fb4e5a61" AS
SELECT
    sum(targets) AS "targets"
FROM "operating_point_a3d975af" AS counted_rows
GROUP BY ALL;

-- metric prior, scores (specs/term_detection/shared/prior.yaml)
-- Operating point: costs and priors, and what follows from them (β Eq 7, empirical prior Eq 12, weight of a
--   miss Eqs 16 and 19, α Eq 20, effective prior Eq 23, Bayes threshold Eq 31). With p_target=null the prior
--   is that of Eq 17. No value is better than another.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "prior_c1cef40b" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("targets"), 0) AS "targets"
    FROM "prior_units_fb4e5a61"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    p_tar AS "p_tar",
    beta AS "beta",
    p_target AS "p_target",
    p_target_empirical AS "p_target_empirical",
    alpha AS "alpha",
    miss_weight AS "miss_weight",
    theta_mincost AS "theta_mincost",
    CASE WHEN targets = 0 THEN 'no query has an occurrence' ELSE nullif(concat_ws(', ', CASE WHEN sums."targets" = 0 THEN 'targets = 0' END), '') END AS note
FROM sums
LEFT JOIN (SELECT "p_tar", "beta", "p_target", "p_target_empirical", "alpha", "miss_weight", "theta_mincost" FROM "operating_point_a3d975af") AS given
    ON true;

-- relation trial_scores (specs/term_detection/shared/rates.yaml)
-- The trials of the queries that have targets, by score: the number of target trials (true) and of non-target
--   trials (false). Aligned detections are target trials, whatever their decision; unaligned detections are
--   non-target trials. With score_set = all, the trials that the system does not list have the smallest
--   submitted score (Eq 42), and all |Q| · n_tps · T_audio trials count (Eqs 41, 43). With score_set =
--   submitted, only the listed trials count (Eq 38). `overfull`: there are more unaligned detections than
--   non-target trials.
CREATE TABLE "trial_scores_7c8a4543" AS
WITH listed AS (
    SELECT ranked_score(score) AS score, count_if(target) AS true_trials, count_if(NOT target) AS false_trials
    FROM "scored_detections_7e7c6780"
    WHERE has_targets
    GROUP BY ALL
)
SELECT score, true_trials::DOUBLE AS true_trials, false_trials::DOUBLE AS false_trials, false AS overfull FROM listed
UNION ALL
SELECT smallest_score, targets - coalesce(aligned, 0), nontargets - coalesce(unaligned, 0),
    coalesce(unaligned, 0) > nontargets
FROM (
    SELECT true AS here, sum(targets) AS targets, sum(nontargets) AS nontargets
    FROM "query_sizes_96884861"
    WHERE targets > 0
    GROUP BY ALL
)
LEFT JOIN (
    SELECT true AS here, sum(true_trials) AS aligned, sum(false_trials) AS unaligned FROM listed GROUP BY ALL
) USING (here)
CROSS JOIN (SELECT smallest_score FROM "operating_point_a3d975af");

-- relation trial_costs (specs/term_detection/shared/rates.yaml)
-- The scores of trials as log-likelihood ratios, each with its logarithmic cost in bits (Eq 37, divided by ln
--   2): log2(1 + exp(−(score + logit(P_tar)))) for a target trial, log2(1 + exp(score + logit(P_tar))) for a
--   non-target trial. From 10^15 bits on the cost is infinite.
CREATE TABLE "trial_costs_11f13898" AS
SELECT score, true_trials, false_trials,
    if(true_trials = 0, 0, if(true_bits < 1e15, true_bits, 'inf'::DOUBLE)) AS true_bits,
    if(false_trials = 0, 0, if(false_bits < 1e15, false_bits, 'inf'::DOUBLE)) AS false_bits
FROM (
    SELECT *, bits_of_odds(score + log_odds) AS true_bits, bits_of_odds(-score - log_odds) AS false_bits
    FROM "trial_scores_7c8a4543", (SELECT logit(p_tar) AS log_odds FROM "operating_point_a3d975af")
);

-- relation trial_sizes (specs/term_detection/shared/rates.yaml)
-- One row for each slice: the effective prior P_tar (Eq 23), and whether the trials can be counted (NOT
--   overfull, see trial_scores).
CREATE TABLE "trial_sizes_9dd60ddb" AS
SELECT bool_or(overfull) AS overfull, any_value(p_tar) AS p_tar
FROM "trial_scores_7c8a4543", (SELECT p_tar FROM "operating_point_a3d975af")
GROUP BY ALL;

-- metric cnxe, statistics per unit (specs/term_detection/shared/cnxe.yaml)
-- Normalised cross entropy (C_nxe) of the scores, read as natural log-likelihood ratios: the empirical cross
--   entropy divided by the entropy of the prior (Eqs 37, 39, 40 and 43). 0 is perfect, 1 tells no more than
--   the prior, above 1 the scores are badly calibrated. Trials that the system does not list have the
--   smallest score (Eq 42), unless score_set is submitted (Eq 38). In quesst2015.cnxe the trials are
--   documents.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "cnxe_units_a50741f8" AS
SELECT
    exact_sum(true_trials) AS "true_trials",
    exact_sum(false_trials) AS "false_trials",
    count_if(isinf(true_bits) OR isinf(false_bits)) AS "infinite",
    sum(finite(true_trials * true_bits)::DECIMAL(38, 12)) AS "true_bits",
    sum(finite(false_trials * false_bits)::DECIMAL(38, 12)) AS "false_bits"
FROM "trial_costs_11f13898" AS counted_rows
GROUP BY ALL;

-- metric cnxe, scores (specs/term_detection/shared/cnxe.yaml)
-- Normalised cross entropy (C_nxe) of the scores, read as natural log-likelihood ratios: the empirical cross
--   entropy divided by the entropy of the prior (Eqs 37, 39, 40 and 43). 0 is perfect, 1 tells no more than
--   the prior, above 1 the scores are badly calibrated. Trials that the system does not list have the
--   smallest score (Eq 42), unless score_set is submitted (Eq 38). In quesst2015.cnxe the trials are
--   documents.
-- The scores of the metric: the sums of the statistics over the units, for all rows together and for each
--   slice, and the components computed from the sums. With then = mean, the components of each unit are
--   computed first and then averaged over the units.
CREATE TABLE "cnxe_99985674" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("true_trials"), 0) AS "true_trials",
        coalesce(sum("false_trials"), 0) AS "false_trials",
        coalesce(sum("infinite"), 0) AS "infinite",
        coalesce(sum("true_bits"), 0) AS "true_bits",
        coalesce(sum("false_bits"), 0) AS "false_bits"
    FROM "cnxe_units_a50741f8"
    GROUP BY ALL
)
SELECT scope, slice, breakdown,
    CASE WHEN overfull THEN NULL WHEN infinite > 0 THEN 'inf'::DOUBLE ELSE p_tar * ratio(true_bits, true_trials) + (1 - p_tar) * ratio(false_bits, false_trials) END AS "cross_entropy",
    shared_bits(p_tar, 1 - p_tar) AS "prior_entropy",
    cross_entropy / prior_entropy AS "value",
    CASE WHEN overfull THEN 'more unaligned detections than false trials' ELSE nullif(concat_ws(', ', CASE WHEN sums."true_trials" = 0 THEN 'true_trials = 0' END, CASE WHEN sums."false_trials" = 0 THEN 'false_trials = 0' END, CASE WHEN sums."infinite" = 0 THEN 'infinite = 0' END, CASE WHEN sums."true_bits" = 0 THEN 'true_bits = 0' END, CASE WHEN sums."false_bits" = 0 THEN 'false_bits = 0' END), '') END AS note
FROM sums
LEFT JOIN (SELECT "p_tar", "overfull" FROM "trial_sizes_9dd60ddb") AS given
    ON true;

-- metric min_cnxe, statistics per unit (specs/term_detection/shared/min_cnxe.yaml)
-- Minimum normalised cross entropy (C_nxe^min): cnxe after the affine map γ·score + δ that minimises it (Eqs
--   44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the value is the limit,
--   and `gamma` and `delta` are NULL. quesst2015.min_cnxe takes any rising map instead;
--   quesst2015.min_cnxe_affine is affine too.
-- The statistics of the metric for each unit, in each slice. Statistics are additive, so that the statistics
--   of a slice are sums of these rows. A unit of the relation `units` without rows has statistics of 0.
CREATE TABLE "min_cnxe_units_3f256159" AS
SELECT
    exact_sum(true_trials) AS "positives",
    exact_sum(false_trials) AS "negatives"
FROM "trial_scores_7c8a4543" AS counted_rows
WHERE (score) IS NOT NULL
GROUP BY ALL;

-- metric min_cnxe, weights per slice (specs/term_detection/shared/min_cnxe.yaml)
-- Minimum normalised cross entropy (C_nxe^min): cnxe after the affine map γ·score + δ that minimises it (Eqs
--   44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the value is the limit,
--   and `gamma` and `delta` are NULL. quesst2015.min_cnxe takes any rising map instead;
--   quesst2015.min_cnxe_affine is affine too.
-- The slices to which a calibration is fitted, numbered as parts, each with the total weights of its
--   positives and negatives and the prior.
CREATE TABLE "min_cnxe_parts_69ae59db" AS
WITH sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("positives"), 0) AS "positives",
        coalesce(sum("negatives"), 0) AS "negatives"
    FROM "min_cnxe_units_3f256159"
    GROUP BY ALL
)
SELECT *, (if(overfull, NULL, p_tar))::DOUBLE AS prior,
    row_number() OVER (ORDER BY breakdown) AS part
FROM (
    SELECT sums.* REPLACE (sums.positives::DOUBLE AS positives, sums.negatives::DOUBLE AS negatives), given."p_tar", given."overfull"
    FROM sums
    LEFT JOIN (SELECT "p_tar", "overfull" FROM "trial_sizes_9dd60ddb") AS given
        ON true
);

-- metric min_cnxe, weights per score (specs/term_detection/shared/min_cnxe.yaml)
-- Minimum normalised cross entropy (C_nxe^min): cnxe after the affine map γ·score + δ that minimises it (Eqs
--   44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the value is the limit,
--   and `gamma` and `delta` are NULL. quesst2015.min_cnxe takes any rising map instead;
--   quesst2015.min_cnxe_affine is affine too.
-- The points of the calibration: each distinct score of a part, with the weights of the positives and of the
--   negatives at this score. Weights are scaled so that in each part all positives together weigh the prior
--   and all negatives 1 − prior. Rows with equal scores have equal costs, so that one point represents them.
CREATE TABLE "min_cnxe_points_5b52e793" AS
SELECT part, points.score,
    points.positives::DOUBLE * (prior / nullif(parts.positives, 0)) AS positive,
    points.negatives::DOUBLE * ((1 - prior) / nullif(parts.negatives, 0)) AS negative
FROM (
    SELECT
        0 AS breakdown,
        ranked_score(score) AS score,
        coalesce(exact_sum(true_trials), 0) AS "positives",
        coalesce(exact_sum(false_trials), 0) AS "negatives"
    FROM "trial_scores_7c8a4543" AS counted_rows
    WHERE (score) IS NOT NULL
    GROUP BY ALL
) AS points
JOIN "min_cnxe_parts_69ae59db" AS parts ON parts.breakdown = points.breakdown;

-- metric min_cnxe, the least cost (specs/term_detection/shared/min_cnxe.yaml)
-- Minimum normalised cross entropy (C_nxe^min): cnxe after the affine map γ·score + δ that minimises it (Eqs
--   44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the value is the limit,
--   and `gamma` and `delta` are NULL. quesst2015.min_cnxe takes any rising map instead;
--   quesst2015.min_cnxe_affine is affine too.
-- The minimum of the weighted logistic cost of each part, with the slope and intercept that have it (logistic
--   regression with one variable). By definition, the cost in bits is Σ positive · log2(1 + exp(−o)) +
--   negative · log2(1 + exp(o)) over the points of the part, where o = slope · score + intercept; the total
--   weight is 1. The minimum over all slopes and intercepts is sought. tests/unit/test_fit.py compares it
--   with a minimiser of scipy. First, cases without a minimum are recognised, exactly, from the ranges of the
--   scores of both classes. (1) If the classes are separated, the cost falls towards a limit as the slope
--   grows. With positives at 3 and 4 and negatives at 1 and 2, the limit is 0. With negatives at 1 and 3 the
--   ranges have the score 3 in common, and the limit is the entropy of the classes there. (2) If all scores
--   are equal, the cost is that of slope 0, the entropy of the classes. (3) An infinite score can forbid
--   slopes of one sign: a positive at −∞ costs infinitely much at every slope above 0. If the best slope has
--   that sign, the cost is the limit towards slope 0, the entropy of the classes among the finite scores. In
--   these cases, slope and intercept are NULL. Otherwise the cost is convex and has one minimum, which
--   Newton's method finds, as a recursion of steps for all parts at once. A step is one aggregate over the
--   points: cost, gradient and curvature. Scores are standardised anew at each step, by the mean and
--   deviation of the curvature, z = (score − centre) / scale; slope and intercept are then independent
--   directions. A step that increases the cost is repeated at a quarter of its length. If there are more than
--   5,000 points, the method runs first on about 2,000 bins of near scores, and the result is the first step
--   of the full run. Sums are of whole numbers in units of 2^-60 and so do not depend on the order of rows.
CREATE TABLE "min_cnxe_minimum_1f823df4" AS
WITH RECURSIVE extremes AS (
    SELECT part,
        coalesce(sum(positive::DECIMAL(38, 24)) FILTER (WHERE isfinite(score)), 0)::DOUBLE AS positive,
        coalesce(sum(negative::DECIMAL(38, 24)) FILTER (WHERE isfinite(score)), 0)::DOUBLE AS negative,
        min(score) FILTER (WHERE isfinite(score) AND positive > 0) AS positive_low,
        max(score) FILTER (WHERE isfinite(score) AND positive > 0) AS positive_high,
        min(score) FILTER (WHERE isfinite(score) AND negative > 0) AS negative_low,
        max(score) FILTER (WHERE isfinite(score) AND negative > 0) AS negative_high,
        arg_min(positive, score) FILTER (WHERE isfinite(score) AND positive > 0) AS at_positive_low,
        arg_max(positive, score) FILTER (WHERE isfinite(score) AND positive > 0) AS at_positive_high,
        arg_min(negative, score) FILTER (WHERE isfinite(score) AND negative > 0) AS at_negative_low,
        arg_max(negative, score) FILTER (WHERE isfinite(score) AND negative > 0) AS at_negative_high,
        -- A positive at -inf or a negative at inf costs infinitely much at every slope above 0 (never_up).
        bool_or(if(score > 0, negative, positive) > 0) FILTER (WHERE isinf(score)) AS never_up,
        bool_or(if(score > 0, positive, negative) > 0) FILTER (WHERE isinf(score)) AS never_down,
        min(least(positive, negative)) < 0 AS below_0
    FROM "min_cnxe_points_5b52e793"
    GROUP BY part
),
cases AS (
    SELECT * REPLACE (coalesce(never_up, false) AS never_up, coalesce(never_down, false) AS never_down),
        least(positive_low, negative_low) AS low, greatest(positive_high, negative_high) AS high,
        CASE
            WHEN coalesce(never_up, false) AND coalesce(never_down, false) THEN 'contradictory'
            WHEN least(positive, negative) <= 0 THEN 'one class'
            WHEN least(positive_low, negative_low) = greatest(positive_high, negative_high) THEN 'constant'
            WHEN positive_low >= negative_high THEN 'upwards'
            WHEN positive_high <= negative_low THEN 'downwards'
            ELSE 'mixed'
        END AS shape
    FROM extremes
),
-- The start: slope 0, where the cost is the entropy of the classes. `binned` and `rough` find the first step.
level AS (
    SELECT part, low / 2 + high / 2 AS centre, high / 2 - low / 2 AS scale, 0e0 AS slope, ln(positive / negative) AS intercept,
        shared_bits(positive, negative) * ln(2e0) AS cost, 0e0 AS slope_step, 0e0 AS intercept_step
    FROM cases
    WHERE shape = 'mixed' AND NOT below_0
),
binned AS MATERIALIZED (
    SELECT part, centre + scale * moment / (positive + negative) AS score, positive, negative
    FROM (
        SELECT part, centre, scale, sum((least(greatest(z * (positive + negative), -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS moment,
            sum((least(greatest(positive, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS positive, sum((least(greatest(negative, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS negative
        FROM (
            SELECT part, (score - centre) / scale AS z, centre, scale, points.positive, points.negative
            FROM "min_cnxe_points_5b52e793" AS points JOIN level USING (part)
            WHERE isfinite(score) AND (SELECT count(*) FROM "min_cnxe_points_5b52e793") > 5000
        )
        GROUP BY part, floor(z * 1e3), centre, scale
    )
),
rough AS (
    SELECT part, 0 AS number, false AS done, cost, centre, scale, slope, intercept, slope_step, intercept_step, 1e0 AS length
    FROM level
    UNION ALL
    SELECT part, number + 1,
        if(better, decrement <= 1e-18 OR curvature_0 <= 1e-17, length < 1e-9) OR number >= 40,
        if(better, new_cost, if(number = 0, 'inf'::DOUBLE, cost)),
        if(better, centre + scale * mean, centre),
        if(better, scale * zoom, scale),
        if(better, new_slope * zoom, slope),
        if(better, new_intercept + new_slope * mean, intercept),
        CASE WHEN better THEN toward * zoom WHEN number = 0 THEN 0e0 ELSE slope_step END,
        CASE WHEN better THEN -gradient_0 / curvature_0 WHEN number = 0 THEN 0e0 ELSE intercept_step END,
        if(better OR number = 0, 1, length / 4)
    FROM (
        SELECT *, new_cost <= cost + 1e-13 AS better, greatest(sqrt(greatest(variance, 0)), 1e-6) AS zoom,
            (gradient_0 * mean - gradient_1) / (curvature_0 * greatest(variance, 1e-12)) AS toward,
            gradient_0 * gradient_0 / curvature_0
                + pow(gradient_1 - gradient_0 * mean, 2) / (curvature_0 * greatest(variance, 1e-12)) AS decrement
        FROM (
            SELECT before.*, slope + length * slope_step AS new_slope, intercept + length * intercept_step AS new_intercept,
                new_cost, gradient_0, gradient_1, curvature_0, curvature_1 / curvature_0 AS mean,
                curvature_2 / curvature_0 - pow(curvature_1 / curvature_0, 2) AS variance
            FROM rough AS before JOIN (
                SELECT part,
                    sum((least(greatest(weight * ln(1 + tail) + limit_weight * eta, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS new_cost,
                    sum((least(greatest(residual, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_0,
                    sum((least(greatest(residual * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_1,
                    greatest(sum((least(greatest(curvature, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60), 1e-18) AS curvature_0,
                    sum((least(greatest(curvature * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS curvature_1,
                    sum((least(greatest(curvature * z * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS curvature_2
                FROM (
                    SELECT part, z, eta, positive + negative AS weight, if(eta > 0, negative, -positive) AS limit_weight,
                        exp(-abs(eta)) AS tail,
                        limit_weight + if(eta > 0, -weight, weight) * tail / (1 + tail) AS residual,
                        weight * tail / ((1 + tail) * (1 + tail)) AS curvature
                    FROM (
                        SELECT part, positive, negative, (score - centre) / scale AS z,
                            (slope + length * slope_step) * z + intercept + length * intercept_step AS eta
                        FROM rough JOIN binned AS points USING (part)
                        WHERE NOT done AND isfinite(score)
                    )
                )
                GROUP BY part
            ) USING (part)
        )
    )
)
,
guesses AS (
    SELECT level.* REPLACE (
        coalesce(slope_ * (level.scale / scale_), 0) AS slope_step,
        coalesce(intercept_ + slope_ * ((level.centre - centre_) / scale_) - level.intercept, 0) AS intercept_step)
    FROM level LEFT JOIN (
        SELECT part, slope AS slope_, intercept AS intercept_, centre AS centre_, scale AS scale_ FROM rough WHERE done
    ) USING (part)
),
steps AS (
    SELECT part, 0 AS number, false AS done, cost, centre, scale, slope, intercept, slope_step, intercept_step, 1e0 AS length
    FROM guesses
    UNION ALL
    SELECT part, number + 1,
        if(better, decrement <= 1e-18 OR curvature_0 <= 1e-17, length < 1e-9) OR number >= 500,
        if(better, new_cost, if(number = 0, 'inf'::DOUBLE, cost)),
        if(better, centre + scale * mean, centre),
        if(better, scale * zoom, scale),
        if(better, new_slope * zoom, slope),
        if(better, new_intercept + new_slope * mean, intercept),
        CASE WHEN better THEN toward * zoom WHEN number = 0 THEN 0e0 ELSE slope_step END,
        CASE WHEN better THEN -gradient_0 / curvature_0 WHEN number = 0 THEN 0e0 ELSE intercept_step END,
        if(better OR number = 0, 1, length / 4)
    FROM (
        SELECT *, new_cost <= cost + 1e-13 AS better, greatest(sqrt(greatest(variance, 0)), 1e-6) AS zoom,
            (gradient_0 * mean - gradient_1) / (curvature_0 * greatest(variance, 1e-12)) AS toward,
            gradient_0 * gradient_0 / curvature_0
                + pow(gradient_1 - gradient_0 * mean, 2) / (curvature_0 * greatest(variance, 1e-12)) AS decrement
        FROM (
            SELECT before.*, slope + length * slope_step AS new_slope, intercept + length * intercept_step AS new_intercept,
                new_cost, gradient_0, gradient_1, curvature_0, curvature_1 / curvature_0 AS mean,
                curvature_2 / curvature_0 - pow(curvature_1 / curvature_0, 2) AS variance
            FROM steps AS before JOIN (
                SELECT part,
                    sum((least(greatest(weight * ln(1 + tail) + limit_weight * eta, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS new_cost,
                    sum((least(greatest(residual, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_0,
                    sum((least(greatest(residual * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS gradient_1,
                    greatest(sum((least(greatest(curvature, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60), 1e-18) AS curvature_0,
                    sum((least(greatest(curvature * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS curvature_1,
                    sum((least(greatest(curvature * z * z, -7.5e0), 7.5e0) * pow(2e0, 60))::BIGINT)::DOUBLE / pow(2e0, 60) AS curvature_2
                FROM (
                    SELECT part, z, eta, positive + negative AS weight, if(eta > 0, negative, -positive) AS limit_weight,
                        exp(-abs(eta)) AS tail,
                        limit_weight + if(eta > 0, -weight, weight) * tail / (1 + tail) AS residual,
                        weight * tail / ((1 + tail) * (1 + tail)) AS curvature
                    FROM (
                        SELECT part, positive, negative, (score - centre) / scale AS z,
                            (slope + length * slope_step) * z + intercept + length * intercept_step AS eta
                        FROM steps JOIN "min_cnxe_points_5b52e793" AS points USING (part)
                        WHERE NOT done AND isfinite(score)
                    )
                )
                GROUP BY part
            ) USING (part)
        )
    )
)
,
found AS (
    SELECT part, cost / ln(2) AS cost, slope / scale AS slope, intercept - slope / scale * centre AS intercept, number > 500 AS endless
    FROM steps
    WHERE done
)
SELECT part, below_0,
    CASE
        WHEN way = 'best' THEN cost
        WHEN way = 'flattened' OR shape = 'constant' THEN shared_bits(positive, negative)
        WHEN positive_low = negative_high THEN shared_bits(at_positive_low, at_negative_high)
        WHEN positive_high = negative_low THEN shared_bits(at_positive_high, at_negative_low)
        ELSE 0
    END AS cost,
    if(way = 'best', slope, NULL) AS slope,
    if(way = 'best', intercept, NULL) AS intercept,
    way IN ('constant', 'contradictory') AS flat,
    CASE way
        WHEN 'constant' THEN 'constant scores'
        WHEN 'contradictory' THEN 'infinite scores on the wrong side of both classes'
        WHEN 'flattened' THEN 'the limit as the slope goes to 0: infinite scores'
        WHEN 'apart' THEN concat('the limit of an endless slope: separated scores', if(shape = 'downwards', ', inverted', ''))
        WHEN 'best' THEN nullif(concat_ws(', ', if(slope < 0, 'inverted scores', NULL), if(endless, 'not settled after 500 steps', NULL)), '')
    END AS remark
FROM (
    SELECT *,
        CASE
            WHEN shape = 'contradictory' THEN shape
            WHEN shape = 'constant' AND NOT never_up AND NOT never_down THEN shape
            WHEN (shape = 'upwards' OR slope > 0) AND never_up
                OR (shape = 'downwards' OR slope < 0) AND never_down THEN 'flattened'
            WHEN shape = 'mixed' THEN 'best'
            ELSE 'apart'
        END AS way
    FROM cases LEFT JOIN found USING (part)
);

-- metric min_cnxe, scores (specs/term_detection/shared/min_cnxe.yaml)
-- Minimum normalised cross entropy (C_nxe^min): cnxe after the affine map γ·score + δ that minimises it (Eqs
--   44 and 45). 0 is perfect, 1 tells no more than the prior. If no finite γ is best, the value is the limit,
--   and `gamma` and `delta` are NULL. quesst2015.min_cnxe takes any rising map instead;
--   quesst2015.min_cnxe_affine is affine too.
-- The scores of the metric: the components computed from the minimum cost of each slice and from the affine
--   map slope · score + shift that has it. `prior_cost`, the entropy of the prior, is the cost without
--   scores.
CREATE TABLE "min_cnxe_38b33d38" AS
SELECT scope, slice, breakdown,
    ratio(cost, prior_cost) AS "value",
    slope AS "gamma",
    shift AS "delta",
    if(defined, remark, NULL) AS remark,
    CASE WHEN overfull THEN 'more unaligned detections than false trials' ELSE CASE
        WHEN positives = 0 OR negatives = 0 THEN concat_ws(', ', if(positives = 0, 'positives = 0', NULL), if(negatives = 0, 'negatives = 0', NULL))
        WHEN NOT coalesce(prior > 0 AND prior < 1, false) THEN concat('prior = ', prior)
        WHEN below_0 THEN 'a weight below 0'
    END END AS note
FROM (
    SELECT parts.*,
        shared_bits(prior, 1 - prior) AS prior_cost,
        CASE WHEN defined THEN if(flat, shared_bits(prior, 1 - prior), least_cost) END AS cost,
        CASE WHEN defined THEN if(flat, 0, best_slope) END AS slope,
        CASE WHEN defined THEN if(flat, 0, intercept - logit(prior)) END AS shift
    FROM (
        SELECT * EXCLUDE (cost, slope), cost AS least_cost, slope AS best_slope,
            coalesce(positives > 0 AND negatives > 0 AND prior > 0 AND prior < 1 AND NOT below_0, false) AS defined
        FROM "min_cnxe_parts_69ae59db" LEFT JOIN "min_cnxe_minimum_1f823df4" USING (part)
    ) AS parts
);

-- metric calibration_loss, scores (specs/term_detection/shared/calibration_loss.yaml)
-- Calibration loss: cnxe − min_cnxe, the part of the normalised cross entropy that an affine map of the
--   scores can remove (section 4.2.5). 0 is perfect calibration. In quesst2015.calibration_loss the minimum
--   is over all rising maps.
-- The components computed from components of other metrics, joined by slice and fold. A metric without slices
--   has the same value in every slice of the first metric.
CREATE TABLE "calibration_loss_db5d7530" AS
SELECT scores.scope, scores.slice, scores.breakdown,
    scores.value - calibrated.value AS "value",
    nullif(concat_ws('; ', scores.note, calibrated.note), '') AS note
FROM "cnxe_99985674" AS scores
LEFT JOIN "min_cnxe_38b33d38" AS calibrated
    ON calibrated.scope = scores.scope;

-- metric mtwv, points of its curve (specs/term_detection/shared/mtwv.yaml)
SELECT 'mtwv' AS metric, slice, rank, threshold, mark, "value", "p_miss", "p_fa", "probit_miss", "probit_fa"
FROM (
WITH
"marked_actual" AS (
    SELECT
        0 AS breakdown,
        sum(hit_weight) AS "gain",
        sum(false_alarm_weight) AS "loss"
    FROM "scored_detections_7e7c6780" AS counted_rows
    WHERE (accepted)
    GROUP BY ALL
),
sums AS (
    SELECT
        json_object() AS scope,
        json_object() AS slice,
        0 AS breakdown,
        coalesce(sum("gain"), 0) AS "gain",
        coalesce(sum("loss"), 0) AS "loss"
    FROM "mtwv_units_c5e2ef4a"
    GROUP BY ALL
),
points AS NOT MATERIALIZED (
    SELECT
        sums.slice, sums.breakdown, coalesce(running.rank, 0) AS rank, running.threshold AS threshold, NULL::VARCHAR AS mark,
        {"gain": sums."gain", "loss": sums."loss" } AS total,
        given."occurring",
        given."overfull",
        given."beta",
coalesce(running."gain", 0) AS "gain",
coalesce(running."loss", 0) AS "loss"
    FROM sums
    LEFT JOIN (SELECT "occurring", "overfull", "beta" FROM "averaged_queries_936cb744") AS given
        ON true
    JOIN "mtwv_sums_98931945" AS running ON running.breakdown = sums.breakdown
    UNION ALL
    SELECT
        sums.slice, sums.breakdown, 0 AS rank, NULL AS threshold, NULL AS mark,
        {"gain": sums."gain", "loss": sums."loss" } AS total,
        given."occurring",
        given."overfull",
        given."beta",
0 AS "gain",
0 AS "loss"
    FROM sums
    LEFT JOIN (SELECT "occurring", "overfull", "beta" FROM "averaged_queries_936cb744") AS given
        ON true
    UNION ALL
    SELECT
        sums.slice, sums.breakdown, NULL AS rank, NULL AS threshold, 'actual' AS mark,
        {"gain": sums."gain", "loss": sums."loss" } AS total,
        given."occurring",
        given."overfull",
        given."beta",
coalesce(marked."gain", 0) AS "gain",
coalesce(marked."loss", 0) AS "loss"
    FROM sums
    LEFT JOIN (SELECT "occurring", "overfull", "beta" FROM "averaged_queries_936cb744") AS given
        ON true
    LEFT JOIN "marked_actual" AS marked ON marked.breakdown = sums.breakdown
),
at_points AS NOT MATERIALIZED (
    SELECT slice, breakdown, rank, threshold, mark,
        if(occurring > 0 AND overfull = 0, rate_of(gain) - beta * rate_of(loss), NULL) AS "value",
        if(occurring > 0 AND overfull = 0, 1 - rate_of(gain), NULL) AS "p_miss",
        if(occurring > 0 AND overfull = 0, rate_of(loss), NULL) AS "p_fa",
        probit(p_miss) AS "probit_miss",
        probit(p_fa) AS "probit_fa",
        {"gain": points."gain", "loss": points."loss" } AS accepted
    FROM points
)
,
lengths AS (
    SELECT breakdown, max(rank) AS length
    FROM "mtwv_sums_98931945"
    GROUP BY ALL
),
placed AS (
    SELECT at_points.* EXCLUDE (mark), coalesce(length, 0) AS length,
        coalesce(mark, CASE
            WHEN rank = coalesce(chosen.best_rank, -1) THEN 'best' END) AS mark
    FROM at_points
    LEFT JOIN lengths ON lengths.breakdown = at_points.breakdown
    LEFT JOIN "mtwv_687fb344" AS chosen ON chosen.breakdown = at_points.breakdown
)
SELECT slice, rank, threshold, mark,
    "value"::DOUBLE AS "value",
    "p_miss"::DOUBLE AS "p_miss",
    "p_fa"::DOUBLE AS "p_fa",
    "probit_miss"::DOUBLE AS "probit_miss",
    "probit_fa"::DOUBLE AS "probit_fa"
FROM placed
WHERE mark IS NOT NULL OR rank IN (0, 1, length) OR rank % ceil(length / 10000)::BIGINT = 0
ORDER BY breakdown, slice::VARCHAR, rank NULLS LAST, mark
);

-- the scores
SELECT metric, component, slice, value, std, folds, note
FROM (
SELECT 0 AS position, 0 AS variant, breakdown, place, 'atwv' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "atwv_5c9cbce0"
)
UNION ALL
SELECT 1 AS position, 0 AS variant, breakdown, place, 'mtwv' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    coalesce(remark, remark(value, note)) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': NULL::VARCHAR},
        {'place': 1, 'component': 'p_miss', 'value': "p_miss"::DOUBLE, 'remark': NULL::VARCHAR},
        {'place': 2, 'component': 'p_fa', 'value': "p_fa"::DOUBLE, 'remark': NULL::VARCHAR},
        {'place': 3, 'component': 'threshold', 'value': "threshold"::DOUBLE, 'remark': remark}
    ], recursive := true)
    FROM "mtwv_687fb344"
)
UNION ALL
SELECT 2 AS position, 0 AS variant, breakdown, place, 'p_miss' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "p_miss_6a08cf86"
)
UNION ALL
SELECT 3 AS position, 0 AS variant, breakdown, place, 'p_fa' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "p_fa_5b5c2127"
)
UNION ALL
SELECT 4 AS position, 0 AS variant, breakdown, place, 'counts' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'queries', 'value': "queries"::DOUBLE},
        {'place': 1, 'component': 'targets', 'value': "targets"::DOUBLE},
        {'place': 2, 'component': 'detections', 'value': "detections"::DOUBLE},
        {'place': 3, 'component': 'hits', 'value': "hits"::DOUBLE},
        {'place': 4, 'component': 'misses', 'value': "misses"::DOUBLE},
        {'place': 5, 'component': 'false_alarms', 'value': "false_alarms"::DOUBLE},
        {'place': 6, 'component': 'correct_rejections', 'value': "correct_rejections"::DOUBLE}
    ], recursive := true)
    FROM "counts_1af7abfe"
)
UNION ALL
SELECT 5 AS position, 0 AS variant, breakdown, place, 'upper_bound_twv' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "upper_bound_twv_48bef929"
)
UNION ALL
SELECT 6 AS position, 0 AS variant, breakdown, place, 'supremum_twv' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "supremum_twv_1a4644cc"
)
UNION ALL
SELECT 7 AS position, 0 AS variant, breakdown, place, 'bayes_twv' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "bayes_twv_17e51024"
)
UNION ALL
SELECT 8 AS position, 0 AS variant, breakdown, place, 'cost' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'c_det', 'value': "c_det"::DOUBLE},
        {'place': 1, 'component': 'c_default', 'value': "c_default"::DOUBLE},
        {'place': 2, 'component': 'c_norm', 'value': "c_norm"::DOUBLE}
    ], recursive := true)
    FROM "cost_8b0e3fe7"
)
UNION ALL
SELECT 9 AS position, 0 AS variant, breakdown, place, 'prior' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'p_tar', 'value': "p_tar"::DOUBLE},
        {'place': 1, 'component': 'beta', 'value': "beta"::DOUBLE},
        {'place': 2, 'component': 'p_target', 'value': "p_target"::DOUBLE},
        {'place': 3, 'component': 'p_target_empirical', 'value': "p_target_empirical"::DOUBLE},
        {'place': 4, 'component': 'alpha', 'value': "alpha"::DOUBLE},
        {'place': 5, 'component': 'miss_weight', 'value': "miss_weight"::DOUBLE},
        {'place': 6, 'component': 'theta_mincost', 'value': "theta_mincost"::DOUBLE}
    ], recursive := true)
    FROM "prior_c1cef40b"
)
UNION ALL
SELECT 10 AS position, 0 AS variant, breakdown, place, 'cnxe' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'cross_entropy', 'value': "cross_entropy"::DOUBLE},
        {'place': 1, 'component': 'prior_entropy', 'value': "prior_entropy"::DOUBLE},
        {'place': 2, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "cnxe_99985674"
)
UNION ALL
SELECT 11 AS position, 0 AS variant, breakdown, place, 'min_cnxe' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    coalesce(remark, remark(value, note)) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE, 'remark': remark},
        {'place': 1, 'component': 'gamma', 'value': "gamma"::DOUBLE, 'remark': remark},
        {'place': 2, 'component': 'delta', 'value': "delta"::DOUBLE, 'remark': remark}
    ], recursive := true)
    FROM "min_cnxe_38b33d38"
)
UNION ALL
SELECT 12 AS position, 0 AS variant, breakdown, place, 'calibration_loss' AS metric, component,
    slice, finite(value) AS value, NULL::DOUBLE AS std, NULL::BIGINT AS folds,
    remark(value, note) AS note
FROM (
    SELECT slice, breakdown, note, unnest([
        {'place': 0, 'component': 'value', 'value': "value"::DOUBLE}
    ], recursive := true)
    FROM "calibration_loss_db5d7530"
)
)
ORDER BY position, variant, breakdown, slice::VARCHAR, place;

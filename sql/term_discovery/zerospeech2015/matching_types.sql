{# The transcriptions t of spans, with the number of spans with t, |match(t, P)|, in P_disc* (found) and in P_all
   (gold), and the number of ends of pairs with t, N(t, P), in P_disc*, in P_all and in P_disc* ∩ P_all (both).

   By definition, the pairs are listed and their ends counted (pairs/pairs_star.sql, pairs/pairs_all.sql). Here the ends
   in P_disc* are counted in three steps. Step 1: the number of partners of a sub-span of a member follows from the
   lengths of the members of the cluster (macro `partners`), and the sum over sub-spans of members is a first count.
   Step 2: that sum counts a pair of spans that is aligned in k ways k times, so k − 1 counts are subtracted
   (multiple_alignments). It also counts a span as its own partner, once for each ordered pair of two different classes
   of the span that are aligned with each other; these counts are subtracted, too. Step 3: the sum counts aligned
   sub-spans of members that overlap, which are not a pair of P_disc. So the pairs of near_subspans that are not found
   are subtracted. Steps 2 and 3 concern recounted_members only.

   The ends in both sets are counted in the same way, among spans of equal transcription in one utterance. Step 1 counts
   only repeated_subspans, because no other sub-span has a partner of equal transcription. In step 3, pairs of spans that
   overlap are also subtracted, because they are not in P_all.

   For example, cluster 2 has ab at 2.0 s, ab at 3.0 s and cd; cluster 3 has the same two ab and bc. Step 1 counts 2 + 2
   partners for each ab. The two ab are aligned in both clusters, so step 2 subtracts 1. Each ab has 3 partners, so 6
   ends of pairs have the transcription ab.

   With completion = minimal_paths, the pairs are listed (path_pairs), and each span has the number of its pairs.

   tests/conformance/test_zerospeech2015_pairs.py compares the two. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
{# The pairs of `near` with the transcription, onset and offset of the span at one of their places. #}
{% macro with_span(near, file, phone) %}
SELECT near_.*, text, in_utterance, first_.onset, last_."offset"
FROM {{ near }} AS near_
JOIN {{ recounted_spans }} AS span_
    ON span_.file = near_.{{ file }} AND span_.phone = near_.{{ phone }} AND span_.size = near_.size{{ same("span_", recounted_spans, "near_", near_subspans) }}
LEFT JOIN {{ phone_runs }} AS first_
    ON first_.file = near_.{{ file }} AND first_.phone = near_.{{ phone }}{{ same("first_", phone_runs, "near_", near_subspans) }}
LEFT JOIN {{ phone_runs }} AS last_
    ON last_.file = near_.{{ file }} AND last_.phone = near_.{{ phone }} + near_.size - 1{{ same("last_", phone_runs, "near_", near_subspans) }}
{%- endmacro %}
{% if completion.value == "minimal_paths" %}
WITH labelled AS (
    SELECT {{ scope }}text, count(*) AS found_spans FROM {{ path_spans }} GROUP BY ALL
),
ends AS (
    SELECT {{ scope }}text, 'found' AS set_, sum(partners)::BIGINT AS ends FROM {{ path_spans }} GROUP BY ALL
    UNION ALL
    SELECT {{ scope }}text, 'both', 2 * count(*) FROM {{ path_matches }} GROUP BY ALL
)
{% else %}
WITH types AS MATERIALIZED (
    SELECT {{ scope }}signature, text, in_utterance, count(*) AS spans FROM {{ recounted_spans }} GROUP BY ALL
),
-- the classes of the signatures that stand for several classes; all others are the number of their only class
several AS (
    SELECT {{ scope }}signature, any_value(classes) AS classes FROM {{ recounted_spans }} WHERE signature < 0 GROUP BY ALL
),
-- step 1, for the found pairs
counted AS (
    SELECT {{ scope }}{{ subspans.text("codes", "size") }} AS text, {{ subspans.partners("size", "before", "(span_size - size - before)") | indent }} AS partners
    FROM (
        SELECT *, unnest({{ subspans.sizes("span_size - before") }}) AS size
        FROM (
            SELECT * REPLACE (substr(codes, before + 1, {{ max_phones }}) AS codes)
            FROM {{ subspans.starts(distinct_members ~ " JOIN " ~ subspan_counts ~ " USING (" ~ scope ~ "cluster, pair_talker)") }}
        )
    )
),
-- step 1, for the pairs in both sets
within_utterance AS (
    SELECT {{ scope }}cluster, pair_talker, text, before, after, count(*) AS spans
    FROM (SELECT DISTINCT {{ scope }}cluster, pair_talker, text, before, after, file, phone FROM {{ repeated_subspans }})
    GROUP BY ALL
),
-- step 2, with k = `ways`: k - 1 counts of each pair of different spans; within one signature also the counts of a span
-- as its own partner: k, minus the one per class that span_classes has already subtracted
repeated AS (
    SELECT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}a.text, a.in_utterance AND b.in_utterance AND a.text = b.text AS matching,
        a.spans * if(itself, (b.spans - 1) * (ways - 1) + ways - coalesce(len(classes), 1), b.spans * (ways - 1)) AS ends
    FROM (
        SELECT ways, a, b, classes, (a.signature = b.signature AND a.text = b.text AND a.in_utterance = b.in_utterance) AS itself
        FROM {{ multiple_alignments }} AS ways_
        JOIN types AS a ON a.signature = signature_a{{ same("a", recounted_spans, "ways_", multiple_alignments) }}
        JOIN types AS b ON b.signature = signature_b{{ same("b", recounted_spans, "ways_", multiple_alignments) }}
        LEFT JOIN several ON several.signature = signature_a{{ same("several", recounted_spans, "ways_", multiple_alignments) }}
    )
),
near_by_a AS MATERIALIZED (
    SELECT * RENAME (text AS text_a, in_utterance AS in_utterance_a, onset AS onset_a, "offset" AS offset_a)
    FROM (
        {{ with_span(near_subspans, "file_a", "phone_a") | trim | indent(8) }}
    )
),
near AS (
    SELECT {% for column in scope_columns %}near_.{{ column | name }}, {% endfor %}found, text_a, text, in_utterance_a AND in_utterance AND text_a = text AS matching,
        {{ overlap.overlap("onset_a", "offset_a", "onset", '"offset"') }} AS overlapping
    FROM (
        {{ with_span("near_by_a", "file_b", "phone_b") | trim | indent(8) }}
    ) AS near_
),
labelled AS (
    SELECT {{ scope }}{{ subspans.text("codes", "size") }} AS text, count(*) AS found_spans
    FROM {{ found_spans }}
    JOIN {{ subspan_strings }} USING ({{ scope }}file, phone)
    GROUP BY ALL
),
ends AS (
    SELECT {{ scope }}text, 'found' AS set_, sum(partners)::BIGINT AS ends FROM counted GROUP BY ALL
    UNION ALL
    SELECT {{ scope }}text, 'found', -sum(ends)::BIGINT FROM repeated GROUP BY ALL
    UNION ALL
    SELECT {{ scope }}unnest([text_a, text]), 'found', -1 FROM near WHERE NOT found
    UNION ALL
    SELECT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}text, 'both', sum(a.spans * (b.spans - (a.before = b.before AND a.after = b.after)::BIGINT))::BIGINT
    FROM within_utterance AS a
    JOIN within_utterance AS b USING ({{ scope }}cluster, pair_talker, text)
    WHERE {{ subspans.aligned("a.before", "a.after", "b.before", "b.after") }}
    GROUP BY ALL
    UNION ALL
    SELECT {{ scope }}text, 'both', -sum(ends)::BIGINT FROM repeated WHERE matching GROUP BY ALL
    UNION ALL
    SELECT {{ scope }}text, 'both', -2 FROM near WHERE matching AND (overlapping OR NOT found)
)
{% endif %}
SELECT {{ scope }}text,
    coalesce(sum(found_spans), 0)::BIGINT AS found_spans, coalesce(sum(gold_spans), 0)::BIGINT AS gold_spans,
    coalesce(sum(found_ends), 0)::BIGINT AS found_ends,
    coalesce(sum(gold_ends), 0)::BIGINT AS gold_ends, coalesce(sum(both_ends), 0)::BIGINT AS both_ends
FROM (
    FROM labelled
    UNION ALL BY NAME
    SELECT {{ scope }}text, spans AS gold_spans, ends AS gold_ends FROM {{ gold_types }}
    UNION ALL BY NAME
    SELECT {{ scope }}text, if(set_ = 'found', ends, NULL) AS found_ends, if(set_ = 'both', ends, NULL) AS both_ends FROM ends
)
GROUP BY ALL

{# The fragments, each with its number of partners in P_clus (`found`), in P_goldclus (`gold`) and in P_clus ∩
   P_goldclus (`both`). `earlier` is the number of partners in P_clus that come before it by recording and time.

   By definition, the pairs are listed (pairs/pairs_clus.sql, pairs/pairs_goldclus.sql). Here partners are counted:

   1. Members of one cluster. In a cluster of n members, a fragment has n − 1 partners. If n_t of them have its
      transcription t, n_t − 1 of the partners do, too. (`partners`, first part)
   2. Clusters in common. Two fragments with k clusters in common are counted k times. k − 1 counts are subtracted.
      (`repeated`, from shared_signatures)
   3. Shared time. Two fragments with equal transcriptions that share time are not gold. The few pairs that share time
      are listed and subtracted from `both`. (`near`)
   4. Gold pairs. A fragment has one partner for each other fragment with transcription t, minus those that share time
      with it. (`alike`, `sharing`)

   With overlapping_pairs = dropped (tde 0.2.1), fragments that overlap are not a found pair either. With self_pairs =
   kept, each fragment is also a found pair with itself, which has two ends and is never gold.

   For example, cluster 2 has ab at 2.0 s, ab at 3.0 s and cd; cluster 3 has the same two ab and bc. Each ab has 2 + 2
   partners, minus 1 because the other ab is counted in both clusters: `found` is 3. `gold` and `both` are 1.

   tests/conformance/test_zerospeech2015_pairs.py compares these counts with the listed pairs. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
{% set fragment = 'text, file, onset, "offset"' %}
{% set differ = empty_transcriptions.value == "differ" %}
{% macro apart(overlapping) -%}
NOT ({{ overlapping }} OR file_a = file_b AND least(offset_a, offset_b) > greatest(onset_a, onset_b))
{%- endmacro %}
WITH members AS (
    SELECT {{ fragment }}, unnest(classes) AS class FROM {{ fragment_signatures }}
),
types AS (
    SELECT signature, text, count(*) AS fragments FROM {{ fragment_signatures }} GROUP BY ALL
),
repeated AS (
    SELECT b.signature, b.text,
        sum(surplus * (a.fragments - itself)) AS found, coalesce(sum(surplus * (a.fragments - itself)) FILTER (WHERE a.text = b.text), 0) AS both_
    FROM (
        SELECT surplus, a, b, (a.signature = b.signature AND a.text = b.text)::BIGINT AS itself
        FROM {{ shared_signatures }} AS shared_
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
        FROM (SELECT *, unnest([true, false]) AS is_b FROM {{ shared_signatures }}) AS shared_
        JOIN {{ fragment_signatures }} AS fragment_ 
            ON signature = if(is_b, signature_b, signature_a)
    )
),
near AS (
    SELECT DISTINCT text_a, file_a, onset_a, offset_a, text_b, file_b, onset_b, offset_b, overlap,
        text_a = text_b AND NOT {{ apart("overlap") }} AS unlike
    FROM {{ near_pairs }}
    WHERE overlap OR text_a = text_b
),
alike AS (
    SELECT DISTINCT pair_speaker, text, file, onset, "offset"
    FROM (
        FROM {{ cluster_members }}
{% if goldclus_members.value == "clustered" %}
        QUALIFY sum(times_listed) OVER (PARTITION BY cluster, pair_speaker) > 1
{% endif %}
    )
{% if differ %}
    WHERE text <> ''
{% endif %}
),
sharing AS (
{{ overlap.sharing_time("alike", "pair_speaker, text", "onset", '"offset"', ["onset", "offset"]) | indent(4, true) }}
),
partners AS (
    SELECT {{ fragment }}, count(*) OVER (PARTITION BY class) - 1 AS found,
        row_number() OVER (PARTITION BY class ORDER BY file, onset, "offset") - 1 AS earlier,
        count(*) OVER (PARTITION BY class, text) - 1 AS both_, 0 AS gold
    FROM members
    UNION ALL
    SELECT {{ fragment }}, -found, 0, -both_, 0 FROM {{ fragment_signatures }} JOIN repeated USING (signature, text)
    UNION ALL
    SELECT {{ fragment }}, 0, -surplus * earlier, 0, 0 FROM repeated_before WHERE is_b
    UNION ALL
    SELECT unnest([text_a, text_b]), unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]),
        {{ "-overlap::BIGINT, unnest([0, -overlap::BIGINT])" if overlapping_pairs.value == "dropped" else "0, 0" }}, -unlike::BIGINT, 0
    FROM near
{% if self_pairs.value == "kept" %}
    UNION ALL
    SELECT DISTINCT {{ fragment }}, 2, 1, 0, 0 FROM {{ cluster_members }}
{% endif %}
    UNION ALL
    SELECT {{ fragment }}, 0, 0, 0, count(*) OVER (PARTITION BY pair_speaker, text) - 1 FROM alike
    UNION ALL
    SELECT text, unnest([file_a, file_b]), unnest([onset_a, onset_b]), unnest([offset_a, offset_b]), 0, 0, 0, -1
    FROM sharing
    WHERE NOT {{ apart(overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b")) }}
)
SELECT {{ fragment }}, sum(found)::BIGINT AS found, sum(earlier)::BIGINT AS earlier, sum(gold)::BIGINT AS gold,
    {{ "if(text = '', 0, sum(both_))" if differ else "sum(both_)" }}::BIGINT AS "both"
FROM partners
GROUP BY {{ fragment }}

{# For each transcription t, the fragments that it labels in P_clus, P_goldclus and both, |match(t, P)|, and the ends of
   pairs that it labels there, N(t, P). Ends are counted by groups; then those are taken off that several groups have in
   common and, of pairs that should agree, those that share time. #}
{% import "term_discovery/exact/overlap.jinja" as overlap %}
WITH labelled AS (
    SELECT {{ scope }}text, count(*) FILTER (WHERE in_found) AS found_spans, count(*) FILTER (WHERE in_gold) AS gold_spans,
        count(*) FILTER (WHERE in_both) AS both_spans
    FROM {{ grouping_fragments }}
    GROUP BY ALL
),
types AS (
    SELECT {{ scope }}signature, classes, text, count(*) AS fragments FROM {{ fragment_signatures }} GROUP BY ALL
),
groups AS (
    SELECT class, sum(fragments) AS members FROM (SELECT fragments, unnest(classes) AS class FROM types) GROUP BY ALL
),
type_groups AS (
    SELECT {{ scope }}text, class, sum(fragments) AS fragments
    FROM (SELECT {{ scope }}text, fragments, unnest(classes) AS class FROM types)
    GROUP BY ALL
),
distinct_fragments AS (
    SELECT DISTINCT {{ scope }}pair_talker, text, file, onset, "offset" FROM {{ pair_groups }} WHERE text <> ''
),
sharing AS (
{{ overlap.sharing_time("distinct_fragments", scope ~ "pair_talker, text, file", ["onset", "offset"]) }}
),
near AS (
    SELECT DISTINCT {{ scope }}file, onset_a, offset_a, onset_b, offset_b, text_a AS text
    FROM {{ near_pairs }}
    WHERE text_a = text_b AND text_a <> '' AND least(offset_a, offset_b) > greatest(onset_a, onset_b)
),
gold AS (
    SELECT {{ scope }}text, pair_talker, count(*) AS fragments FROM distinct_fragments GROUP BY ALL
),
ends AS (
    SELECT {{ scope }}text, fragments * (members - 1) AS found_ends,
        if(text = '', 0, fragments * (fragments - 1)) AS both_ends, 0 AS gold_ends
    FROM type_groups
    JOIN groups USING (class)
    UNION ALL
    SELECT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}a.text, -surplus * a.fragments * (b.fragments - itself),
        if(a.text = b.text AND a.text <> '', -surplus * a.fragments * (b.fragments - itself), 0), 0
    FROM (
        SELECT surplus, a, b, (a.signature = b.signature AND a.text = b.text)::BIGINT AS itself
        FROM {{ shared_signatures }}
        JOIN types AS a ON a.signature = signature_a
        JOIN types AS b ON b.signature = signature_b
    )
    UNION ALL
    SELECT {{ scope }}text, 0, -2, 0 FROM near
    UNION ALL
    SELECT {{ scope }}text, 0, 0, fragments * (fragments - 1) FROM gold
    UNION ALL
    SELECT {{ scope }}text, 0, 0, -2 FROM sharing
)
SELECT {{ scope }}text, coalesce(any_value(found_spans), 0) AS found_spans, coalesce(any_value(gold_spans), 0) AS gold_spans,
    coalesce(any_value(both_spans), 0) AS both_spans, sum(found_ends)::BIGINT AS found_ends,
    sum(gold_ends)::BIGINT AS gold_ends, sum(both_ends)::BIGINT AS both_ends
FROM ends
LEFT JOIN labelled USING ({{ scope }}text)
GROUP BY ALL

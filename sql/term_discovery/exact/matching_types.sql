{# For each transcription t, the spans that it labels in P_disc* and P_all, |match(t, P)|, and the ends of pairs that
   it labels there and in both, N(t, P). Ends are counted by signature; near pairs, which may be no pairs, are taken
   off. #}
{% import "term_discovery/exact/overlap.jinja" as overlap with context %}
{% macro span_at(alias, file, phone) %}
JOIN spans AS {{ alias }} ON {{ alias }}.file = near_.{{ file }} AND {{ alias }}.phone = near_.{{ phone }} AND {{ alias }}.size = near_.size{{ same(alias, disc_spans, "near_", near_subspans) }}
{%- endmacro %}
WITH degrees AS (
    SELECT signature_a AS signature, sum(spans_b) - 1 AS degree FROM {{ signature_pairs }} GROUP BY ALL
),
spans AS (
    SELECT span_.*, first_.onset, last_."offset"
    FROM {{ disc_spans }} AS span_
    LEFT JOIN {{ phone_runs }} AS first_
        ON first_.file = span_.file AND first_.phone = span_.phone{{ same("first_", phone_runs, "span_", disc_spans) }}
    LEFT JOIN {{ phone_runs }} AS last_
        ON last_.file = span_.file AND last_.phone = span_.phone + span_.size - 1{{ same("last_", phone_runs, "span_", disc_spans) }}
),
spoken AS (
    SELECT {{ scope }}signature, text, count(*) AS spans FROM {{ disc_spans }} WHERE spoken GROUP BY ALL
),
near AS (
    SELECT {% for column in scope_columns %}near_.{{ column | name }}, {% endfor %}made, a.text AS text_a, b.text AS text_b, a.spoken AND b.spoken AND a.text = b.text AS matching,
        {{ overlap.overlap("a.onset", 'a."offset"', "b.onset", 'b."offset"') }} AS overlapping
    FROM {{ near_subspans }} AS near_
    {{ span_at("a", "file_a", "phone_a") }}

    {{ span_at("b", "file_b", "phone_b") }}

),
labelled AS (
    SELECT {{ scope }}text, count(*) AS found_spans
    FROM {{ found_spans }}
    JOIN {{ disc_spans }} USING ({{ scope }}file, phone, size)
    GROUP BY ALL
),
ends AS (
    SELECT {{ scope }}text, 'found' AS set_, sum(degree)::BIGINT AS ends FROM {{ disc_spans }} JOIN degrees USING (signature) GROUP BY ALL
    UNION ALL
    SELECT {{ scope }}unnest([text_a, text_b]), 'found', -1 FROM near WHERE NOT made
    UNION ALL
    SELECT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}a.text, 'both', sum(a.spans * (b.spans - (signature_a = signature_b)::BIGINT))::BIGINT
    FROM {{ signature_pairs }}
    JOIN spoken AS a ON a.signature = signature_a
    JOIN spoken AS b ON b.signature = signature_b AND b.text = a.text
    GROUP BY ALL
    UNION ALL
    SELECT {{ scope }}text_a, 'both', -2 FROM near WHERE matching AND (overlapping OR NOT made)
)
SELECT {{ scope }}text,
    coalesce(sum(found_spans), 0)::BIGINT AS found_spans, coalesce(sum(gold_spans), 0)::BIGINT AS gold_spans,
    coalesce(sum(found_ends), 0)::BIGINT AS found_ends,
    coalesce(sum(gold_ends), 0)::BIGINT AS gold_ends, coalesce(sum(both_ends), 0)::BIGINT AS both_ends
FROM (
    FROM labelled
    UNION ALL BY NAME
    SELECT {{ scope }}text, spans AS gold_spans, ends AS gold_ends FROM {{ all_types }}
    UNION ALL BY NAME
    SELECT {{ scope }}text, sum(ends) FILTER (WHERE set_ = 'found') AS found_ends,
        sum(ends) FILTER (WHERE set_ = 'both') AS both_ends
    FROM ends
    GROUP BY ALL
)
GROUP BY ALL

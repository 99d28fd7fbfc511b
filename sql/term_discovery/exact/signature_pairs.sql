{# The signatures of sub-spans that make pairs, in both orders and with themselves; and how many spans have each. #}
{% import "term_discovery/exact/subspans.jinja" as subspans with context %}
WITH signatures AS (
    SELECT {{ scope }}signature, classes, count(*) AS spans FROM {{ disc_spans }} GROUP BY ALL
),
members AS (
    SELECT {{ scope }}signature, spans, unnest(classes) AS class FROM signatures
),
meeting AS (
    SELECT a.class AS class_a, b.class AS class_b
    FROM {{ span_classes }} AS a
    JOIN {{ span_classes }} AS b USING ({{ scope }}cluster, pair_talker, size)
    WHERE {{ subspans.meet("a.before", "a.after", "b.before", "b.after") }}
)
SELECT DISTINCT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}a.signature AS signature_a, b.signature AS signature_b, b.spans AS spans_b
FROM meeting
JOIN members AS a ON a.class = class_a
JOIN members AS b ON b.class = class_b

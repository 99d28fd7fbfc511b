{# The signatures of sub-spans that meet in more ways than one, in both orders and with themselves: because they have
   several groups in common, or because one is several ways in a group. `ways` is in how many ways. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
WITH signatures AS (
    SELECT {{ scope }}signature, any_value(classes) AS classes FROM {{ disc_spans }} GROUP BY ALL
),
members AS (
    SELECT {{ scope }}signature, repeated, class, size_group, before, after
    FROM (SELECT {{ scope }}signature, len(classes) > 1 AS repeated, unnest(classes) AS class FROM signatures)
    JOIN (SELECT class, size_group, before, after FROM {{ span_classes }}) USING (class)
),
twos AS (
    SELECT a.signature, a.size_group, a.before, a.after, b.size_group AS other_size_group, b.before AS other_before, b.after AS other_after
    FROM (FROM members WHERE repeated) AS a
    JOIN (FROM members WHERE repeated) AS b USING (signature)
    WHERE a.size_group < b.size_group
),
several_in_size_group AS (
    SELECT a.signature AS one, b.signature AS other
    FROM (SELECT signature, size_group FROM members WHERE repeated GROUP BY ALL HAVING count(*) > 1) AS a
    JOIN members AS b USING (size_group)
),
candidates AS (
    SELECT a.signature AS signature_a, b.signature AS signature_b
    FROM twos AS a
    JOIN twos AS b USING (size_group, other_size_group)
    WHERE {{ subspans.aligned("a.before", "a.after", "b.before", "b.after") }}
        AND {{ subspans.aligned("a.other_before", "a.other_after", "b.other_before", "b.other_after") }}
    UNION
    SELECT one, other FROM several_in_size_group
    UNION
    SELECT other, one FROM several_in_size_group
)
SELECT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}signature_a, signature_b, count(*) AS ways
FROM candidates
JOIN members AS a ON a.signature = signature_a
JOIN members AS b ON b.signature = signature_b AND b.size_group = a.size_group
WHERE {{ subspans.aligned("a.before", "a.after", "b.before", "b.after") }}
GROUP BY ALL
HAVING count(*) > 1

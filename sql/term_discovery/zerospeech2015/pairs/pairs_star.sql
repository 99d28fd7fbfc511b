{# Every pair of sub-spans on the diagonals of pairs of P_disc (P_disc*): the shorter transcription laid along the longer at
   every offset, spans of equal size at equal places; a span with itself is left out. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
WITH sized AS (
    SELECT *, last_phone_a - first_phone_a + 1 AS size_a, last_phone_b - first_phone_b + 1 AS size_b FROM {{ pairs_disc }}
),
placed AS (
    SELECT *, unnest(range(0, size_b - size + 1)) AS before_b
    FROM (
        SELECT *, unnest(range(0, size_a - size + 1)) AS before_a
        FROM (SELECT *, unnest({{ subspans.sizes("size_a, size_b") }}) AS size FROM sized)
    )
),
met AS (
    SELECT {{ scope }}size, (file_a, first_phone_a + before_a) AS a, (file_b, first_phone_b + before_b) AS b
    FROM placed
    WHERE {{ subspans.aligned("before_a", "size_a - size - before_a", "before_b", "size_b - size - before_b") }}
)
SELECT DISTINCT {{ scope }}size, least(a, b)[1] AS file_a, least(a, b)[2] AS phone_a, greatest(a, b)[1] AS file_b, greatest(a, b)[2] AS phone_b
FROM met
WHERE a <> b

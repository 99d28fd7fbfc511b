{# Definition of P_disc*, the substring completion of P_disc: every unordered pair of sub-spans that are aligned in some
   pair of P_disc.

   For fragments a and b, the shorter transcription is laid along the longer at every offset. At each offset, two
   sub-spans of `min_phones` to `max_phones` phones are aligned when they are at the same places. The fragments `abcd`
   and `efg` have two offsets and, from two phones on, six pairs: ab–ef, bc–fg and abc–efg at the first, bc–ef, cd–fg
   and bcd–efg at the second. A sub-span is not paired with itself.

   This is the definition, with one row for each pair. The closed forms found_spans.sql (flat(P_disc*)), both_spans.sql
   (flat(P_disc* ∩ P_all)) and matching_types.sql (the ends of the pairs by transcription) must equal it;
   tests/conformance/test_zerospeech2015_pairs.py compares them. #}
{% import "term_discovery/exact/subspans.jinja" as subspans with context %}
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
    WHERE {{ subspans.meet("before_a", "size_a - size - before_a", "before_b", "size_b - size - before_b") }}
)
SELECT DISTINCT {{ scope }}size, least(a, b)[1] AS file_a, least(a, b)[2] AS phone_a, greatest(a, b)[1] AS file_b, greatest(a, b)[2] AS phone_b
FROM met
WHERE a <> b

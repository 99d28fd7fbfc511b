{# Definition of P_disc*, the substring completion of P_disc: every unordered pair of sub-spans that are aligned in some
   pair of P_disc.

   The shorter of the two transcriptions is laid along the longer one at every offset (`shift`) at which it fits. At
   each offset, the sub-spans of `found_min_phones` to `max_phones` phones that begin at the same `place` and have equal
   sizes are aligned. With found_min_phones = 2, abcd and efg have two offsets and six pairs: ab–ef, bc–fg and abc–efg
   at the first, bc–ef, cd–fg and bcd–efg at the second. A sub-span is not paired with itself.

   This query lists one row per pair. The closed forms found_spans.sql (flat(P_disc*)), both_spans.sql (flat(P_disc* ∩
   P_all)) and matching_types.jinja (the ends of the pairs by transcription) must equal it;
   tests/conformance/test_zerospeech2015_pairs.py compares them. #}
{% import "term_discovery/zerospeech2015/subspans.jinja" as subspans with context %}
WITH fragments AS (
    SELECT *, last_phone_a - first_phone_a + 1 AS length_a, last_phone_b - first_phone_b + 1 AS length_b FROM {{ pairs_disc }}
),
shifted AS (
    SELECT *, if(length_a > length_b, shift, 0) AS skipped_a, if(length_b > length_a, shift, 0) AS skipped_b
    FROM (SELECT *, unnest(range(0, abs(length_a - length_b) + 1)) AS shift FROM fragments)
),
sized AS (
    SELECT *, unnest({{ subspans.sizes("length_a, length_b") }}) AS size FROM shifted
),
placed AS (
    SELECT *, unnest(range(0, least(length_a, length_b) - size + 1)) AS place FROM sized
),
aligned AS (
    SELECT size, (file_a, first_phone_a + skipped_a + place) AS a, (file_b, first_phone_b + skipped_b + place) AS b
    FROM placed
)
SELECT DISTINCT size, least(a, b)[1] AS file_a, least(a, b)[2] AS phone_a, greatest(a, b)[1] AS file_b, greatest(a, b)[2] AS phone_b
FROM aligned
WHERE a <> b

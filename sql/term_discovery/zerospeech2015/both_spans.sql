{# The spans that are in a pair of P_disc* ∩ P_all, flat(P_disc* ∩ P_all): the span is aligned with another span (see
   the macro `aligned` in subspans.jinja), the two have equal transcriptions, each lies in one utterance, and the two do
   not overlap.

   By definition, both sets of pairs are listed and intersected (pairs/pairs_star.sql, pairs/pairs_all.sql). Here
   equal_subspans finds the spans of members that share no time, without listing pairs. Pairs of sub-spans of members
   that share time are listed (near_disc_subspans), without those that overlap or have different transcriptions. With
   completion = minimal_paths, all pairs of P_disc* are listed, and path_matches has those of both sets.

   For example, with min_phones = 2, the members abab at 0.0–0.4 s and abab at 0.2–0.6 s share half of their time, not
   more, so they are a pair of P_disc. Their aligned sub-spans ab at 0.0 s and ab at 0.2 s are a pair of both sets.

   tests/conformance/test_zerospeech2015_pairs.py compares the two. #}
{# One table is joined after the other, and each CTE is materialized. In a single join, DuckDB may first join the phones
   of a recording with the phones of the same recording, which is quadratic. #}
{% import "term_discovery/zerospeech2015/overlap.jinja" as overlap with context %}
{% macro looked_up(pairs, columns, file, phone) %}
SELECT pair_.*, {{ columns }}
FROM {{ pairs }} AS pair_
JOIN {{ phone_runs }} AS run_ ON run_.file = {{ file }} AND run_.phone = {{ phone }}
{%- endmacro %}
{% set text = "left(codes, size::INTEGER)" %}
{% if completion.value == "minimal_paths" %}
SELECT DISTINCT unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size FROM {{ path_matches }}
{% else %}
WITH begun AS MATERIALIZED (
    {{ looked_up(near_disc_subspans, text ~ " AS text, onset AS onset_a", "file_a", "phone_a") | indent }}
    WHERE remaining >= size AND size >= {{ min_phones }}
),
equal AS MATERIALIZED (
    {{ looked_up("begun", "onset AS onset_b", "file_b", "phone_b") | indent }}
    WHERE remaining >= size AND {{ text }} = text
),
ended AS MATERIALIZED (
    {{ looked_up("equal", '"offset" AS offset_a', "file_a", "phone_a + size - 1") | indent }}
),
timed AS MATERIALIZED (
    {{ looked_up("ended", '"offset" AS offset_b', "file_b", "phone_b + size - 1") | indent }}
),
touching AS MATERIALIZED (
    SELECT DISTINCT unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone, size
    FROM timed
    WHERE NOT {{ overlap.overlap("onset_a", "offset_a", "onset_b", "offset_b") }}
),
apart AS MATERIALIZED (
    SELECT DISTINCT file, phone, size FROM {{ equal_subspans }}
)
SELECT file, phone, size
FROM apart
FULL JOIN touching USING (file, phone, size)
{% endif %}

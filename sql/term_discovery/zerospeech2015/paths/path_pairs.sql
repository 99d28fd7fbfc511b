{# P_disc* with completion = minimal_paths: every unordered pair of sub-spans of a pair of P_disc that lie on a cheapest
   edit path of the two transcriptions. A pair of sub-spans can come from several pairs of fragments, and is one row. A
   sub-span is not paired with itself.

   The number of a span is 64 times its position plus its number of phones, of which there are at most 32.

   tests/conformance/test_minimal_paths.py compares the result with an oracle that lists all cheapest paths. #}
SELECT DISTINCT least(one, other) AS span_a, greatest(one, other) AS span_b, equal
FROM (
    SELECT (position_a + begin_a) * 64 + size_a AS one, (position_b + begin_b) * 64 + size_b AS other, equal
    FROM {{ path_subspans }}
    JOIN {{ path_fragment_pairs }} USING (type_a, type_b)
{% if longest_subspans.value == "missed" %}
    WHERE greatest(size_a, size_b) < {{ max_phones }}
{% endif %}
)
WHERE one <> other

{# The number of pairs of P_disc at each edit distance and length of the longer transcription.

   By definition P_disc is listed pair by pair, and each pair is compared (pairs/pairs_disc.sql). Here each two distinct
   transcriptions t and u of a group are compared once and stand for n_t·n_u pairs. The n_t·(n_t − 1)/2 pairs of equal
   transcriptions are at distance 0. The members `ab`, `ab` and `ac` are two pairs at distance 1 and one at distance 0.
   The pairs of surplus_pairs, which this counts too often, are subtracted.

   tests/conformance/test_zerospeech2015_pairs.py compares the number of pairs with the definition. #}
SELECT {{ scope }}distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT {{ scope }}distance, length, weight AS pairs FROM {{ rows }}
    UNION ALL
    SELECT {{ scope }}0, length(text), members * (members - 1) // 2 FROM {{ cluster_types }} WHERE members > 1
)
GROUP BY ALL

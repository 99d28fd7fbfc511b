{# The number of pairs of P_disc at each edit distance and length of the longer transcription.

   By definition, P_disc is listed and each pair is compared (pairs/pairs_disc.sql). Here every two distinct
   transcriptions t and u of a cluster are compared once. If n_t members have the transcription t, the result counts for
   n_t·n_u pairs. The n_t·(n_t − 1)/2 pairs of equal transcriptions are at distance 0. Some pairs are counted more than
   once; surplus_pairs has their number, which is subtracted. For example, the members `ab`, `ab` and `ac` form two
   pairs at distance 1 and one pair at distance 0.

   tests/conformance/test_zerospeech2015_pairs.py compares the number of pairs with the enumerated form. #}
SELECT distance, length, sum(pairs)::BIGINT AS pairs
FROM (
    SELECT distance, length, weight AS pairs FROM {{ rows }}
    UNION ALL
    SELECT 0, length(text), members * (members - 1) // 2 FROM {{ cluster_types }} WHERE members > 1
)
GROUP BY ALL

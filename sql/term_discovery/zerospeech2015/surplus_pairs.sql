{# The surplus of a sum over clusters: how many counts of pairs it has in excess of P_disc. One row per pair of
   transcriptions.

   By definition, P_disc is a set: a pair of fragments is one element, however many clusters contain it, and overlapping
   fragments are not a pair (pairs/pairs_disc.sql). A sum over clusters counts a pair with k clusters in common k times.
   So k − 1 counts of each such pair are in excess, and one more if the fragments overlap. For example, two fragments in
   the clusters {1, 2, 3} that overlap are counted 3 times, and 2 + 1 counts are in excess.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, disc_pairs, with the enumerated form. #}
WITH counted AS (
    SELECT signature, text, count(*) AS fragments FROM {{ fragment_signatures }} GROUP BY ALL
),
repeated AS (
    SELECT a.text AS text_a, b.text AS text_b,
        surplus * a.fragments * (b.fragments - (a.signature = b.signature AND a.text = b.text)::BIGINT)
            // if(a.signature = b.signature AND a.text = b.text, 2, 1) AS excess
    FROM {{ shared_signatures }} AS shared_
    JOIN counted AS a ON a.signature = signature_a
    JOIN counted AS b ON b.signature = signature_b
    WHERE (a.signature, a.text) <= (b.signature, b.text)
),
overlapping AS (
    SELECT DISTINCT file_a, file_b, onset_a, offset_a, onset_b, offset_b, text_a, text_b FROM {{ near_pairs }} WHERE overlap
)
SELECT text_a, text_b, sum(excess)::BIGINT AS excess
FROM (
    SELECT text_a, text_b, excess FROM repeated
    UNION ALL
    SELECT text_a, text_b, 1 FROM overlapping
)
WHERE excess > 0
GROUP BY ALL

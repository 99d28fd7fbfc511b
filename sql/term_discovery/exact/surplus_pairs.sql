{# The number of pairs, by the two transcriptions, that counting by groups counts in excess of P_disc.

   By definition P_disc is a set: a pair of fragments is one element, whatever the number of its groups, and overlapping
   fragments are no pair (pairs/pairs_disc.sql). The sum over groups counts a pair once for each group that the two have
   in common. In excess are therefore k − 1 of the k counts of a pair with k groups in common, and one more count of
   every pair that overlaps. Two fragments in the groups {1, 2, 3} that overlap are counted 3 times and are in excess 2
   + 1 times.

   tests/conformance/test_zerospeech2015_pairs.py compares the result, disc_pairs, with the definition. #}
WITH counted AS (
    SELECT {{ scope }}signature, text, count(*) AS fragments FROM {{ fragment_signatures }} GROUP BY ALL
),
repeated AS (
    SELECT {% for column in scope_columns %}a.{{ column | name }}, {% endfor %}a.text AS text_a, b.text AS text_b,
        surplus * a.fragments * (b.fragments - (a.signature = b.signature AND a.text = b.text)::BIGINT)
            // if(a.signature = b.signature AND a.text = b.text, 2, 1) AS times
    FROM {{ shared_signatures }}
    JOIN counted AS a ON a.signature = signature_a
    JOIN counted AS b ON b.signature = signature_b
    WHERE (a.signature, a.text) <= (b.signature, b.text)
),
overlapping AS (
    SELECT DISTINCT {{ scope }}file_a, file_b, onset_a, offset_a, onset_b, offset_b, text_a, text_b FROM {{ near_pairs }} WHERE overlap
)
SELECT {{ scope }}text_a, text_b, sum(times)::BIGINT AS times
FROM (
    SELECT {{ scope }}text_a, text_b, times FROM repeated
    UNION ALL
    SELECT {{ scope }}text_a, text_b, 1 FROM overlapping
)
WHERE times > 0
GROUP BY ALL

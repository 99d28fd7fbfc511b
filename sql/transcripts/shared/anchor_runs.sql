{# The rows that the function longest_chain reads: the pairs of positions, one in each text, at which a run of
   `anchor_words` (3) identical words starts; with anchor_words = 0 there are none. If the times of the two runs are known,
   they are at most `anchor_window` (5 s) apart.

   The function keeps the longest chain of runs that is in order in both texts; this is the coarse alignment of Burger et
   al. (stage 1). Then the words between these anchors are aligned. #}
WITH runs AS (
    SELECT side, document, position, time, string_agg(word, ' ') OVER run AS run, count(*) OVER run AS words
    FROM {{ words }}
    WINDOW run AS (
        PARTITION BY side, document ORDER BY position
        ROWS BETWEEN CURRENT ROW AND {{ [anchor_words.value - 1, 0] | max }} FOLLOWING)
)
SELECT document, ref_.position AS left_place, hyp_.position AS right_place
FROM (FROM runs WHERE side = 0 AND words = {{ anchor_words }}) AS ref_
JOIN (FROM runs WHERE side = 1) AS hyp_ USING (document, run)
WHERE coalesce(abs(ref_.time - hyp_.time) <= {{ anchor_window }}, true)
ORDER BY document, left_place, right_place DESC

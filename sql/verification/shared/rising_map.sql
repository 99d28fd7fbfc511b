{# The steps of the rising map, from low to high scores. All trials of a step get the same log-likelihood ratio: the log
   odds of a target in the step minus the log odds of a target among all trials. `target_bits` and `nontarget_bits` are
   the logarithmic costs of this ratio for a target and for a nontarget trial, if both are equally likely.

   Example: a step has 3 targets and 1 nontarget trial, and all trials are 10 targets and 90 nontarget trials. The
   log-likelihood ratio of the step is ln(3/1) − ln(10/90) = 3.30. #}
SELECT *, bits_of_odds(llr) AS target_bits, bits_of_odds(-llr) AS nontarget_bits
FROM (
    SELECT low, positives AS targets, negatives AS nontargets, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM {{ rows }}
    WINDOW everything AS ()
)

{# The blocks of the rising map (isotonic calibration, pool adjacent violators), from low to high scores. All trials of a
   block get the same log-likelihood ratio: the log odds of a target in the block minus the log odds of a target among
   all trials. `target_bits` and `nontarget_bits` are the logarithmic costs of this ratio for a target and for a
   nontarget trial, in bits (Eq 37, divided by ln 2).

   Example: a block has 3 targets and 1 nontarget trial, and all trials are 10 targets and 90 nontarget trials. The
   log-likelihood ratio of the block is ln(3/1) − ln(10/90) = 3.30. #}
SELECT blocks.*, bits_of_odds(llr + log_odds) AS target_bits, bits_of_odds(-llr - log_odds) AS nontarget_bits
FROM (
    SELECT *, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM {{ rows }}
    WINDOW everything AS ()
) AS blocks
CROSS JOIN {{ operating_point }}

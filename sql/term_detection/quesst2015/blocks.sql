{# The blocks of pool_adjacent_violators as a calibration: the log likelihood ratio of a block is its log odds less
   those of all trials, and the bits that it costs its targets and the others. #}
SELECT blocks.*, bits_of_odds(llr + log_odds) AS target_bits, bits_of_odds(-llr - log_odds) AS nontarget_bits
FROM (
    SELECT *, CASE
            WHEN negatives = 0 THEN 'inf'::DOUBLE
            WHEN positives = 0 THEN '-inf'::DOUBLE
            ELSE ln(positives / negatives) - ln((sum(positives) OVER everything) / (sum(negatives) OVER everything))
        END AS llr
    FROM {{ rows }}
    WINDOW everything AS ({% if scope_columns %}PARTITION BY {{ scope_columns | names }}{% endif %})
) AS blocks
CROSS JOIN {{ prior }}

-- bits_of_odds(odds): the logarithmic cost, in bits, of the natural log odds for the hypothesis that is true:
-- log2(1 + exp(-odds)). Odds of 0 cost 1 bit, infinite odds cost 0, odds of -infinity cost infinity.
CREATE OR REPLACE MACRO bits_of_odds(odds) AS greatest(-(odds)::DOUBLE, 0e0) / ln(2e0) + log2(1e0 + exp(-abs((odds)::DOUBLE)));

-- What log odds (natural) cost, in bits, when they are for what is so: log2(1 + exp(-odds)), also for infinite ones.
CREATE OR REPLACE MACRO bits_of_odds(odds) AS greatest(-(odds)::DOUBLE, 0e0) / ln(2e0) + log2(1e0 + exp(-abs((odds)::DOUBLE)));

-- a / b as a DOUBLE; NULL, which is reported as undefined, where b is 0.
CREATE OR REPLACE MACRO ratio(a, b) AS (a)::DOUBLE / nullif((b)::DOUBLE, 0);
-- The harmonic mean of precision and recall: undefined when either is, 0 when both are 0.
CREATE OR REPLACE MACRO fscore(p, r) AS CASE
    WHEN p IS NULL OR r IS NULL THEN NULL
    WHEN p + r = 0 THEN 0
    ELSE 2 * p * r / (p + r)
END;
-- Sums of DOUBLEs that do not depend on the order of the rows: each is rounded to 18 decimals first.
CREATE OR REPLACE MACRO exact_sum(x) AS sum((x)::DECIMAL(38, 18));
CREATE OR REPLACE MACRO exact_mean(x) AS exact_sum(x)::DOUBLE / nullif(count(x), 0);
-- A value as `scores` holds it, NULL where it is undefined or infinite, and the remark that says which.
CREATE OR REPLACE MACRO finite(x) AS if(isfinite(x), x, NULL);
CREATE OR REPLACE MACRO remark(x, note) AS CASE
    WHEN x IS NULL THEN concat('undefined', ': ' || note)
    WHEN isnan(x) THEN 'undefined: not a number'
    WHEN isinf(x) THEN if(x > 0, 'infinite', 'minus infinite')
    WHEN note LIKE 'defined in%' THEN note
END;
-- 100 for no error and 0 for that of a baseline; without an error of the baseline undefined, or IEEE's infinity.
CREATE OR REPLACE MACRO relative_score(error, baseline_error, infinite) AS
    100 * (1 - error / if(infinite OR baseline_error <> 0, baseline_error, NULL));
-- A number, or 0 where it is none.
CREATE OR REPLACE MACRO or_0(x) AS if(x IS NULL OR isnan((x)::DOUBLE), 0e0, x);
-- The standard deviation of n values from their sum and that of their squares.
CREATE OR REPLACE MACRO spread(n, total, squares) AS
    if(n > 0, sqrt(greatest(squares::DOUBLE / n - pow(total::DOUBLE / n, 2), 0)), NULL);
-- A rate of 1 in running sums of rates: these are whole numbers, 2^90 parts of it, so that no order changes them.
CREATE OR REPLACE MACRO one_weight() AS 1237940039285380274899124224::HUGEINT;
CREATE OR REPLACE MACRO rate_of(weight) AS (weight)::DOUBLE / one_weight()::DOUBLE;

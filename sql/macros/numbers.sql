-- ratio(a, b): a / b as a DOUBLE; NULL, which is reported as undefined, where b is 0.
CREATE OR REPLACE MACRO ratio(a, b) AS (a)::DOUBLE / nullif((b)::DOUBLE, 0);
-- fscore(p, r): the harmonic mean of precision and recall, 2pr / (p + r); NULL when one of them is NULL, 0 when both
-- are 0.
CREATE OR REPLACE MACRO fscore(p, r) AS CASE
    WHEN p IS NULL OR r IS NULL THEN NULL
    WHEN p + r = 0 THEN 0
    ELSE 2 * p * r / (p + r)
END;
-- exact_sum(x): the sum of DOUBLEs as decimals of 18 places, which does not depend on the order of rows.
CREATE OR REPLACE MACRO exact_sum(x) AS sum((x)::DECIMAL(38, 18));
-- exact_mean(x): the mean of the values that are not NULL, which does not depend on the order of rows.
CREATE OR REPLACE MACRO exact_mean(x) AS exact_sum(x)::DOUBLE / nullif(count(x), 0);
-- finite(x): the value as it is in `scores`, NULL where it is undefined or infinite.
CREATE OR REPLACE MACRO finite(x) AS if(isfinite(x), x, NULL);
-- remark(x, note): the note in `scores` that says whether a value is undefined, with the reason, or infinite.
CREATE OR REPLACE MACRO remark(x, note) AS CASE
    WHEN x IS NULL THEN concat('undefined', ': ' || note)
    WHEN isnan(x) THEN 'undefined: not a number'
    WHEN isinf(x) THEN if(x > 0, 'infinite', 'minus infinite')
    WHEN note LIKE 'defined in%' THEN note
END;
-- relative_score(error, baseline_error, infinite): 100 · (1 - error / baseline_error): 100 without error, 0 at the
-- error of the baseline. Where the baseline has no error: NULL, or with infinite the result of IEEE division.
CREATE OR REPLACE MACRO relative_score(error, baseline_error, infinite) AS
    100 * (1 - error / if(infinite OR baseline_error <> 0, baseline_error, NULL));
-- or_0(x): x, or 0 where x is NULL or not a number.
CREATE OR REPLACE MACRO or_0(x) AS if(x IS NULL OR isnan((x)::DOUBLE), 0e0, x);
-- spread(n, total, squares): the population standard deviation of n values, from their sum and the sum of their
-- squares.
CREATE OR REPLACE MACRO spread(n, total, squares) AS
    if(n > 0, sqrt(greatest(squares::DOUBLE / n - pow(total::DOUBLE / n, 2), 0)), NULL);
-- one_weight(): 2^90, the whole number that represents a rate of 1 where rates are summed. Sums of whole numbers do not
-- depend on the order of rows.
CREATE OR REPLACE MACRO one_weight() AS 1237940039285380274899124224::HUGEINT;
-- rate_of(weight): the rate that such a whole number represents.
CREATE OR REPLACE MACRO rate_of(weight) AS (weight)::DOUBLE / one_weight()::DOUBLE;

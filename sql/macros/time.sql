-- microseconds(seconds): a time in whole microseconds, rounded half to even, so that times are compared exactly.
CREATE OR REPLACE MACRO microseconds(seconds) AS round_even(seconds * 1e6, 0)::BIGINT;
-- more_than_part(amount, part, whole): whether amount > part · whole, for an amount and a whole in whole microseconds.
-- Exact for parts of up to six decimals.
CREATE OR REPLACE MACRO more_than_part(amount, part, whole) AS amount * 1000000 > round_even(part * 1e6, 0)::BIGINT * whole;
-- four_decimals(x): a time in seconds rounded to four decimals, as printf rounds it. printf is slow, so that it is
-- called only near a half of the last decimal, where other ways of rounding may differ.
CREATE OR REPLACE MACRO four_decimals(x) AS if(abs((x) * 1e4 - floor((x) * 1e4) - 0.5e0) < 1e-3,
    printf('%.4f', (x)::DOUBLE)::DOUBLE, round((x) * 1e4) / 1e4);

-- A time in seconds as whole microseconds, half to even, so that times can be compared exactly.
CREATE OR REPLACE MACRO microseconds(seconds) AS round_even(seconds * 1e6, 0)::BIGINT;
-- Whether an amount is more than a part of a whole, both in whole microseconds: exact for parts of up to six decimals.
CREATE OR REPLACE MACRO more_than_part(amount, part, whole) AS amount * 1000000 > round_even(part * 1e6, 0)::BIGINT * whole;
-- A time in seconds to four decimals, as printf writes it. Only near a half of the last place does the way matter.
CREATE OR REPLACE MACRO four_decimals(x) AS if(abs((x) * 1e4 - floor((x) * 1e4) - 0.5e0) < 1e-3,
    printf('%.4f', (x)::DOUBLE)::DOUBLE, round((x) * 1e4) / 1e4);

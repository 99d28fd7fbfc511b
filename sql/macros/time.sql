-- A time in seconds as whole microseconds, half to even, so that times can be compared exactly.
CREATE OR REPLACE MACRO microseconds(seconds) AS round_even(seconds * 1e6, 0)::BIGINT;

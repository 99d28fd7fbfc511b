-- logit(p): the natural log odds of a probability, ln(p / (1 - p)).
CREATE OR REPLACE MACRO logit(p) AS ln((p)::DOUBLE / (1 - (p)::DOUBLE));
-- shared_bits(a, b): the entropy, in bits, of a Bernoulli variable with a positive and b negative cases, times a + b.
CREATE OR REPLACE MACRO shared_bits(a, b) AS if(least(a, b) > 0, -a * log2(a / (a + b)) - b * log2(b / (a + b)), 0e0);
-- horner(x, c): the polynomial with the coefficients c, the highest power first, at x.
CREATE OR REPLACE MACRO horner(x, c) AS list_reduce(c, lambda s, each: s * x + each);
-- probit_middle(q, r): the normal quantile of q + 0.5 for |q| <= 0.425, where r = 0.180625 - q².
CREATE OR REPLACE MACRO probit_middle(q, r) AS q * horner(r, [
        2509.0809287301226727e0, 33430.575583588128105e0, 67265.770927008700853e0, 45921.953931549871457e0,
        13731.693765509461125e0, 1971.5909503065514427e0, 133.14166789178437745e0, 3.387132872796366608e0])
    / horner(r, [
        5226.495278852545925e0, 28729.085735721942674e0, 39307.89580009271061e0, 21213.794301586595867e0,
        5394.1960214247511077e0, 687.1870074920579083e0, 42.313330701600911252e0, 1e0]);
-- probit_side(r): the normal quantile of 1 - exp(-r²) for r <= 5.
CREATE OR REPLACE MACRO probit_side(r) AS horner(r - 1.6e0, [
        7.7454501427834140764e-4, 0.0227238449892691845833e0, 0.24178072517745061177e0, 1.27045825245236838258e0,
        3.64784832476320460504e0, 5.7694972214606914055e0, 4.6303378461565452959e0, 1.42343711074968357734e0])
    / horner(r - 1.6e0, [
        1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966e0, 0.14810397642748007459e0,
        0.68976733498510000455e0, 1.6763848301838038494e0, 2.05319162663775882187e0, 1e0]);
-- probit_end(r): the normal quantile of 1 - exp(-r²) for r > 5.
CREATE OR REPLACE MACRO probit_end(r) AS horner(r - 5e0, [
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386e0, 0.026532189526576123093e0,
        0.29656057182850489123e0, 1.7848265399172913358e0, 5.4637849111641143699e0, 6.6579046435011037772e0])
    / horner(r - 5e0, [
        2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
        0.0148753612908506148525e0, 0.13692988092273580531e0, 0.59983220655588793769e0, 1e0]);
-- probit_tail(r): the normal quantile of 1 - exp(-r²), outside of the middle.
CREATE OR REPLACE MACRO probit_tail(r) AS if(r <= 5, probit_side(r), probit_end(r));
-- probit(p): the standard normal quantile of a probability, by Wichura's algorithm AS 241 (relative error about 1e-16).
-- The axes of a DET plot have this scale. -inf and inf at 0 and 1, NULL outside.
CREATE OR REPLACE MACRO probit(p) AS CASE
    WHEN p < 0 OR p > 1 THEN NULL
    WHEN p = 0 THEN '-inf'::DOUBLE
    WHEN p = 1 THEN 'inf'::DOUBLE
    WHEN abs(p - 0.5e0) <= 0.425e0 THEN probit_middle(p - 0.5e0, 0.180625e0 - (p - 0.5e0) * (p - 0.5e0))
    WHEN p < 0.5 THEN -probit_tail(sqrt(-ln(p)))
    ELSE probit_tail(sqrt(-ln(1 - p)))
END;
-- ranked_score(x): a score as it is compared with thresholds. -0.0 becomes 0.0; a score that is not a number is an
-- error.
CREATE OR REPLACE MACRO ranked_score(x) AS CASE
    WHEN isnan((x)::DOUBLE) THEN error('a score is not a number')::DOUBLE
    WHEN (x)::DOUBLE = 0 THEN 0e0
    ELSE (x)::DOUBLE
END;

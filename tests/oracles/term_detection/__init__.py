"""The measures of spoken term detection by brute force: an independent witness for tests.

Plain Python over plain tuples, no code shared with the engine. Written from the MediaEval 2013 document (Eqs
1-48) and from the rules of NIST's F4DE KWSEval and of the QUESST 2015 scorer. It is meant to be obviously
right, not fast: times are exact decimals, rates are exact fractions, and a float appears only where a
logarithm or a tool's binary64 is meant.

* `rows`: what the tables hold; `fixture`: the recorded cases as such rows
* `occurrences`: where the queries are in the reference, and what lies inside the audio
* `alignment`: which detection finds which occurrence
* `twv`: counts, rates, sweep, bounds
* `entropy`: cross entropy and its minima
* `scoring`: the suites over occurrences; `quesst`: the suite over (query, document) trials
* `resources`: Eqs 46-48

Where the rules leave a choice, a comment marked SETTLED names the reading that reproduces the recorded numbers
(tests/unit/suites/test_oracle_term_detection.py), and one marked OPEN a choice that no recorded number decides.
"""

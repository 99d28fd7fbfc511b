#!/usr/bin/env bash
# audmetric 1.4.2: the linkability of scores that separate mated and other pairs perfectly is 0.0 for 19 pairs of each
# kind, 0.5 for 20 and 0.97 for 1000.
# Guess: 1.0 in each case: the scores tell all pairs apart.
# So: the number of bins grows with the number of pairs, so a small test reports perfect privacy, and values of test
# sets of different sizes cannot be compared.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check audmetric==1.4.2 pandas==3.1.1
cd "$folder"
env/bin/python - <<'PY'
import audmetric
import numpy as np

seen = {}
for pairs in (19, 20, 1000):
    numbers = np.random.default_rng(1)
    scores = [*numbers.uniform(0.8, 1.0, pairs), *numbers.uniform(0.0, 0.2, pairs)]
    truth = [1] * pairs + [0] * pairs
    seen[pairs] = round(float(audmetric.linkability(truth, scores)), 2)
    assert audmetric.equal_error_rate(truth, scores)[0] == 0
print(seen)
assert seen == {19: 0.0, 20: 0.5, 1000: 0.97}, seen
PY

#!/usr/bin/env bash
# Targets 0.9, 0.4 and nontargets 0.1, 0.8: the equal error rate is 0.25 in eer 0.0.2 (convex hull), 0.5 in pyeer
# 0.5.6 and 0.375 in pyannote.metrics 4.2.0.
# Guess: two values, one of the steps and one of the hull.
# So: a rate without its definition of the crossing cannot be compared; the three differ by a factor of two here.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check eer==0.0.2 llreval==0.0.3 pyeer==0.5.6 pyannote.metrics==4.2.0 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
import numpy as np
from eer import eer_tnt
from pyannote.metrics.binary_classification import det_curve
from pyeer.eer_info import get_eer_stats

targets, nontargets = [0.9, 0.4], [0.1, 0.8]
seen = {
    "eer": float(eer_tnt(np.array(targets), np.array(nontargets))),
    "pyeer": float(get_eer_stats(targets, nontargets).eer),
    "pyannote.metrics": float(det_curve(np.array([1, 1, 0, 0]), np.array(targets + nontargets))[3]),
}
print(seen)
assert seen == {"eer": 0.25, "pyeer": 0.5, "pyannote.metrics": 0.375}, seen
PY

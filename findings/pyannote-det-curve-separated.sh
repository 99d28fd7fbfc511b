#!/usr/bin/env bash
# pyannote.metrics 4.2.0: det_curve gives an equal error rate of 0.25 for scores that separate the classes perfectly.
# Guess: 0: there is a threshold without errors.
# So: the rate is the mean of two points that are next to the crossing, and the perfect point between them is not
# looked at.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyannote.metrics==4.2.0 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
import numpy as np
from pyannote.metrics.binary_classification import det_curve

few = det_curve(np.array([1, 1, 0, 0]), np.array([0.9, 0.8, 0.1, 0.2]))
many = det_curve(np.repeat([1, 0], 100), np.concatenate([np.linspace(2, 3, 100), np.linspace(0, 1, 100)]))
print("false alarms", few[0], "misses", few[1], "EER", few[3], "and of 200 trials", many[3])
assert 0.0 in [far + miss for far, miss in zip(few[0], few[1])], "the curve has the perfect point"
assert few[3] == many[3] == 0.25, (few[3], many[3])
PY

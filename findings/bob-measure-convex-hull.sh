#!/usr/bin/env bash
# bob.measure 6.1.1: eer_rocch, the equal error rate on the convex hull, raises NotImplementedError for every input,
# and calibration.min_cllr AttributeError.
# Guess: both return numbers, as their documentation shows.
# So: the rates on the convex hull cannot be compared with this package; its eer and cllr work.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check bob.measure==6.1.1 'numpy<2' 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
import bob.measure
import bob.measure.calibration
import numpy as np

negatives, positives = np.array([0.1, 0.8]), np.array([0.4, 0.9])
errors = {}
for name, rate in (("eer_rocch", bob.measure.eer_rocch), ("min_cllr", bob.measure.calibration.min_cllr)):
    try:
        rate(negatives, positives)
    except Exception as error:
        errors[name] = type(error).__name__
print(errors, bob.measure.eer(negatives, positives))
assert errors == {"eer_rocch": "NotImplementedError", "min_cllr": "AttributeError"}, errors
PY

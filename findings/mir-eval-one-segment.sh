#!/usr/bin/env bash
# mir_eval 0.8.2: the V-measure of a recording with one segment against itself is 0.0; scikit-learn 1.9.1 gives 1.0.
# Guess: 1.0: homogeneity is defined as 1 if there is one class only.
# So: recordings with one speaker or one section lower the mean although the output is perfect; the normalised
# conditional entropies of mir_eval do the same.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check mir_eval==0.8.2 scikit-learn==1.9.1
cd "$folder"
env/bin/python - <<'PY'
import numpy as np
from mir_eval import segment
from sklearn.metrics import v_measure_score

times = np.array([[0.0, 10.0]])
seen = {
    measure.__name__: [float(value) for value in measure(times, ["ann"], times, ["x"])]
    for measure in (segment.vmeasure, segment.nce, segment.pairwise)
}
seen["scikit-learn"] = float(v_measure_score(["ann"] * 100, ["x"] * 100))
print(seen)
assert seen == {"vmeasure": [0, 0, 0], "nce": [0, 0, 0], "pairwise": [1, 1, 1], "scikit-learn": 1}, seen
PY

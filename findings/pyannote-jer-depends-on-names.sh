#!/usr/bin/env bash
# pyannote.metrics 4.2.0: the Jaccard error rate changes when a cluster is renamed, because a tie between two mappings
# is broken by the names.
# Guess: names of clusters have no meaning, so they change no score.
# So: a system can gain by the choice of its labels; the rate below is 0.875 or 0.75 for the same turns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyannote.metrics==4.2.0 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import JaccardErrorRate


def annotation(*turns):
    result = Annotation(uri="talk")
    for number, (start, end, name) in enumerate(turns):
        result[Segment(start, end), number] = name
    return result


reference = annotation((0, 4, "customer"), (4, 5, "agent"))
seen = {}
for name in ("c", "zz"):
    hypothesis = annotation((0, 2, name), (2, 4, "o"), (6, 10, "o"))
    seen[name] = JaccardErrorRate()(reference, hypothesis)
print(seen)
assert seen == {"c": 0.875, "zz": 0.75}, seen
PY

#!/usr/bin/env bash
# Two overlapping turns of one reference speaker: DER is 0.25 in pyannote.metrics 4.2.0 and 0 in spy-der 0.4.1 and
# simpleder 0.0.8.
# Guess: a speaker speaks or not, so the overlap of his own turns is counted once everywhere.
# So: references made from overlapping segments have different amounts of speech in different programs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyannote.metrics==4.2.0 spy-der==0.4.1 simpleder==0.0.8 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
import simpleder
import spyder
from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import DiarizationErrorRate

turns, found = [("ann", 0.0, 5.0), ("ann", 3.0, 6.0)], [("x", 0.0, 6.0)]
reference, hypothesis = Annotation(), Annotation()
for annotation, rows in ((reference, turns), (hypothesis, found)):
    for number, (name, start, end) in enumerate(rows):
        annotation[Segment(start, end), number] = name
seen = {
    "pyannote.metrics": DiarizationErrorRate()(reference, hypothesis),
    "spy-der": spyder.DER(turns, found).der,
    "simpleder": simpleder.DER(turns, found),
}
print(seen)
assert seen == {"pyannote.metrics": 0.25, "spy-der": 0.0, "simpleder": 0.0}, seen
PY

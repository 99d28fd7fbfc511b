#!/usr/bin/env bash
# pyannote.metrics 4.2.0: if two speakers overlap by half, the homogeneity and the completeness of the reference
# against itself are 0.08.
# Guess: 1.0: each cluster has the speech of one speaker, and purity and coverage of the same pair are 1.0.
# So: the two measures fall with the overlap in the recording, whatever the system did; overlaps must be skipped.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyannote.metrics==4.2.0 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
from pyannote.core import Annotation, Segment, Timeline
from pyannote.metrics import diarization

turns = Annotation()
turns[Segment(0, 2)] = "Ann"
turns[Segment(1, 3)] = "Ben"
recording = Timeline([Segment(0, 3)])
measures = ("DiarizationHomogeneity", "DiarizationCompleteness", "DiarizationPurity", "DiarizationCoverage")
seen = {name: round(float(getattr(diarization, name)()(turns, turns, uem=recording)), 2) for name in measures}
print(seen)
assert seen == dict(zip(measures, (0.08, 0.08, 1.0, 1.0))), seen
skipped = diarization.DiarizationHomogeneity(skip_overlap=True)(turns, turns, uem=recording)
print(skipped)
assert round(float(skipped), 9) == 1, skipped
PY

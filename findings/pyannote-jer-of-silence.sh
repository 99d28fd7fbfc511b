#!/usr/bin/env bash
# pyannote.metrics 4.2.0: the Jaccard error rate of a silent recording in which nothing was found is 1.0; its DER is
# 0.0.
# Guess: 0, like DER: the output equals the reference.
# So: a mean of Jaccard error rates over recordings counts each correct silence as a complete failure.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyannote.metrics==4.2.0 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
from pyannote.core import Annotation, Segment, Timeline
from pyannote.metrics.diarization import DiarizationErrorRate, JaccardErrorRate

recording = Timeline([Segment(0, 10)])
seen = [metric()(Annotation(), Annotation(), uem=recording) for metric in (DiarizationErrorRate, JaccardErrorRate)]
print(seen)
assert seen == [0.0, 1.0], seen
PY

#!/usr/bin/env bash
# spy-der 0.4.1 raises IndexError at a recording in which no speaker was found.
# Guess: all speech is missed, so DER is 1.0, as in pyannote.metrics 4.2.0 and simpleder 0.0.8.
# So: recordings on which a system fails completely cannot be scored; a loop that skips errors leaves them out of the
# rate.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check spy-der==0.4.1 simpleder==0.0.8 pyannote.metrics==4.2.0 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
import simpleder
import spyder
from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import DiarizationErrorRate

turns = Annotation()
turns[Segment(0, 1)] = "Ann"
seen = {"simpleder": simpleder.DER([("Ann", 0, 1)], []), "pyannote": DiarizationErrorRate()(turns, Annotation())}
try:
    seen["spy-der"] = spyder.DER([("Ann", 0, 1)], []).der
except IndexError:
    seen["spy-der"] = IndexError
print(seen)
assert seen == {"simpleder": 1.0, "pyannote": 1.0, "spy-der": IndexError}, seen
PY

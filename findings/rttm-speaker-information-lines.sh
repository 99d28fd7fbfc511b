#!/usr/bin/env bash
# meeteval 0.4.3 and lhotse 1.33.0 raise an error at SPKR-INFO lines, which NIST's RTTM files have.
# Guess: lines of other types than SPEAKER are passed over, as md-eval does.
# So: the references of the NIST evaluations cannot be loaded before these lines are removed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check meeteval==0.4.3 lhotse==1.33.0 urllib3
cd "$folder"
env/bin/python - <<'PY'
import io

import meeteval
from lhotse import SupervisionSet

text = (
    "SPKR-INFO talk 1 <NA> <NA> <NA> unknown ann <NA> <NA>\n"
    "SPEAKER talk 1 0.0 1.0 <NA> <NA> ann <NA> <NA>\n"
)
with open("nist.rttm", "w") as file:
    file.write(text)
errors = {}
for name, read in (("meeteval", lambda: meeteval.io.RTTM.parse(text)), ("lhotse", lambda: SupervisionSet.from_rttm("nist.rttm"))):
    try:
        read()
    except Exception as error:
        errors[name] = type(error).__name__
print(errors)
assert errors == {"meeteval": "InvalidOperation", "lhotse": "ValueError"}, errors
PY

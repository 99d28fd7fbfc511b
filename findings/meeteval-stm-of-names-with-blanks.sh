#!/usr/bin/env bash
# meeteval 0.4.3 writes an STM line that it cannot read when the speaker of a SegLST segment has a blank in the name.
# Guess: names that STM cannot hold are refused or changed when the file is written.
# So: the error comes with the next program, far from its cause; another reader takes the surname for a time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check meeteval==0.4.3
cd "$folder"
env/bin/python - <<'PY'
import meeteval

segments = meeteval.io.SegLST(
    [{"session_id": "talk", "speaker": "Ann Lee", "start_time": 0.0, "end_time": 2.0, "words": "hello"}]
)
text = meeteval.io.STM.new(segments).dumps()
try:
    meeteval.io.STM.parse(text)
    outcome = "read"
except ValueError as error:
    outcome = str(error).splitlines()[0]
print(repr(text), outcome)
assert text == "talk 1 Ann Lee 0.0 2.0 hello\n", text
assert outcome.startswith("Unable to parse STM line"), outcome
PY

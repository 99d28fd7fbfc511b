#!/usr/bin/env bash
# seqeval 1.2.2: of tags without a prefix such as B- the first letter is lost, so LOC and BOC are the same type.
# Guess: an error, or the whole tag as the type.
# So: F is 1.0 for a tagger whose every tag is wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check seqeval==1.2.2 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
from seqeval.metrics import f1_score
from seqeval.metrics.sequence_labeling import get_entities

found = get_entities(["LOC", "O"])
fscore = f1_score([["LOC", "O"]], [["BOC", "O"]])
print(found, fscore)
assert found == [("OC", 0, 0)] and fscore == 1.0, (found, fscore)
PY

#!/usr/bin/env bash
# nervaluate 1.2.1: spans that touch without a common character count as a partial match, and as a full one of type.
# Guess: spans of start and end, as spaCy and Prodigy write them, end before their end offset.
# So: an entity that was found next to the right place gets a recall of 1.0 in the score of types.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nervaluate==1.2.1
cd "$folder"
env/bin/python - <<'PY'
from nervaluate import Evaluator

true = [[{"label": "PER", "start": 0, "end": 3}]]
predicted = [[{"label": "PER", "start": 3, "end": 7}]]
overall = Evaluator(true, predicted, tags=["PER"]).evaluate()["overall"]
seen = {name: overall[name].recall for name in ("strict", "partial", "ent_type")}
print(seen)
assert seen == {"strict": 0.0, "partial": 0.5, "ent_type": 1.0}, seen
PY

#!/usr/bin/env bash
# sclite (in prama 0.1.1): the word @ of a reference is the empty word, so leaving it out is no error.
# Guess: @ is a word like any other in plain texts; it means nothing only inside of alternatives.
# So: "write to bob @ home" against "write to bob home" has 4 words and no error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check prama==0.1.1
cd "$folder"
env/bin/python - <<'PY'
from prama.evaluator import get_wer

summary = get_wer(references=["write to bob @ home"], hypotheses=["write to bob home"]).summary
print(summary)
assert (summary.ref_words, summary.correct, summary.deletions) == (4, 4, 0), summary
PY

#!/usr/bin/env bash
# jiwer 4.0.0: ExpandCommonEnglishContractions turns "won't" into "will not", but "Won't" into "Wo not" and "Can't"
# into "Ca not".
# Guess: a contraction is expanded in the same way at the beginning of a sentence.
# So: a reference that keeps its capital letters gets words that do not exist, and "Will not" is counted as an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check jiwer==4.0.0
cd "$folder"
env/bin/python - <<'PY'
import jiwer

expand = jiwer.ExpandCommonEnglishContractions()
seen = {text: expand(text) for text in ("won't", "Won't", "can't", "Can't")}
print(seen)
assert (seen["won't"], seen["can't"]) == ("will not", "can not"), seen
assert (seen["Won't"], seen["Can't"]) == ("Wo not", "Ca not"), seen
rate = jiwer.wer(expand("Won't you"), "Will not you")
print(rate)
assert rate == 1 / 3, rate
PY

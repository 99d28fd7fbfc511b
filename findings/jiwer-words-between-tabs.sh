#!/usr/bin/env bash
# jiwer 4.0.0 splits words at U+0020 only: words that a tab, a line break or an ideographic space separates are one
# word.
# Guess: words are what str.split() returns, as in meeteval.
# So: the same pair of texts has a WER of 1.0 in jiwer and 0.0 in meeteval.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check jiwer==4.0.0 meeteval==0.4.3 werpy==3.5.0
cd "$folder"
env/bin/python - <<'PY'
import jiwer
from meeteval.wer.wer.siso import siso_word_error_rate

reference = "one\ttwo three"
seen = {
    "jiwer, tab": jiwer.wer(reference, "one two three"),
    "jiwer, line break": jiwer.wer("one\ntwo three", "one two three"),
    "jiwer, ideographic space": jiwer.wer("今日\u3000は", "今日 は"),
    "meeteval, tab": siso_word_error_rate(reference, "one two three").error_rate,
}
print(seen)
assert seen == {
    "jiwer, tab": 1.0,
    "jiwer, line break": 1.0,
    "jiwer, ideographic space": 2.0,
    "meeteval, tab": 0.0,
}, seen
PY

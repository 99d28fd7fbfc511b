#!/usr/bin/env bash
# Two words against an empty reference: jiwer 4.0.0 returns 2 (a count), pywer 0.1.1 0, agwer 0.4.11 infinity,
# meeteval 0.4.3 None, and werpy 3.5.0 prints an error and returns None.
# Guess: a rate over no words is undefined, and packages agree on how they say so.
# So: averages over utterances differ between packages as soon as one reference is silent; pywer hides the insertions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check jiwer==4.0.0 agwer==0.4.11 pywer==0.1.1 meeteval==0.4.3 werpy==3.5.0
cd "$folder"
env/bin/python - <<'PY'
import contextlib
import io

import agwer
import jiwer
import pywer
import werpy
from meeteval.wer.wer.siso import siso_word_error_rate

with contextlib.redirect_stdout(io.StringIO()):
    of_werpy = werpy.wer("", "two words")
seen = {
    "jiwer": jiwer.wer("", "two words"),
    "pywer": pywer.wer([""], ["two words"]),
    "agwer": agwer.wer("", "two words"),
    "meeteval": siso_word_error_rate("", "two words").error_rate,
    "werpy": of_werpy,
}
print(seen)
assert seen == {"jiwer": 2, "pywer": 0, "agwer": float("inf"), "meeteval": None, "werpy": None}, seen
PY

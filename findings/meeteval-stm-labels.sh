#!/usr/bin/env bash
# meeteval 0.4.3: the label of an STM line, such as <o,f0,male>, is the first word of its transcript.
# Guess: a label is not a word: in NIST's description of the format it is an optional field before the words, and
# sclite reads it as such.
# So: each labelled segment of a reference has one deletion; below, the correct output of one word has an error rate
# of 0.5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check meeteval==0.4.3
cd "$folder"
env/bin/python - <<'PY'
import meeteval

reference = meeteval.io.STM.parse("talk 1 ann 0.0 2.0 <o,f0,male> yes\n")
output = meeteval.io.STM.parse("talk 1 ann 0.0 2.0 yes\n")
seen = reference.lines[0].transcript
rate = meeteval.wer.cpwer(reference, output)["talk"]
print(repr(seen), rate)
assert seen == "<o,f0,male> yes", seen
assert (rate.length, rate.deletions, rate.error_rate) == (2, 1, 0.5), rate
PY

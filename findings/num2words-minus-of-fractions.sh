#!/usr/bin/env bash
# num2words 0.5.14: -0.5 is "zero point five", without the minus; -1.5 is "minus one point five".
# Guess: "minus zero point five": other negative numbers keep their sign.
# So: spoken forms of numbers between -1 and 0 have the wrong sign; a recogniser that writes the minus has an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check num2words==0.5.14
cd "$folder"
env/bin/python - <<'PY'
from num2words import num2words

seen = {(number, language): num2words(number, lang=language) for language in ("en", "de") for number in (-0.5, -1.5)}
print(seen)
assert seen[-1.5, "en"] == "minus one point five", seen
assert seen[-0.5, "en"] == num2words(0.5) == "zero point five", seen
assert seen[-1.5, "de"] == "minus eins Komma fünf", seen
assert seen[-0.5, "de"] == "null Komma fünf", seen
PY

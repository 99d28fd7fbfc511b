#!/usr/bin/env bash
# whisper-normalizer 0.1.15: "$1.50" becomes " one.50" while "$2.50" stays, and "1 euro" becomes "one".
# Guess: amounts keep their currency sign and their digits, whatever the first digit is.
# So: one dollar, one euro and one pound are equal to each other and to the word one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check whisper-normalizer==0.1.15
cd "$folder"
env/bin/python - <<'PY'
from whisper_normalizer.english import EnglishTextNormalizer

normalise = EnglishTextNormalizer()
seen = {text: normalise(text) for text in ("$1.50", "$2.50", "one dollar", "one euro", "a 1 euro coin", "five pounds")}
for text, result in seen.items():
    print(f"{text!r} -> {result!r}")
assert list(seen.values()) == [" one.50", "$2.50", " one", " one", "a one coin", "£5"], seen
PY

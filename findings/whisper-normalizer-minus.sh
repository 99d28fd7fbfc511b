#!/usr/bin/env bash
# whisper-normalizer 0.1.15: "-5" becomes "5", but "minus five" becomes "-5".
# Guess: both spellings of a negative number become the same text.
# So: a recogniser that writes -5 for the words "minus five" has an error, and one that writes 5 for -5 has none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check whisper-normalizer==0.1.15
cd "$folder"
env/bin/python - <<'PY'
from whisper_normalizer.english import EnglishTextNormalizer

normalise = EnglishTextNormalizer()
seen = {text: normalise(text) for text in ("-5 degrees", "minus five degrees")}
for text, result in seen.items():
    print(f"{text!r} -> {result!r}")
assert list(seen.values()) == ["5 degrees", "-5 degrees"], seen
PY

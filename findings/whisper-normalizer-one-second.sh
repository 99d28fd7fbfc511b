#!/usr/bin/env bash
# whisper-normalizer 0.1.15: "one second" becomes "12nd" and "one third" becomes "13rd".
# Guess: "1 second", as "two seconds" becomes "2 seconds".
# So: two words become one number that nobody said, so the number of reference words changes, too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check whisper-normalizer==0.1.15
cd "$folder"
env/bin/python - <<'PY'
from whisper_normalizer.english import EnglishTextNormalizer

normalise = EnglishTextNormalizer()
seen = {text: normalise(text) for text in ("wait one second", "two seconds", "one third")}
for text, result in seen.items():
    print(f"{text!r} -> {result!r}")
assert list(seen.values()) == ["wait 12nd", "2 seconds", "13rd"], seen
PY

#!/usr/bin/env bash
# whisper-normalizer 0.1.15: "ten o'clock" becomes "100 clock", and "oh no" becomes "0 no".
# Guess: "o'clock" stays a word, and an "oh" outside of digits stays a word.
# So: an hour that is wrong by a factor of ten is compared with one that was written in the same way; texts that write
# "10:00" differ in every hour.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check whisper-normalizer==0.1.15
cd "$folder"
env/bin/python - <<'PY'
from whisper_normalizer.english import EnglishTextNormalizer

normalise = EnglishTextNormalizer()
seen = {text: normalise(text) for text in ("it's ten o'clock", "it's 10 o'clock", "four o'clock", "oh no", "oh I see")}
for text, result in seen.items():
    print(f"{text!r} -> {result!r}")
assert list(seen.values()) == ["it is 100 clock", "it is 100 clock", "40 clock", "0 no", "0 i see"], seen
PY

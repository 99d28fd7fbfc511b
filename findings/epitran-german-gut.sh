#!/usr/bin/env bash
# epitran 1.35.3 transcribes the German word "gut" as "kt", and "gute" as "ɡtə".
# Guess: "ɡuːt" and "ɡuːtə": words have their vowels, as "hʊt" for "Hut" has.
# So: phone error rates against such references count the vowel of a frequent word as an insertion.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check epitran==1.35.3 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
import epitran

transcribe = epitran.Epitran("deu-Latn").transliterate
seen = {word: transcribe(word) for word in ("gut", "gute", "Hut", "Hund")}
print(seen)
assert seen == {"gut": "kt", "gute": "ɡtə", "Hut": "hʊt", "Hund": "hʊnt"}, seen
PY

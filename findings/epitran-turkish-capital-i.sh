#!/usr/bin/env bash
# epitran 1.35.3: the Turkish word "IŞIK" is "iʃik", and "ışık", the same word in small letters, is "ɯʃɯk".
# Guess: the same: I is the capital letter of ı in Turkish, and the language is a parameter.
# So: a word at the beginning of a sentence has another first vowel than the same word within a sentence.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check epitran==1.35.3 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
import epitran

transcribe = epitran.Epitran("tur-Latn").transliterate
seen = {word: transcribe(word) for word in ("IŞIK", "ışık", "Irmak", "ırmak")}
print(seen)
assert (seen["IŞIK"], seen["ışık"]) == ("iʃik", "ɯʃɯk"), seen
assert (seen["Irmak"][0], seen["ırmak"][0]) == ("i", "ɯ"), seen
PY

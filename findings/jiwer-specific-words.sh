#!/usr/bin/env bash
# jiwer 4.0.0: RemoveSpecificWords(["uh", "%hes"]) keeps the word "%hes", and makes "-huh" of "uh-huh".
# Guess: words are what jiwer counts as words, so "%hes" is removed, and "uh-huh" is another word than "uh".
# So: hesitations and noises in brackets stay in the count although they are listed; SubstituteWords finds words in
# the same way, so it does not replace "mr." either.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check jiwer==4.0.0
cd "$folder"
env/bin/python - <<'PY'
import jiwer

remove = jiwer.RemoveSpecificWords(["uh", "%hes", "[noise]"])
seen = {text: " ".join(remove(text).split()) for text in ("well uh yes", "uh-huh", "%hes yes", "[noise] yes")}
print(seen)
assert seen["well uh yes"] == "well yes", seen
assert seen["uh-huh"] == "-huh", seen
assert all(seen[text] == text for text in ("%hes yes", "[noise] yes")), seen
replaced = jiwer.SubstituteWords({"mr.": "mister"})("mr. smith")
print(replaced)
assert replaced == "mr. smith", replaced
PY

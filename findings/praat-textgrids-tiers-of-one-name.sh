#!/usr/bin/env bash
# praat-textgrids 1.4.0 keeps only the last of several tiers with one name.
# Guess: both tiers, or an error: Praat allows equal names.
# So: files of two annotators who both called their tier "words" lose one of them without a word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check praat-textgrids==1.4.0
cd "$folder"
env/bin/python - <<'PY'
import textgrids

with open("two.TextGrid", "w") as file:
    file.write('File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1.5\n<exists>\n2\n')
    for label in ("first annotator", "second annotator"):
        file.write(f'"IntervalTier"\n"words"\n0\n1.5\n1\n0\n1.5\n"{label}"\n')
tiers = {name: [interval.text for interval in tier] for name, tier in textgrids.TextGrid("two.TextGrid").items()}
print(tiers)
assert tiers == {"words": ["second annotator"]}, tiers
PY

#!/usr/bin/env bash
# tgt 1.5 and praat-textgrids 1.4.0 cut TextGrid labels at an equals sign between blanks: "word = gloss" becomes
# "word" in praat-textgrids and "wor" in tgt.
# Guess: a label is what stands between its quotes, as Praat reads it.
# So: formulas and glosses lose words without a message; with two equals signs, tgt drops the interval.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check tgt==1.5 praat-textgrids==1.4.0 praat-parselmouth==0.4.7
cd "$folder"
env/bin/python - <<'PY'
LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 2
tiers? <exists>
size = 1
item []:
    item [1]:
        class = "IntervalTier"
        name = "words"
        xmin = 0
        xmax = 2
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 1
            text = "LABEL"
        intervals [2]:
            xmin = 1
            xmax = 2
            text = "yes"
"""

import parselmouth
import textgrids
import tgt
from parselmouth.praat import call

seen = {}
for label in ("word = gloss", "x = y = z"):
    with open("words.TextGrid", "w") as file:
        file.write(LONG.replace("LABEL", label))
    praat = call(parselmouth.read("words.TextGrid"), "Get label of interval", 1, 1)
    short = [str(interval.text) for interval in textgrids.TextGrid("words.TextGrid")["words"]]
    seen[label] = (praat, short, [interval.text for interval in tgt.io.read_textgrid("words.TextGrid").tiers[0]])
print(seen)
assert seen["word = gloss"] == ("word = gloss", ["word", "yes"], ["wor", "yes"]), seen
assert seen["x = y = z"] == ("x = y = z", ["x", "yes"], ["yes"]), seen
PY

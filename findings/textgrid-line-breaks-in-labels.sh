#!/usr/bin/env bash
# tgt 1.5 and praat-textgrids 1.4.0 raise IndexError at a TextGrid label with a line break.
# Guess: both lines of the label: Praat accepts such labels, and TextGrid 1.6.1, praatio 6.2.2 and pympi-ling 1.71
# read them.
# So: one label in which an annotator pressed Enter keeps the file from being read, and the message does not say
# which.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check tgt==1.5 praat-textgrids==1.4.0 TextGrid==1.6.1 praatio==6.2.2 pympi-ling==1.71 numpy==2.4.6
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

import pympi
import textgrid
import textgrids
import tgt
from praatio import textgrid as praatio

with open("words.TextGrid", "w") as file:
    file.write(LONG.replace("LABEL", "oh\nno"))
readers = {
    "TextGrid": lambda name: textgrid.TextGrid.fromFile(name)[0][0].mark,
    "praatio": lambda name: praatio.openTextgrid(name, includeEmptyIntervals=True).tiers[0].entries[0].label,
    "pympi-ling": lambda name: pympi.Praat.TextGrid(name).get_tier("words").intervals[0][2],
    "praat-textgrids": lambda name: textgrids.TextGrid(name)["words"][0].text,
    "tgt": lambda name: tgt.io.read_textgrid(name).tiers[0][0].text,
}
seen = {}
for package, read in readers.items():
    try:
        seen[package] = read("words.TextGrid")
    except IndexError:
        seen[package] = IndexError
print(seen)
assert [seen[package] for package in ("TextGrid", "praatio", "pympi-ling")] == ["oh\nno"] * 3, seen
assert seen["praat-textgrids"] is seen["tgt"] is IndexError, seen
PY

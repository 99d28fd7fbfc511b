#!/usr/bin/env bash
# pympi-ling 1.71: ELAN annotations that overlap within a tier are accepted, and to_textgrid leaves out the text of
# the second.
# Guess: an error, or both texts: each of the two is allowed alone.
# So: overlapped speech of one tier turns into silence when a transcript is converted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pympi-ling==1.71
cd "$folder"
env/bin/python - <<'PY'
import pympi

eaf = pympi.Elan.Eaf()
eaf.add_tier("words")
eaf.add_annotation("words", 0, 1000, "one")
eaf.add_annotation("words", 500, 1500, "two")
annotations = eaf.get_annotation_data_for_tier("words")
intervals = list(eaf.to_textgrid().get_tier("words").get_all_intervals())
print(annotations, intervals)
assert annotations == [(0, 1000, "one"), (500, 1500, "two")], annotations
assert intervals == [(0.0, 1.0, "one"), (1.0, 1.5, "")], intervals
PY

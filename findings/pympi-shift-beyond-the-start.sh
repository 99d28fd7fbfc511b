#!/usr/bin/env bash
# pympi-ling 1.71: shift_annotations(-500) moves an annotation from 1000-2000 ms to 500-1500 ms, and one from 200-1000
# ms to 0-1000 ms.
# Guess: 0-500 ms: the part before the start of the file is cut off, and the end moves like all other ends.
# So: after a correction of the offset, the first annotation of a tier is too long and overlaps the next one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pympi-ling==1.71
cd "$folder"
env/bin/python - <<'PY'
import pympi

transcript = pympi.Elan.Eaf()
transcript.add_tier("words")
transcript.add_annotation("words", 200, 1000, "oh")
transcript.add_annotation("words", 1000, 2000, "no")
squashed, removed = transcript.shift_annotations(-500)
seen = sorted(transcript.get_annotation_data_for_tier("words"))
print(seen, squashed, removed)
assert seen == [(0, 1000, "oh"), (500, 1500, "no")], seen
assert (squashed, removed) == ([("words", 200, 1000, "oh")], []), (squashed, removed)
PY
